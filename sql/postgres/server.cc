#include "sql/postgres/server.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "sql/server_queries.h"

namespace hebb::postgres {

namespace {

namespace text = sql::server;

// The schema itself is version 1; each step leads to the next.
constexpr std::span<const SchemaStep> kSteps;

int newest_of(std::span<const SchemaStep> steps) {
  return steps.empty() ? 1 : steps.back().version;
}

void require_known(int version, int newest) {
  if (version <= newest) return;
  throw sql::NewerSchema(
      fmt::format("the schema on the server has version {}, and this program knows those up to {}: "
                  "use a newer program",
                  version, newest));
}

// The version of hebb's schema on the server; 0: there is none.
int version_of(Connection& connection) {
  const Result result = connection.ask(text::schema_version);
  if (result.text(0, 1) != "UTF8") {
    throw Error("", false,
                fmt::format("the database on the server is encoded in {}; hebb needs UTF8: make "
                            "one by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
                            result.text(0, 1)));
  }
  if (result.integer(0, 0) == 0) return 0;
  return static_cast<int>(connection.ask(text::version).integer(0, 0));
}

}  // namespace

int Patience::left_ms() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
  return std::max(static_cast<int>(left.count()), 0);
}

bool Patience::wait() {
  constexpr std::chrono::milliseconds kLongest{250};
  if (left_ms() <= pause_.count()) return false;
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(2 * pause_, kLongest);
  return true;
}

int schema_version() { return newest_of(kSteps); }

void migrate(Connection& connection, const char* newest, std::span<const SchemaStep> steps) {
  connection.run("BEGIN");
  try {
    connection.run("SELECT pg_advisory_xact_lock(hashtextextended('hebb schema', 0))");
    int version = version_of(connection);
    require_known(version, newest_of(steps));
    if (version == 0) connection.run(newest);
    for (const SchemaStep& step : steps) {
      if (version == 0 || step.version <= version) continue;
      connection.run(step.sql);
      connection.run(fmt::format(fmt::runtime(text::set_version), step.version));
    }
    connection.run("COMMIT");
  } catch (...) {
    try {
      connection.run("ROLLBACK");
    } catch (const Error&) {  // it is gone, and its transaction with it
    }
    throw;
  }
}

std::string schema_script() {
  return fmt::format("BEGIN;\n{}\n{}COMMIT;\n", text::schema, text::roles);
}

// The connection's timeout is the longest patience of its callers so far.
Connection& Server::connection(Patience& patience) {
  while (!connection_) {
    try {
      timeout_ms_ = std::max(patience.left_ms(), 1);
      connection_.emplace(address_.conninfo, timeout_ms_);
    } catch (const Error& e) {
      if (!e.lost() || !patience.wait()) throw;
      continue;
    }
    require_schema();
  }
  if (timeout_ms_ < patience.whole_ms()) {
    connection_->set_timeout(patience.whole_ms());
    timeout_ms_ = patience.whole_ms();
  }
  return *connection_;
}

void Server::require_schema() {
  try {
    const int version = version_of(*connection_);
    require_known(version, schema_version());
    if (version != 0 && version < schema_version()) migrate(*connection_, text::schema, kSteps);
  } catch (...) {
    connection_.reset();
    throw;
  }
}

std::vector<Result> Server::ask(std::vector<Request> requests, Patience& patience) {
  try {
    return connection(patience).ask(std::move(requests));
  } catch (const Error& e) {
    if (e.lost()) connection_.reset();
    throw;
  }
}

Result Server::ask(const char* sql, Arguments arguments, Patience& patience) {
  std::vector<Request> one;
  one.push_back({sql, std::move(arguments)});
  return std::move(ask(std::move(one), patience).front());
}

void Server::create(Patience& patience) {
  Connection& to = connection(patience);
  if (version_of(to) == 0) migrate(to, text::schema, kSteps);
  // A user who may write to a ledger may lack the right to make one.
  if (to.ask(text::head, std::move(Arguments().text(address_.ledger))).rows() > 0) return;
  to.ask(text::create_ledger, std::move(Arguments().text(address_.ledger)));
}

bool Server::lacks_schema(const Error& e) {
  constexpr std::string_view kStates[] = {"3F000", "42P01", "42883", "P0002"};
  return std::find(std::begin(kStates), std::end(kStates), e.sqlstate()) != std::end(kStates);
}

sql::UpstreamError Server::as_sql(const Error& e) const {
  const auto is = [&](std::string_view state) { return e.sqlstate() == state; };
  if (lacks_schema(e)) return no_ledger();
  const int code = e.lost() || e.waited()                      ? sql::kBusy
                   : is("42501") || is("55000") || is("25006") ? sql::kReadOnly
                                                               : sql::kFailed;
  const char* then = e.lost()     ? "; nothing was changed: try again when the server answers"
                     : e.waited() ? "; others are writing: try again"
                                  : "";
  return {code, fmt::format("{}: {}{}", address_.shown, e.what(), then)};
}

sql::UpstreamError Server::no_ledger() const {
  return {sql::kCannotOpen,
          fmt::format("there is no ledger \"{0}\" at {1}, or it is not for this user (its "
                      "hebb.member); `hebb --db '{1}' init` makes one that is not there",
                      address_.ledger, address_.shown)};
}

}  // namespace hebb::postgres
