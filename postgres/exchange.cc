#include "postgres/exchange.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <new>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <poll.h>

#include "postgres/errors.h"

namespace hebb::postgres {
namespace {

constexpr std::chrono::milliseconds kLookAgain{50};

// Whether the socket is ready before the deadline, or has failed, which libpq then finds out.
bool wait_for_socket(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const auto most = std::min<decltype(left)>(left, 60'000);
    pollfd fd{socket, events, 0};
    const int ready = poll(&fd, 1, static_cast<int>(std::max<decltype(left)>(most, 0)));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    if (left <= 0) return false;
  }
}

struct FreeOptions {
  void operator()(void* options) const { libpq().PQconninfoFree(options); }
};

void check_conninfo(const std::string& conninfo) {
  char* message = nullptr;
  const std::unique_ptr<void, FreeOptions> options(
      libpq().PQconninfoParse(conninfo.c_str(), &message));
  if (options) return;
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

// The words before dbname may be said otherwise in conninfo; those behind it may not.
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

void ignore_notice(void*, const char*) {}

}  // namespace

OwnedConnection connect(const std::string& conninfo, int timeout_ms, Clock::time_point deadline) {
  const Libpq& pq = libpq();
  check_conninfo(conninfo);
  auto made = start(conninfo, timeout_ms);
  if (pq.PQstatus(made.get()) == ConnectionStatus::bad) {
    throw error_of_connecting(made.get(), conninfo, false);
  }
  pq.PQsetNoticeProcessor(made.get(), ignore_notice, nullptr);
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

OwnedResult next_result(pg_conn* connection, std::chrono::milliseconds patience) {
  const Libpq& pq = libpq();
  auto deadline = Clock::now() + patience;
  // What has been decrypted ahead is not seen by waiting for the socket.
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
  // While it is busy, PQgetResult would wait; once it is broken, it says what came before that.
  const bool broken = pq.PQstatus(connection) == ConnectionStatus::bad;
  if (!broken && pq.PQisBusy(connection)) throw error_of_broken(connection);
  OwnedResult result(pq.PQgetResult(connection));
  if (!result && pq.PQstatus(connection) == ConnectionStatus::bad) {
    throw error_of_broken(connection);
  }
  return result;
}

}  // namespace hebb::postgres
