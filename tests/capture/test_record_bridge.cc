// The recorder's bridge to a server behind HTTP: where what it calls throws, and where a server is
// slow to read, to accept or to answer. Each test ends whether or not the bridge waits too long.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

// A bridge and what it delivers.
class BridgeClient {
 public:
  BridgeClient(const RawServer& server, BridgeLimits limits)
      : done(done_.get_future()),
        bridge(parse_http_url(server.url(), ""), {},
               {.deliver = [this](const std::string& line) { return add(line); },
                .session = [](std::string_view) {},
                .warn = [this](std::string_view what) { add(fmt::format("warning: {}\n", what)); },
                .sent = [] {},
                .done = [this] { done_.set_value(); }},
               limits) {}
  ~BridgeClient() {
    bridge.stop();
    done.wait();
  }

  // The next line that was delivered, or a warning; "" if none comes.
  std::string hear() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kTooLong, [&] { return !lines_.empty(); })) return "";
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  bool add(std::string line) {
    line.pop_back();
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::promise<void> done_;

 public:
  std::future<void> done;  // when the bridge has ended
  HttpBridge bridge;
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
  client.bridge.send(kInitialize);
  CHECK(client.hear() == kSettled);
  client.bridge.send(kInitialized);
  client.bridge.send(ping(1));
  CHECK(client.hear() == pong(1));
  client.bridge.close();  // a stream on which all was answered keeps nobody
  CHECK(is_there(client.done));
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
    client.bridge.send(ping(1, kLarge));
    client.bridge.send(ping(2));
    CHECK(client.hear() == pong(2));
    client.bridge.send(cancel(1));
    client.bridge.send(ping(3));
    CHECK(client.hear() == pong(3));
    release.set_value();
    CHECK(is_there(is_closed));
    client.bridge.close();
    CHECK(is_there(client.done));
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
    client.bridge.send(ping(1, kLarge));
    client.bridge.send(ping(2, kLarge));
    CHECK_THAT(error_in(client.hear()), Catch::Contains("the server does not read"));
    client.bridge.send(ping(3));
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
  client.bridge.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  client.bridge.send(ping(1));
  CHECK(client.hear() == pong(1));
  client.bridge.close();
  CHECK(is_there(client.done));
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
  client.bridge.send(kInitialized);
  client.bridge.send(ping(1));
  CHECK(is_there(has_arrived));
  // While a request of another client comes and goes, the one that waits does not come.
  BridgeClient other(server, {});
  other.bridge.send(ping(2));
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
    client.bridge.send(kInitialize);
    client.bridge.send(ping(2));
    CHECK(client.hear() == pong(2));
  }
  SECTION("the end") {
    client.bridge.send(ping(1));
    client.bridge.close();
    CHECK(error_in(client.hear()) == "the client closed, and no answer came within 0.05 s");
  }
  client.bridge.close();
  CHECK(is_there(client.done));
}

TEST_CASE("bridge: an answer that the client is slow to take gets no error beside it at the end") {
  std::promise<void> delivering, deleted, done;
  auto is_delivering = delivering.get_future(), is_deleted = deleted.get_future();
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.body == ping(1)) return answer(heard, wire);
    if (heard.method == "DELETE") deleted.set_value();
    wire.answer(200, "application/json", pong(0), "Mcp-Session-Id: m-1\r\n");
  });
  std::mutex mutex;
  Lines delivered;
  std::size_t at_end = 0;
  HttpBridge bridge(parse_http_url(server.url(), ""), {},
                    {.deliver =
                         [&](const std::string& line) {
                           if (line == pong(1) + "\n") {
                             delivering.set_value();
                             is_there(is_deleted);  // the bridge has given up waiting for answers
                           }
                           const std::lock_guard lock(mutex);
                           delivered.push_back(line);
                           return true;
                         },
                     .session = [](std::string_view) {},
                     .warn = [](std::string_view) {},
                     .sent = [] {},
                     .done =
                         [&] {
                           {
                             const std::lock_guard lock(mutex);
                             at_end = delivered.size();
                           }
                           done.set_value();
                         }},
                    {.silence = milliseconds(50)});
  bridge.send(kInitialize);
  bridge.send(ping(1));
  CHECK(is_there(is_delivering));
  bridge.close();
  done.get_future().wait();
  const std::lock_guard lock(mutex);
  CHECK(delivered == Lines{pong(0) + "\n", pong(1) + "\n"});
  CHECK(at_end == delivered.size());
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
    client.bridge.send(ping(id));
    CHECK(client.hear() == pong(id));
  }
  for (int id = 10; id < 13; ++id) client.bridge.send(ping(id));
  CHECK(error_in(client.hear()) == "2 messages wait for their answers already");
}

TEST_CASE("bridge: a line that fails in the recorder is answered, and the next one goes through") {
  const RawServer server([](const Heard& heard, Wire& wire) { answer(heard, wire); });
  std::mutex mutex;
  Lines delivered, warnings;
  std::promise<void> done;
  HttpBridge bridge(parse_http_url(server.url(), ""), {},
                    {.deliver =
                         [&](const std::string& line) {
                           if (line == pong(1) + "\n") throw 42;
                           const std::lock_guard lock(mutex);
                           delivered.push_back(line);
                           return true;
                         },
                     .session = [](std::string_view) {},
                     .warn =
                         [&](std::string_view what) {
                           const std::lock_guard lock(mutex);
                           warnings.emplace_back(what);
                           throw 42;
                         },
                     .sent = [] {},
                     .done = [&] { done.set_value(); }});
  bridge.send(ping(1));
  bridge.send(ping(2));
  bridge.close();
  done.get_future().wait();
  CHECK(warnings == Lines{"an unknown failure"});
  std::sort(delivered.begin(), delivered.end());
  REQUIRE(delivered.size() == 2);
  const auto failed = json::parse(delivered[0]);
  CHECK(failed.at("id") == 1);
  CHECK(failed.at("error").at("message") == "an unknown failure");
  CHECK(json::parse(delivered[1]) == json::parse(pong(2)));
}

}  // namespace hebb::capture::test::bridge
