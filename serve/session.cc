#include "serve/session.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "api/problem.h"

namespace hebb::serve {

namespace {

using api::Access, api::Problem, api::ProblemType;

void require_database(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::exists(path, ec)) return;
  throw Problem(
      ProblemType::no_database,
      fmt::format("there is no database at {}; make one with `hebb --db {} init`", path, path));
}

}  // namespace

void OpenSession::open(Access access) {
  if (access != Access::create) require_database(options_.path);
  EngineOptions options;
  options.path = options_.path;
  options.busy_timeout_ms = options_.busy_timeout_ms;
  options.create = access == Access::create;
  options.mirror_later = options_.mirror_later;
  options.warning = [this](const std::string& text) { note("warning: " + text); };
  try {
    engine_.emplace(options);
    return;
  } catch (const sql::NotOurs&) {
    throw;
  } catch (const sql::Error& e) {
    std::error_code ec;
    if (!e.unwritable() || !std::filesystem::exists(options_.path, ec)) throw;
  }
  options.read_only = true;
  options.mirror_later = false;
  engine_.emplace(options);
  read_only_ = true;
}

Engine& OpenSession::engine(Access access) {
  if (!engine_) open(access);
  if (read_only_ && access != Access::read) {
    engine_.reset();  // opened again below: the file may be writable by now
    read_only_ = false;
    open(access);
    if (read_only_) {
      throw Problem(ProblemType::read_only,
                    fmt::format("{} cannot be written, and this would change it", options_.path));
    }
  }
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
