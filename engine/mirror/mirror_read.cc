// What is read of the mirror: how far it goes, and what the graph does not hold.
#include "engine/fold/rules.h"
#include "engine/mirror/mirror.h"

namespace hebb {

std::optional<std::int64_t> Mirror::mark(std::string_view name) const {
  auto& q = db_.query(sql::Query::mirror_get);
  const sql::Reset reset(q);
  q.bind(1, name);
  if (!q.step()) return std::nullopt;
  return q.integer(0);
}

// Of a mirror that was folded by other rules nothing counts: as if it had not been written.
std::int64_t Mirror::position() const {
  return mark("rules") == fold_rules() ? mark("position").value_or(0) : 0;
}

NodeContent Mirror::content(std::string_view id) const {
  NodeContent content;
  auto& q = db_.query(sql::Query::node_content);
  q.bind(1, id);
  if (q.step()) {
    content.name = q.text(0);
    content.description = q.text(1);
    content.project = q.text(2);
    content.scope = q.text(3);
    content.properties = q.text(4);
  }
  q.reset();
  return content;
}

std::vector<std::string> Mirror::ids_by_name(std::string_view name) const {
  std::vector<std::string> ids;
  auto& rows = db_.query(sql::Query::node_ids_by_name);
  const sql::Reset reset(rows);
  rows.bind(1, name);
  while (rows.step()) ids.emplace_back(rows.text(0));
  return ids;
}

}  // namespace hebb
