#include "api/open.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "api/problem.h"
#include "engine/values/times.h"
#include "sql/postgres/copy.h"
#include "sql/upstream.h"

namespace hebb::api {

namespace fs = std::filesystem;

bool has_database(const std::string& path) {
  if (postgres::is_address(path)) return postgres::has_copy(postgres::read_address(path));
  std::error_code ec;
  return fs::exists(path, ec);
}

namespace {

void require_database(const std::string& path) {
  if (postgres::is_address(path) || has_database(path)) return;
  std::error_code ec;
  const fs::path folder = fs::absolute(path, ec).parent_path();
  const std::string make_folder =
      fs::exists(folder, ec) ? "" : fmt::format("mkdir -p {} && ", folder.string());
  throw problem(ProblemType::no_database, "",
                "there is no database at {0}; make it with `{1}hebb --db {0} init`, or name "
                "another with --db or HEBB_DB",
                path, make_folder);
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

// Calls open(options); where only reading is possible, again with read_only set.
template <class Open>
auto open_as(Access access, EngineOptions options, bool& read_only, Open open) {
  options.create = access == Access::write;
  options.read_only = read_only = false;
  if (!options.create) require_database(options.path);
  std::string unwritable;  // why
  try {
    return open(options);
  } catch (const sql::NotOurs&) {
    throw;
  } catch (const sql::Error& e) {
    if (postgres::is_address(options.path)) {
      if (!e.cannot_open()) throw;
      throw Problem(ProblemType::no_database, e.what());
    }
    if (!e.unwritable() || e.gone() || !has_database(options.path)) throw;
    unwritable = why_unwritable(options.path, e);
    if (access != Access::read) {
      throw problem(ProblemType::read_only, "",
                    "{} cannot be written, and this would change it: {}", options.path, unwritable);
    }
  }
  options.read_only = read_only = true;
  try {
    return open(options);
  } catch (const sql::Error& e) {
    if (!e.unwritable() || e.cannot_open() || e.gone()) throw;
    throw problem(ProblemType::read_only, "", "{}; it cannot be written: {}", e.what(), unwritable);
  }
}

}  // namespace

std::string shown_path(const std::string& given) {
  return postgres::is_address(given) ? postgres::read_address(given).shown : given;
}

std::vector<std::string> secret_addresses(std::span<const std::string_view> words) {
  std::vector<std::string> addresses;
  for (std::string_view word : words) {
    if (word.starts_with("--")) word.remove_prefix(std::min(word.find('=') + 1, word.size()));
    // Words such as "user = ann" occur in any text.
    const auto has = [&](std::string_view part) { return word.find(part) != word.npos; };
    const bool has_login = has("password") && (has("host") || has("user") || has("dbname"));
    if (!postgres::is_address(word) || !(has(":/") || has_login)) continue;
    try {
      if (postgres::read_address(word).shown == word) continue;
    } catch (const postgres::BadAddress&) {
    }
    addresses.emplace_back(word);
  }
  return addresses;
}

std::string without_addresses(std::string text, const std::vector<std::string>& addresses) {
  constexpr std::string_view kInstead = "…";
  for (const std::string& address : addresses)
    for (auto at = text.find(address); at != text.npos; at = text.find(address, at))
      text.replace(at, address.size(), kInstead);
  return text;
}

std::string absolute_path(const std::string& given) {
  if (postgres::is_address(given)) return given;
  std::error_code ec;
  const fs::path absolute = fs::absolute(given, ec);
  return ec ? given : absolute.string();
}

sql::Database open_tables(Access access, EngineOptions options) {
  bool read_only = false;
  return open_as(access, std::move(options), read_only,
                 [](const EngineOptions& o) { return open_database(o); });
}

EngineOptions OpenSession::opening(Access /*access*/) const {
  EngineOptions options = options_.database;
  if (options_.cancelled) options.progress = until_cancelled();
  return options;
}

Progress OpenSession::until_cancelled() const {
  return [this](std::size_t, std::size_t) {
    if (options_.cancelled && options_.cancelled())
      throw Problem(ProblemType::cancelled, "the caller cancelled this");
  };
}

Engine& OpenSession::engine(Access access) {
  Engine& engine = open_engine(access);
  freshen(engine, access);
  return engine;
}

Engine& OpenSession::open_engine(Access access) {
  if (engine_ && tables_of(*engine_).is_writing()) return *engine_;
  if (read_only_ && access != Access::read) engine_.reset();  // the database may be writable by now
  if (std::exchange(lacked_memory_, false)) engine_.reset();
  if (requests_ == 0) leave_lost_copy();
  if (engine_) return *engine_;
  EngineOptions options = opening(access);
  options.warning = [this](const std::string& text) { note("warning: " + text); };
  if (options_.serves && options_.creates && !has_database(options.path)) access = Access::write;
  return engine_.emplace(open_as(access, std::move(options), read_only_,
                                 [](const EngineOptions& o) { return Engine(o); }));
}

// `hebb rescue`, for example, removes a copy, and the next request makes it anew.
void OpenSession::leave_lost_copy() {
  if (!engine_ || !tables_of(*engine_).upstream()) return;
  if (tables_of(*engine_).is_writing()) return;
  try {
    tables_of(*engine_).require_files();
  } catch (const sql::Error& e) {
    if (e.gone()) engine_.reset();
  }
}

std::shared_ptr<void> OpenSession::one_request() {
  if (requests_++ == 0) leave_lost_copy();
  return {nullptr, [this](void*) {
            if (--requests_ == 0) asked_to_write_ = false;
          }};
}

// An outcome hook runs after each commit, so with a hook each call commits by itself.
void OpenSession::in_one_commit(const std::function<void()>& work) {
  if (options_.database.outcome_taken) return work();
  Engine& engine = open_engine(Access::write);
  sql::Transaction whole(tables_of(engine));
  try {
    work();
    if (!tables_of(engine).upstream()) engine.try_sync();  // once for all calls
    whole.commit();
  } catch (...) {
    drop_rolled_back(engine);
    throw;
  }
  try {
    engine.try_sync(kMirroredAtOnce);  // the tables of a copy
  } catch (const std::exception&) {    // all is committed; the next call reports the error
  }
}

sql::Database& OpenSession::tables(Access access) {
  if (engine_ || options_.serves) return tables_of(engine(access));
  if (!tables_) tables_.emplace(open_tables(access, opening(access)));
  freshen(*tables_, access);
  return *tables_;
}

// A write brings the tables up to date by itself.
void OpenSession::freshen(Engine& engine, Access access) {
  sql::Database& database = tables_of(engine);
  if (!database.upstream() || database.in_transaction()) return;
  freshen(database, access);
  if (access == Access::read && engine.ledger().last_position() > 0)
    engine.try_sync(options_.serves ? kMirroredAtOnce : 0);
}

// A write first looks up the nodes that it names, and must find those that others just made.
void OpenSession::freshen(sql::Database& database, Access access) {
  if (!database.upstream() || database.in_transaction() || asked_to_write_) return;
  const double behind_s = access == Access::write ? 0 : options_.serves ? 0.2 : 1;
  const auto why = database.upstream()->freshen(database, behind_s);
  if (why && *why != not_fresh_) note(fmt::format("{}: this is as of when it last answered", *why));
  not_fresh_ = why.value_or("");
  asked_to_write_ = requests_ > 0 && access == Access::write;
}

std::string OpenSession::path() const { return shown_path(given_path()); }

std::string OpenSession::file() const {
  const std::string path = given_path();
  return postgres::is_address(path) ? postgres::read_address(path).copy : path;
}

TimeMs OpenSession::now() const { return options_.now ? *options_.now : clock_now(); }

Progress OpenSession::progress(const std::string& /*what*/) { return until_cancelled(); }

}  // namespace hebb::api
