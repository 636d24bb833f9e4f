// A session on a database in memory, for tests that call operations directly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"

namespace hebb::api {

inline constexpr TimeMs kNow = 1'767'571'200'000;  // 2026-01-05T00:00:00Z

class MemorySession final : public Session {
 public:
  explicit MemorySession(TimeMs now) : now_(now), engine_({.path = ":memory:"}) {}

  Engine& engine(Access) override { return engine_; }
  sql::Database& tables(Access) override { return tables_of(engine_); }
  TimeMs now() const override { return now_; }
  std::optional<TimeMs> given_now() const override { return now_; }
  void note(const std::string& text) override { notes.push_back(text); }
  Progress progress(const std::string&) override { return {}; }
  std::string path() const override { return ":memory:"; }

  void later(TimeMs ms) { now_ += ms; }

  std::vector<std::string> notes;

 private:
  TimeMs now_;
  Engine engine_;
};

// Calls an operation of the list by its name.
inline Json ask(Session& session, std::string_view operation, const Json& request) {
  return operation_named(operation).call(session, request);
}

// What the operation is refused with; empty: it is not refused.
inline std::string refused(Session& session, std::string_view operation, const Json& request) {
  try {
    ask(session, operation, request);
  } catch (const Problem& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace hebb::api
