#include "api/open.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "api/problem.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

void require_database(const std::string& path) {
  if (has_database(path)) return;
  std::error_code ec;
  const fs::path folder = fs::absolute(path, ec).parent_path();
  const std::string make_folder =
      fs::exists(folder, ec) ? "" : fmt::format("mkdir -p {} && ", folder.string());
  throw Problem(ProblemType::no_database,
                fmt::format("there is no database at {}; make one with `{}hebb --db {} init`, "
                            "or name another with --db or HEBB_DB",
                            path, make_folder, path));
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

template <class Open>
auto open_as(Access access, EngineOptions options, bool* read_only, Open open) {
  options.create = access == Access::write;
  options.read_only = false;
  if (read_only) *read_only = false;
  if (!options.create) require_database(options.path);
  try {
    return open(options);
  } catch (const sql::NotOurs&) {
    throw;
  } catch (const sql::Error& e) {
    std::error_code ec;
    if (!e.unwritable() || !fs::exists(options.path, ec)) throw;
    if (access != Access::read) {
      throw Problem(ProblemType::read_only,
                    fmt::format("{} cannot be written, and this would change it: {}", options.path,
                                why_unwritable(options.path, e)));
    }
  }
  options.read_only = true;
  if (read_only) *read_only = true;
  return open(options);
}

}  // namespace

bool has_database(const std::string& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

Engine open_engine(Access access, EngineOptions options, bool* read_only) {
  return open_as(access, std::move(options), read_only,
                 [](const EngineOptions& o) { return Engine(o); });
}

sql::Database open_tables(Access access, EngineOptions options) {
  return open_as(access, std::move(options), nullptr,
                 [](const EngineOptions& o) { return open_database(o); });
}

}  // namespace hebb::api
