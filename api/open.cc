#include "api/open.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "api/problem.h"
#include "engine/values/times.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

bool has_database(const std::string& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

void require_database(const std::string& path) {
  if (has_database(path)) return;
  std::error_code ec;
  const fs::path folder = fs::absolute(path, ec).parent_path();
  const std::string make_folder =
      fs::exists(folder, ec) ? "" : fmt::format("mkdir -p {} && ", folder.string());
  throw Problem(ProblemType::no_database,
                fmt::format("there is no database at {0}; `hebb init` makes one for this folder, "
                            "`{1}hebb --db {0} init` makes that one, and --db or HEBB_DB names "
                            "another",
                            path, make_folder));
}

std::string why_unwritable(const std::string& path, const sql::Error& e) {
  if (::access(path.c_str(), W_OK) != 0) return std::strerror(errno);
  std::error_code ec;
  const std::string folder = fs::absolute(path, ec).parent_path().string();
  if (::access(folder.c_str(), W_OK) != 0) {
    return fmt::format("its folder {}: {}", folder, std::strerror(errno));
  }
  return e.what();
}

// Calls open(options), and where that has to do, again to read alone: then read_only is set.
template <class Open>
auto open_as(Access access, EngineOptions options, bool& read_only, Open open) {
  options.create = access == Access::write;
  options.read_only = read_only = false;
  if (!options.create) require_database(options.path);
  try {
    return open(options);
  } catch (const sql::NotOurs&) {
    throw;
  } catch (const sql::Error& e) {
    if (!e.unwritable() || !has_database(options.path)) throw;
    if (access != Access::read) {
      throw Problem(ProblemType::read_only,
                    fmt::format("{} cannot be written, and this would change it: {}", options.path,
                                why_unwritable(options.path, e)));
    }
  }
  options.read_only = read_only = true;
  return open(options);
}

}  // namespace

sql::Database open_tables(Access access, EngineOptions options) {
  bool read_only = false;
  return open_as(access, std::move(options), read_only,
                 [](const EngineOptions& o) { return open_database(o); });
}

EngineOptions OpenSession::opening(Access /*access*/) const { return options_.database; }

Engine& OpenSession::engine(Access access) {
  if (read_only_ && access != Access::read) engine_.reset();  // it may be writable by now
  if (std::exchange(lacked_memory_, false)) engine_.reset();
  if (engine_) return *engine_;
  EngineOptions options = opening(access);
  options.warning = [this](const std::string& text) { note("warning: " + text); };
  if (options_.serves && !has_database(options.path)) access = Access::write;
  return engine_.emplace(open_as(access, std::move(options), read_only_,
                                 [](const EngineOptions& o) { return Engine(o); }));
}

sql::Database& OpenSession::tables(Access access) {
  if (engine_ || options_.serves) return tables_of(engine(access));
  if (!tables_) tables_.emplace(open_tables(access, opening(access)));
  return *tables_;
}

TimeMs OpenSession::now() const { return options_.now ? *options_.now : clock_now(); }

Progress OpenSession::progress(const std::string& /*what*/) {
  return [](std::size_t, std::size_t) {};
}

}  // namespace hebb::api
