// The recorder's bridge to a server behind HTTP: where what it calls throws, and where a server is
// slow to read, to accept or to answer. Each test ends whether or not the bridge waits too long.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/record/http_bridge.h"
#include "tests/support/raw_server.h"

namespace hebb::capture::test::bridge {
namespace {

using hebb::test::Heard;
using hebb::test::RawServer;
using hebb::test::Wire;
using nlohmann::json;
using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

constexpr std::chrono::seconds kTooLong{20};
constexpr milliseconds kNever{600'000};
constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string ping(int id, std::string_view padding = "") {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"ping","params":{{"x":"{}"}}}})", id,
                     padding);
}
std::string cancel(int id) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})", id);
}
std::string pong(int id) { return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{}}}})", id); }

bool tells(const Heard& heard) { return heard.body.find("notifications/") != std::string::npos; }
void answer(const Heard& heard, Wire& wire) {
  wire.answer(200, "application/json", pong(json::parse(heard.body).at("id").get<int>()));
}

template <class T>
bool is_there(std::future<T>& future) {
  return future.wait_for(kTooLong) == std::future_status::ready;
}

// A bridge, and what the client at its socket gets.
class BridgeClient {
 public:
  BridgeClient(const RawServer& server, BridgeLimits limits, HttpBridge::Events events)
      : bridge(parse_http_url(server.url(), ""), {}, std::move(events), limits) {}
  BridgeClient(const RawServer& server, BridgeLimits limits)
      : BridgeClient(server, limits, {[](std::string_view) {}, [](std::string_view) {}}) {}
  ~BridgeClient() {
    bridge.close_out();
    while (!bridge.ended()) hear();
  }

  void send(std::string line) {
    line += '\n';
    for (std::string_view left = line; !left.empty();) {
      const ssize_t written = ::send(bridge.in(), left.data(), left.size(), MSG_NOSIGNAL);
      if (written <= 0) return;
      left.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  // The next line; "" if none comes.
  std::string hear() {
    for (;;) {
      if (const std::size_t end = came_.find('\n'); end != std::string::npos) {
        std::string line = came_.substr(0, end);
        came_.erase(0, end + 1);
        return line;
      }
      if (!read_more()) return "";
    }
  }

  // Waits until there is something to hear.
  void await_output() {
    pollfd there{bridge.out(), POLLIN, 0};
    REQUIRE(poll(&there, 1, static_cast<int>(milliseconds(kTooLong).count())) == 1);
  }

  // Closes the client's end; true: the bridge ends.
  bool ends() {
    bridge.close_in();
    while (read_more()) {
    }
    return bridge.ended();
  }

  HttpBridge bridge;

 private:
  bool read_more() {
    pollfd there{bridge.out(), POLLIN, 0};
    char bytes[65536];
    const int wait = static_cast<int>(milliseconds(kTooLong).count());
    const ssize_t got = poll(&there, 1, wait) == 1 ? read(bridge.out(), bytes, sizeof bytes) : 0;
    if (got > 0) came_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  std::string came_;
};

std::string error_in(const std::string& line) {
  const json message = json::parse(line, nullptr, false);
  return message.contains("error") ? message["error"]["message"].get<std::string>() : "";
}

// More than the kernel holds between two ends of a connection.
const std::string kLarge(std::size_t{24} << 20, 'x');

bool is_small(const Heard& heard) {
  const std::string length = heard.header("content-length");
  return length.empty() || std::stoul(length) < (1u << 20);
}

}  // namespace

TEST_CASE("bridge: what follows initialize waits for its answer, not for the end of its stream") {
  constexpr const char* kSettled =
      R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}})";
  std::promise<void> next, closed;
  auto next_came = next.get_future(), is_closed = closed.get_future();
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.method == "DELETE") return wire.answer(200, "", "");
    if (heard.method == "GET") return wire.answer(405, "", "");
    if (tells(heard)) {
      next.set_value();
      return wire.accepted();
    }
    if (heard.body != kInitialize) return answer(heard, wire);
    wire.begin_events("Mcp-Session-Id: m-1\r\n");
    wire.event(kSettled);
    if (!is_there(next_came)) return wire.end_events();
    wire.wait_closed();
    closed.set_value();
  });
  BridgeClient client(server, {});
  client.send(kInitialize);
  CHECK(client.hear() == kSettled);
  client.send(kInitialized);
  client.send(ping(1));
  CHECK(client.hear() == pong(1));
  CHECK(client.ends());  // a stream on which all was answered keeps nobody
  CHECK(is_there(is_closed));
  for (const Heard& heard : server.heard()) {
    const bool first = heard.body == kInitialize;
    CHECK(heard.header("mcp-session-id") == (first ? "" : "m-1"));
    CHECK(heard.header("mcp-protocol-version") == (first ? "" : "2025-06-18"));
  }
}

TEST_CASE("bridge: a body that the server does not read blocks no other line; a cancel closes it") {
  std::promise<void> release, closed;
  auto released = release.get_future();
  auto is_closed = closed.get_future();
  const RawServer server(
      [&](const Heard& heard, Wire& wire) {
        if (!heard.body.empty()) return tells(heard) ? wire.accepted() : answer(heard, wire);
        released.wait_for(kTooLong);  // only who reads sees that the other side has closed
        wire.wait_closed();
        closed.set_value();
      },
      is_small);
  {
    BridgeClient client(server, {.order = milliseconds(10)});
    client.send(ping(1, kLarge));
    client.send(ping(2));
    CHECK(client.hear() == pong(2));
    client.send(cancel(1));
    client.send(ping(3));
    CHECK(client.hear() == pong(3));
    release.set_value();
    CHECK(is_there(is_closed));
    CHECK(client.ends());
  }
  // The server is told, too, in case that it has read the request after all.
  const Lines posts = server.bodies("POST");
  CHECK(std::count(posts.begin(), posts.end(), cancel(1)) == 1);
}

TEST_CASE("bridge: of bodies that the server does not read, only so many bytes wait") {
  std::promise<void> release;
  auto released = release.get_future().share();
  const RawServer server(
      [&](const Heard& heard, Wire& wire) {
        heard.body.empty() ? released.wait() : answer(heard, wire);
      },
      is_small);
  {
    BridgeClient client(server, {.order = milliseconds(1), .unsent_bytes = kLarge.size() + 4096});
    client.send(ping(1, kLarge));
    client.send(ping(2, kLarge));
    CHECK_THAT(error_in(client.hear()), Catch::Contains("the server does not read"));
    client.send(ping(3));
    CHECK(client.hear() == pong(3));
  }
  release.set_value();
}

TEST_CASE("bridge: a notification that is accepted late does not hold up the next line") {
  std::promise<void> next;
  auto next_came = next.get_future();
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (!tells(heard)) {
      next.set_value();
      return answer(heard, wire);
    }
    if (is_there(next_came)) wire.accepted();
  });
  BridgeClient client(server, {.order = milliseconds(10)});
  client.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  client.send(ping(1));
  CHECK(client.hear() == pong(1));
  CHECK(client.ends());
  CHECK(server.bodies("POST").size() == 2);
}

TEST_CASE("bridge: requests wait until the notification `initialized` was accepted") {
  std::promise<void> arrived, release;
  auto has_arrived = arrived.get_future(), released = release.get_future();
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.method == "GET") return wire.answer(405, "", "");
    if (!tells(heard)) return answer(heard, wire);
    arrived.set_value();
    if (is_there(released)) wire.accepted();
  });
  BridgeClient client(server, {.order = milliseconds(0)});
  client.send(kInitialized);
  client.send(ping(1));
  CHECK(is_there(has_arrived));
  // While a request of another client comes and goes, the one that waits does not come.
  BridgeClient other(server, {});
  other.send(ping(2));
  CHECK(other.hear() == pong(2));
  CHECK(server.bodies("POST") == Lines{kInitialized, ping(2)});
  release.set_value();
  CHECK(client.hear() == pong(1));
  CHECK(server.bodies("POST") == Lines{kInitialized, ping(2), ping(1)});
}

TEST_CASE("bridge: a server that never answers keeps neither the next line nor the end for ever") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    if (heard.body == ping(2)) return answer(heard, wire);
    wire.wait_closed();
  });
  BridgeClient client(server, {.silence = milliseconds(50)});
  SECTION("the next line, after initialize") {
    client.send(kInitialize);
    client.send(ping(2));
    CHECK(client.hear() == pong(2));
  }
  SECTION("the end") {
    client.send(ping(1));
    client.bridge.close_in();
    CHECK(error_in(client.hear()) == "the client closed, and no answer came within 0.05 s");
  }
  CHECK(client.ends());
}

TEST_CASE("bridge: an answer that the client is slow to take gets no error beside it at the end") {
  // More than the socket holds, so that it is on its way until the client reads.
  const std::string large =
      fmt::format(R"({{"jsonrpc":"2.0","id":1,"result":{{"x":"{}"}}}})", kLarge);
  std::promise<void> deleted;
  auto is_deleted = deleted.get_future();
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.body == ping(1)) return wire.answer(200, "application/json", large);
    if (heard.method == "DELETE") deleted.set_value();
    wire.answer(200, "application/json", pong(0), "Mcp-Session-Id: m-1\r\n");
  });
  BridgeClient client(server, {.silence = milliseconds(50)});
  client.send(kInitialize);
  CHECK(client.hear() == pong(0));
  client.send(ping(1));
  client.await_output();
  client.bridge.close_in();
  CHECK(is_there(is_deleted));  // the bridge has given up waiting for answers
  CHECK_FALSE(client.bridge.ended());
  const bool whole = client.hear() == large;
  CHECK(whole);
  CHECK(client.hear() == "");
  CHECK(client.bridge.ended());
}

TEST_CASE("bridge: streams that a server leaves open count only while an answer is due") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    wire.begin_events();
    const int id = json::parse(heard.body).at("id").get<int>();
    if (id < 10) wire.event(pong(id));
    wire.wait_closed();
  });
  BridgeClient client(server, {.order = kNever, .at_once = 2});
  for (int id = 1; id < 10; ++id) {
    client.send(ping(id));
    CHECK(client.hear() == pong(id));
  }
  for (int id = 10; id < 13; ++id) client.send(ping(id));
  CHECK(error_in(client.hear()) == "2 messages wait for their answers already");
}

TEST_CASE("bridge: a line that fails in the recorder is answered, and the next one goes through") {
  const RawServer server([](const Heard& heard, Wire& wire) { answer(heard, wire); });
  std::mutex mutex;
  Lines warnings;
  BridgeClient client(server, {},
                      {.session = [](std::string_view) { throw 42; },
                       .warn =
                           [&](std::string_view what) {
                             const std::lock_guard lock(mutex);
                             warnings.emplace_back(what);
                             throw 42;
                           }});
  client.send(kInitialize);
  const auto failed = json::parse(client.hear());
  CHECK(failed.at("id") == 0);
  CHECK(failed.at("error").at("message") == "an unknown failure");
  client.send(ping(2));
  CHECK(json::parse(client.hear()) == json::parse(pong(2)));
  CHECK(client.ends());
  CHECK(warnings == Lines{"an unknown failure"});
}

}  // namespace hebb::capture::test::bridge
