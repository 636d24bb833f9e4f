// The recorder's bridge to a server behind HTTP, where what it calls throws.
#include <algorithm>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "capture/record/http_bridge.h"
#include "tests/support/raw_server.h"

namespace hebb::capture::test {
namespace {

using hebb::test::Heard;
using hebb::test::RawServer;
using hebb::test::Wire;

constexpr const char* kFailing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* kNext = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
constexpr const char* kFailingResult = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr const char* kNextResult = R"({"jsonrpc":"2.0","id":2,"result":{}})";

}  // namespace

TEST_CASE("a line that fails in the recorder is answered, and the next one goes through") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    wire.answer(200, "application/json", heard.body == kFailing ? kFailingResult : kNextResult);
  });
  std::mutex mutex;
  std::vector<std::string> delivered, warnings;
  std::promise<void> done;
  HttpBridge bridge(parse_http_url(server.url(), ""), {},
                    {.deliver =
                         [&](const std::string& line) {
                           if (line == std::string(kFailingResult) + "\n") throw 42;
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
  bridge.send(kFailing);
  bridge.send(kNext);
  bridge.close();
  done.get_future().wait();
  CHECK(warnings == std::vector<std::string>{"an unknown failure"});
  std::sort(delivered.begin(), delivered.end());
  REQUIRE(delivered.size() == 2);
  const auto failed = nlohmann::json::parse(delivered[0]);
  CHECK(failed.at("id") == 1);
  CHECK(failed.at("error").at("message") == "an unknown failure");
  CHECK(nlohmann::json::parse(delivered[1]) == nlohmann::json::parse(kNextResult));
}

}  // namespace hebb::capture::test
