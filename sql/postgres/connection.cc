#include "sql/postgres/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <tuple>

#include <fmt/format.h>
#include <poll.h>

#include "sql/postgres/errors.h"

namespace hebb::postgres {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The server cancels a statement that takes too long; this much later its error may arrive.
constexpr milliseconds kGrace{5000};

// The server ends the session of a client that is gone: by the keepalives while it waits for the
// client, by kNoticeGone while it runs a statement or waits for a lock. A client that is silent
// within a transaction holds up others for a minute at most. A prepared statement is planned only
// once, and always by keys, even if the table was small at that time.
constexpr const char* kSettings =
    "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; "
    "SET tcp_keepalives_count = 3; SET idle_in_transaction_session_timeout = 60000; "
    "SET default_transaction_isolation = 'read committed'; "
    "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; "
    "SET enable_bitmapscan = off; SET jit = off; SET row_security = on; ";
// Unknown before version 14, and refused on some systems.
constexpr const char* kNoticeGone = "SET client_connection_check_interval = 1000; ";

constexpr const char* kNoSession =
    ": a pooler between here and the server does not keep sessions; let it do so (pgbouncer: "
    "pool_mode = session), or give the address of the server";
constexpr const char* kNoCopy = "COPY to or from a client is not possible here";

// A random number: if a pooler gives one client's session to another, no client runs a statement of
// the other.
std::size_t first_name() {
  const Uuid uuid = random_uuid();
  std::uint32_t number = 0;
  std::memcpy(&number, uuid.data(), sizeof number);
  return number;
}

// "commit_7": its first word shows in the server's log.
std::string name_of(std::string_view sql, std::size_t number) {
  std::string name;
  for (const char c : sql.substr(std::min(sql.find_first_not_of(" \n"), sql.size()))) {
    const char lower = static_cast<char>(c | 0x20);
    if (lower < 'a' || lower > 'z' || name.size() == 16) break;
    name += lower;
  }
  return fmt::format("{}_{}", name, number);
}

int at_least_1(int ms) { return std::max(ms, 1); }

bool has_rows_or_none(ResultStatus status) {
  return status == ResultStatus::command_ok || status == ResultStatus::tuples_ok ||
         status == ResultStatus::empty_query;
}

// --- waiting for the server, for a limited time --------------------------------------------------

constexpr milliseconds kLookAgain{50};

// Whether the socket is ready before the deadline, or has failed, which libpq then finds out.
bool wait_for_socket(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    const auto most = std::min<decltype(left)>(left, 60'000);
    pollfd fd{socket, events, 0};
    const int ready = poll(&fd, 1, static_cast<int>(std::max<decltype(left)>(most, 0)));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    if (left <= 0) return false;
  }
}

void check_conninfo(const std::string& conninfo) {
  char* message = nullptr;
  void* const options = libpq().PQconninfoParse(conninfo.c_str(), &message);
  if (options) return libpq().PQconninfoFree(options);
  const std::string text = message ? message : "out of memory";
  libpq().PQfreemem(message);
  throw Error("", false, without_passwords(one_line(text), conninfo));
}

Error no_answer(const pg_conn* connection, int timeout_ms) {
  const auto word = [](const char* text) { return text ? text : ""; };
  return {
      "", true,
      fmt::format("connection to server at \"{}\", port {} failed: no answer within {} ms",
                  word(libpq().PQhost(connection)), word(libpq().PQport(connection)), timeout_ms)};
}

// conninfo may replace the parameters before dbname, not those behind it.
OwnedConnection start(const std::string& conninfo, int timeout_ms) {
  const std::string unacknowledged = std::to_string(timeout_ms + 5000LL);
  const std::array<std::pair<const char*, const char*>, 7> parameters{{
      {"fallback_application_name", "hebb"},
      {"keepalives_idle", "30"},
      {"keepalives_interval", "10"},
      {"keepalives_count", "3"},
      {"tcp_user_timeout", unacknowledged.c_str()},
      {"dbname", conninfo.c_str()},
      {"client_encoding", "UTF8"},
  }};
  std::array<const char*, parameters.size() + 1> names{}, values{};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::tie(names[i], values[i]) = parameters[i];
  }
  OwnedConnection made(libpq().PQconnectStartParams(names.data(), values.data(), 1));
  if (!made) throw std::bad_alloc();
  return made;
}

OwnedConnection connect(const std::string& conninfo, int timeout_ms, Clock::time_point deadline) {
  const Libpq& pq = libpq();
  check_conninfo(conninfo);
  auto made = start(conninfo, timeout_ms);
  if (pq.PQstatus(made.get()) == ConnectionStatus::bad) {
    throw error_of_connecting(made.get(), conninfo, false);
  }
  pq.PQsetNoticeProcessor(
      made.get(), [](void*, const char*) {}, nullptr);
  pq.PQsetErrorVerbosity(made.get(), Verbosity::verbose);  // says the state in the message
  // libpq's own connect_timeout counts only where it waits itself, in whole seconds of at least 2.
  for (Polling step = Polling::writing; step != Polling::ok;) {
    const short events = step == Polling::writing ? POLLOUT : POLLIN;
    if (!wait_for_socket(pq.PQsocket(made.get()), events, deadline)) {
      throw no_answer(made.get(), timeout_ms);
    }
    step = pq.PQconnectPoll(made.get());
    if (step == Polling::failed) throw error_of_connecting(made.get(), conninfo, true);
  }
  pq.PQsetErrorVerbosity(made.get(), Verbosity::normal);
  pq.PQsetnonblocking(made.get(), 1);
  return made;
}

// The next result of what was sent, or null after the last of a statement. Throws Error, lost(), if
// the connection breaks, or if nothing comes or goes for as long as patience.
OwnedResult next_result(pg_conn* connection, milliseconds patience) {
  const Libpq& pq = libpq();
  auto deadline = Clock::now() + patience;
  // Bytes that TLS has decrypted ahead do not make the socket readable.
  const bool encrypted = pq.PQsslInUse(connection) || pq.PQgssEncInUse(connection);
  for (;;) {
    const int unsent = pq.PQflush(connection);
    if (!pq.PQisBusy(connection)) break;
    if (unsent < 0) throw error_of_broken(connection);
    if (encrypted && !pq.PQconsumeInput(connection)) break;
    if (encrypted && !pq.PQisBusy(connection)) break;
    const auto until = encrypted ? std::min(deadline, Clock::now() + kLookAgain) : deadline;
    if (wait_for_socket(pq.PQsocket(connection), unsent > 0 ? POLLIN | POLLOUT : POLLIN, until)) {
      deadline = Clock::now() + patience;
    } else if (Clock::now() >= deadline) {
      throw Error("", true,
                  fmt::format("no answer from the server within {} ms", patience.count()));
    }
    if (!pq.PQconsumeInput(connection)) break;
  }
  // PQgetResult would wait while the connection is busy; once it is broken, it returns the results
  // that came before.
  const bool broken = pq.PQstatus(connection) == ConnectionStatus::bad;
  if (!broken && pq.PQisBusy(connection)) throw error_of_broken(connection);
  OwnedResult result(pq.PQgetResult(connection));
  if (!result && pq.PQstatus(connection) == ConnectionStatus::bad) {
    throw error_of_broken(connection);
  }
  return result;
}

}  // namespace

Connection::Connection(const std::string& conninfo, int timeout_ms)
    : names_(first_name()), timeout_ms_(at_least_1(timeout_ms)) {
  const auto deadline = Clock::now() + milliseconds(timeout_ms_);
  connection_ = connect(conninfo, timeout_ms_, deadline);
  const auto left = [&] {
    return std::max(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds(0));
  };
  try {
    run_within(kSettings + timeouts() + kNoticeGone, left());
  } catch (const Error& error) {
    if (error.lost()) throw;
    run_within(kSettings + timeouts(), left());
  }
}

std::string Connection::timeouts() const {
  return fmt::format("SET lock_timeout = {0}; SET statement_timeout = {0}; ", timeout_ms_);
}

pg_conn* Connection::open() const {
  if (!connection_) throw Error("", true, "the connection to the server is closed");
  return connection_.get();
}

bool Connection::in_transaction() const {
  return connection_ && libpq().PQtransactionStatus(connection_.get()) != TransactionStatus::idle;
}

milliseconds Connection::patience(std::size_t statements) const {
  return milliseconds(timeout_ms_) * static_cast<milliseconds::rep>(statements) + kGrace;
}

void Connection::begin() {
  open();
  if (timeout_unsure_ && !in_transaction()) {
    timeout_unsure_ = false;
    run_within(timeouts(), patience(1));
  }
}

void Connection::set_timeout(int ms) {
  open();
  timeout_ms_ = at_least_1(ms);
  timeout_unsure_ = in_transaction();
  // The server takes no statement in a failed transaction; begin() sets the timeouts later.
  if (libpq().PQtransactionStatus(open()) == TransactionStatus::in_error) return;
  run_within(timeouts(), patience(1));
}

// --- one statement and several -------------------------------------------------------------------

Result Connection::ask(const char* sql, Arguments arguments) {
  std::vector<Request> requests;
  requests.push_back({sql, std::move(arguments)});
  return std::move(ask(std::move(requests)).front());
}

std::vector<Result> Connection::ask(std::vector<Request> requests) {
  begin();
  if (requests.empty()) return {};
  const Libpq& pq = libpq();
  std::vector<Sent> sent;
  try {
    if (pq.PQpipelineStatus(open()) == PipelineStatus::off && !pq.PQenterPipelineMode(open())) {
      throw error_of_broken(open());
    }
    for (const Request& request : requests) send(request, sent);
    if (!pq.PQpipelineSync(open())) throw error_of_broken(open());
    return receive(sent);
  } catch (const Error& error) {
    if (error.lost()) connection_.reset();
    std::erase_if(prepared_, [](const auto& one) { return !one.second.ready; });
    throw;
  } catch (...) {
    connection_.reset();
    throw;
  }
}

void Connection::send(const Request& request, std::vector<Sent>& sent) {
  const Libpq& pq = libpq();
  const auto& arguments = request.arguments.values();
  const auto count = static_cast<int>(arguments.size());
  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const auto& value : arguments) {
    types.push_back(value.type);
    values.push_back(value.bytes.c_str());
    lengths.push_back(static_cast<int>(value.bytes.size()));
  }
  const auto [at, is_new] = prepared_.try_emplace({request.sql, types});
  Prepared& prepared = at->second;
  if (is_new) {
    prepared.name = name_of(request.sql, names_++);
    if (!pq.PQsendPrepare(open(), prepared.name.c_str(), request.sql, count, types.data())) {
      throw error_of_broken(open());
    }
    sent.push_back({&prepared, true});
  }
  const std::vector<int> binary(arguments.size(), 1);
  if (!pq.PQsendQueryPrepared(open(), prepared.name.c_str(), count, values.data(), lengths.data(),
                              binary.data(), 1)) {
    throw error_of_broken(open());
  }
  sent.push_back({&prepared, false});
}

// Everything up to the synchronization point is read, whatever failed, so that the connection can
// be used again.
std::vector<Result> Connection::receive(const std::vector<Sent>& sent) {
  const Libpq& pq = libpq();
  std::vector<Result> results;
  std::optional<Error> failed;
  bool at_end = false;  // of a statement's results
  for (std::size_t i = 0;;) {
    OwnedResult result = next_result(open(), patience(sent.size() - i + 1));
    if (!result) {
      if (at_end) throw error_of_broken(open());
      at_end = true;
      i += i < sent.size();  // behind the last there may be an error of the commit
      continue;
    }
    at_end = false;
    const ResultStatus status = pq.PQresultStatus(result.get());
    if (status == ResultStatus::pipeline_sync) break;
    if (status == ResultStatus::pipeline_aborted) continue;
    if (!has_rows_or_none(status)) {
      if (status != ResultStatus::fatal_error) throw Error("", true, kNoCopy);
      Error error = error_of(result.get(), open());
      // A statement whose tables have changed, or that somebody has deallocated, is prepared anew.
      const bool unknown = error.sqlstate() == "26000",
                 stale = error.sqlstate() == "0A000" || unknown;
      if (unknown) error = Error(error.sqlstate(), false, error.what() + std::string(kNoSession));
      if (stale && i < sent.size()) sent[i].statement->ready = false;
      if (error.lost()) throw error;
      if (!failed) failed = error;
    } else if (i < sent.size() && sent[i].prepares) {
      sent[i].statement->ready = true;
    } else {
      results.emplace_back(std::move(result));
    }
  }
  if (failed) throw *failed;
  return results;
}

// --- statements as text --------------------------------------------------------------------------

void Connection::run(const std::string& sql) {
  begin();
  // At most one more statement than semicolons; each may take the whole timeout, and all answers
  // arrive together.
  run_within(sql, patience(1 + static_cast<std::size_t>(std::count(sql.begin(), sql.end(), ';'))));
}

void Connection::run_within(const std::string& sql, milliseconds patience) {
  const Libpq& pq = libpq();
  std::optional<Error> failed;
  try {
    if (pq.PQpipelineStatus(open()) != PipelineStatus::off && !pq.PQexitPipelineMode(open())) {
      throw error_of_broken(open());
    }
    if (!pq.PQsendQuery(open(), sql.c_str())) throw error_of_broken(open());
    while (OwnedResult result = next_result(open(), patience)) {
      const ResultStatus status = pq.PQresultStatus(result.get());
      if (has_rows_or_none(status)) continue;
      if (status != ResultStatus::fatal_error) throw Error("", true, kNoCopy);
      if (!failed) failed = error_of(result.get(), open());
      if (failed->lost()) throw *failed;
    }
  } catch (const Error& error) {
    if (error.lost()) connection_.reset();
    throw;
  } catch (...) {
    connection_.reset();
    throw;
  }
  if (failed) throw *failed;
}

}  // namespace hebb::postgres
