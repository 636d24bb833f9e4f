#include "api/pending_hooks.h"

#include "api/open.h"
#include "api/visible_text.h"
#include "engine/values/refusals.h"
#include "engine/without_secrets.h"

namespace hebb::api {

sql::Database& PendingHooks::tables() {
  if (tables_) return *tables_;
  EngineOptions options;
  options.path = path_;
  options.busy_timeout_ms = 60'000;  // other processes may run long imports
  return tables_.emplace(open_tables(Access::write, std::move(options)));
}

std::optional<PendingHooks::Outcome> PendingHooks::at(std::int64_t position) {
  sql::Statement& found = tables().query(sql::Query::pending_hook);
  const sql::Reset reset(found);
  found.bind(1, kHookPending).bind(2, position);
  if (!found.step()) return std::nullopt;
  const auto text = found.blob(1);
  return Outcome{found.integer(0),
                 std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

void PendingHooks::done(std::int64_t id) {
  sql::Transaction transaction(tables());
  tables().query(sql::Query::drop_dead_letter).bind(1, id).run();
  transaction.commit();
}

void PendingHooks::failed(std::int64_t id, const std::string& why, TimeMs now) {
  const std::string detail = text_without_secrets(visible_line(why));
  sql::Transaction transaction(tables());
  sql::Statement& set = tables().query(sql::Query::set_dead_letter);
  set.bind(1, id)
      .bind(2, now)
      .bind(3, refusal::kHookNotRun)
      .bind(4, std::string_view(detail))
      .run();
  transaction.commit();
}

}  // namespace hebb::api
