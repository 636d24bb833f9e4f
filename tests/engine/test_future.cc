// Times to come: refused beyond what clocks differ by, or taken where that was asked for.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"

using namespace hebb;
using namespace hebb::test;

namespace {

constexpr TimeMs kNow = kStart + kDay;

IngestSummary ingested(Engine& engine, const std::string& content, std::string_view format,
                       std::optional<TimeMs> latest) {
  IngestRequest request;
  request.content = content;
  request.file = "file";
  request.read.now = kNow;
  request.read.task = format == "junit" ? "a" : "";
  request.latest = latest;
  for (const Format& f : formats()) {
    if (f.name == format) request.format = &f;
  }
  return engine.ingest(request);
}

}  // namespace

TEST_CASE("times too far in the future are refused in every format but a report's") {
  const std::string time = "2024-01-01T00:00:00Z";
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"outcome", R"({"taskId":"a","outcome":"success","timestamp":")" + time + "\"}\n"},
      {"cloudevents", R"({"specversion":"1.0","id":"7","source":"/ci","type":"t","time":")" + time +
                          R"(","data":{"taskId":"a","outcome":"success"}})"},
      {"history", R"({"kind":"node","id":"b","type":"TASK","at":")" + time + "\"}\n"},
      {"github", R"([{"number":1,"title":"t","state":"OPEN","createdAt":")" + time + "\"}]"},
      {"beads", R"({"id":"bd-1","title":"t","created_at":")" + time + "\"}\n"},
      {"taskwarrior",
       R"([{"uuid":"u","description":"d","status":"pending","entry":")" + time + "\"}]"},
  };
  for (const Format& format : formats()) {
    const bool is_given = std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
      return input.first == format.name;
    });
    CHECK((is_given || format.of_tracker || format.name == "junit"));
  }
  for (const auto& [format, content] : inputs) {
    CAPTURE(format);
    Engine engine = open(":memory:");
    engine.append(node(kStart, "a"));
    const auto refused = ingested(engine, content, format, latest_taken(kNow));
    CHECK(refused.applied == 0);
    REQUIRE(refused.refused == 1);
    // A bead has a type, which is a label: two nodes and an edge.
    const std::int64_t items = format == "beads" ? 3 : 1;
    CHECK(refused.refusals.at(0).refusal.reason == refusal::kFuture);
    CHECK(ingested(engine, content, format, std::nullopt).applied == items);
    const auto again = ingested(engine, content, format, latest_taken(kNow));
    CHECK(again.duplicates == again.items);
  }
}

TEST_CASE(
    "a report's time that is still to come is left out, and the report counts once as of now") {
  const std::string report =
      "<testsuite timestamp='2024-01-01T00:00:00Z'><testcase name='t'/></testsuite>";
  Engine engine = open(":memory:");
  engine.append(node(kStart, "a"));
  const auto taken = ingested(engine, report, "junit", latest_taken(kNow));
  CHECK(taken.applied == 1);
  CHECK(taken.refused == 0);
  REQUIRE(taken.notes.size() == 1);
  CHECK(taken.notes[0].starts_with("1 timestamp in it is no time that can be, such as"));
  CHECK(engine.ledger().event(engine.ledger().last_position())->at == kNow);
  // Given again when its time is one, it is the same report.
  const auto again = ingested(engine, report, "junit", std::nullopt);
  CHECK(again.refused == 0);
  CHECK(again.duplicates == 1);
  CHECK(again.notes.empty());

  Engine asked = open(":memory:");
  asked.append(node(kStart, "a"));
  CHECK(ingested(asked, report, "junit", std::nullopt).applied == 1);
  CHECK(asked.ledger().event(asked.ledger().last_position())->at > kNow + kDay);
}

TEST_CASE("a program that appends says how late an event may be") {
  Engine engine = open(":memory:");
  AppendOptions options;
  options.latest = kNow;
  CHECK(engine.append(node(kNow, "a"), options) == Applied::applied);
  CHECK_THROWS_AS(engine.append(node(kNow + 1, "b"), options), Refused);
  CHECK_FALSE(engine.state().exists("b"));
  CHECK(engine.append(node(kNow + 1, "b")) == Applied::applied);
}
