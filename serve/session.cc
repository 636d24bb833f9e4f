#include "serve/session.h"

#include <chrono>
#include <utility>

#include "api/open.h"

namespace hebb::serve {

using api::Access;

void OpenSession::open(Access access) {
  EngineOptions options;
  options.path = options_.path;
  options.busy_timeout_ms = options_.busy_timeout_ms;
  options.outcome_taken = options_.outcome_taken;
  options.warning = [this](const std::string& text) { note("warning: " + text); };
  // Whoever starts a server wants one, whatever is asked of it first.
  if (!api::has_database(options_.path)) access = Access::write;
  engine_.emplace(api::open_engine(access, std::move(options), &read_only_));
}

Engine& OpenSession::engine(Access access) {
  if (read_only_ && access != Access::read) engine_.reset();  // it may be writable by now
  if (std::exchange(lacked_memory_, false)) engine_.reset();
  if (!engine_) open(access);
  return *engine_;
}

sql::Database& OpenSession::tables(Access access) { return tables_of(engine(access)); }

TimeMs OpenSession::now() const {
  if (options_.now) return *options_.now;
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void OpenSession::note(const std::string& text) {
  if (options_.note) options_.note(text);
}

Progress OpenSession::progress(const std::string& /*what*/) {
  return [](std::size_t, std::size_t) {};
}

}  // namespace hebb::serve
