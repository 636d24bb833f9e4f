// Items with a used id: the same content is a duplicate, any other is a conflict.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"
#include "tests/sql/temp_dir.h"

using namespace hebb;
using namespace hebb::test;

namespace {

std::string outcome(const std::string& members) {
  return R"({"taskId":"a","outcome":"success","id":"run")" + members + "}\n";
}

// "applied", "duplicate", or the reason of the one item.
std::string taken(Engine& engine, const std::string& content, std::string_view format = "outcome",
                  TimeMs now = kStart + kDay) {
  const auto s = ingest(engine, content, format, now);
  REQUIRE(s.items == 1);
  if (s.refused > 0) return s.refusals.at(0).refusal.reason;
  return s.applied > 0 ? "applied" : "duplicate";
}

Engine two_nodes() {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b")});
  return engine;
}

std::string cloudevent_line(const std::string& data, const std::string& time = "") {
  return fmt::format(R"({{"specversion":"1.0","id":"7","source":"/ci","type":"t","data":{}{}}})",
                     data, time.empty() ? "" : fmt::format(R"(,"time":"{}")", time)) +
         "\n";
}

}  // namespace

TEST_CASE("an outcome under a used id is a conflict unless it is the same again") {
  Engine engine = two_nodes();
  REQUIRE(taken(engine, outcome("")) == "applied");
  CHECK(taken(engine, outcome("")) == "duplicate");
  // An outcome without a time gets the time of its arrival, which is not compared.
  CHECK(taken(engine, outcome(""), "outcome", kStart + 2 * kDay) == "duplicate");
  CHECK(taken(engine, R"( {"id":"run",  "outcome":"success","taskId":"\u0061"})"
                      "\n") == "duplicate");

  CHECK(taken(engine, outcome(R"(,"score":0.5)")) == refusal::kConflict);
  CHECK(taken(engine, outcome(fmt::format(R"(,"timestamp":{})", kStart))) == refusal::kConflict);
  CHECK(taken(engine, outcome(R"(,"relatedNodes":["b"])")) == refusal::kConflict);
  CHECK(taken(engine, outcome(R"(,"agentId":"somebody else")")) == refusal::kConflict);
  CHECK(taken(engine, outcome_line("a", "run", "failure")) == refusal::kConflict);
  CHECK(taken(engine, outcome_line("b", "run", "success")) == refusal::kConflict);
  CHECK(taken(engine, outcome_line("nobody", "run", "success")) == refusal::kConflict);
  CHECK(engine.ledger().last_position() == 3);
}

TEST_CASE("a time that is written in another way is the same time") {
  Engine engine = two_nodes();
  REQUIRE(taken(engine, outcome(fmt::format(R"(,"timestamp":{})", kStart + kDay))) == "applied");
  CHECK(taken(engine, outcome(R"(,"timestamp":"2023-11-15T23:13:20+01:00")")) == "duplicate");
  CHECK(taken(engine, outcome(R"(,"timestamp":"2023-11-15T23:13:21+01:00")")) ==
        refusal::kConflict);
}

TEST_CASE("what people say of a task is compared") {
  Engine engine = two_nodes();
  const auto refused = [&](int priority, bool pinned) {
    Event e = node(kStart, "n");
    e.key = "1:k";
    std::get<NodeUpsert>(e.payload).priority = priority;
    std::get<NodeUpsert>(e.payload).pinned = pinned;
    std::vector<Event> one;
    one.push_back(std::move(e));
    return std::holds_alternative<Refusal>(engine.offer(std::move(one)).front());
  };
  CHECK_FALSE(refused(0, false));
  CHECK_FALSE(refused(0, false));
  CHECK(refused(4, false));
  CHECK(refused(0, true));
}

TEST_CASE("what was resolved on arrival is not compared") {
  Engine engine = two_nodes();
  engine.append(link(kStart, "a", "RELATES", "b"));
  REQUIRE(taken(engine, outcome("")) == "applied");  // rewards b
  engine.append(state(kStart + 2 * kDay, "b", "CLOSED"));
  CHECK(taken(engine, outcome(""), "outcome", kStart + 3 * kDay) == "duplicate");
  engine.append(remove(kStart + 4 * kDay, "a"));
  CHECK(taken(engine, outcome(""), "outcome", kStart + 5 * kDay) == "duplicate");
}

TEST_CASE("the refusal names the event that has the id, and the item is kept") {
  Engine engine = two_nodes();
  REQUIRE(taken(engine, outcome("")) == "applied");
  CHECK(taken(engine, outcome_line("b", "run", "partial")) == refusal::kConflict);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].reason == refusal::kConflict);
  CHECK(letters[0].text + "\n" == outcome_line("b", "run", "partial"));
  CHECK(letters[0].detail ==
        "the id \"run\" is that of event 3, success of a (score 1) at 2023-11-15T22:13:20Z, which "
        "says something else; give what is another one an id of its own");
  const auto retried =
      engine.retry_dead_letters(std::vector<std::int64_t>{letters[0].id}, kStart + kDay);
  CHECK(retried.refused == 1);
  CHECK(retried.refusals.at(0).refusal.reason == refusal::kConflict);
}

TEST_CASE("strict: a conflict refuses the file") {
  Engine engine = two_nodes();
  REQUIRE(taken(engine, outcome("")) == "applied");
  IngestRequest request;
  const std::string content = outcome_line("a", "new", "failure") + outcome_line("b", "run");
  request.content = content;
  request.format = &formats()[0];
  request.strict = true;
  CHECK(engine.ingest(request).refused == 1);
  CHECK(engine.ledger().last_position() == 3);
}

TEST_CASE(
    "one of two in one file counts, the same one in either order; the other is the conflict") {
  const std::string success = outcome_line("a", "run", "success");
  const std::string failure = outcome_line("a", "run", "failure");
  std::vector<double> failures;
  for (const std::string& lines : {success + failure, failure + success}) {
    Engine engine = two_nodes();
    const auto s = ingest(engine, lines, "outcome", kStart + kDay);
    CHECK(s.applied == 1);
    CHECK(s.refused == 1);
    failures.push_back(static_cast<double>(failures_of(engine, "a")));
  }
  CHECK(failures[0] == failures[1]);
}

TEST_CASE("an id is one id in whatever format it comes") {
  Engine engine = two_nodes();
  const std::string data = R"({"taskId":"a","outcome":"success"})";
  REQUIRE(taken(engine, cloudevent_line(data, "2023-11-15T10:00:00Z"), "cloudevents") == "applied");
  CHECK(taken(engine, cloudevent_line(data, "2023-11-15T10:00:00Z"), "cloudevents") == "duplicate");
  CHECK(taken(engine, cloudevent_line(data, "2023-11-15T11:00:00+01:00"), "cloudevents") ==
        "duplicate");
  CHECK(taken(engine, cloudevent_line(data), "cloudevents") == "duplicate");
  CHECK(taken(engine, cloudevent_line(data, "2023-11-15T10:00:01Z"), "cloudevents") ==
        refusal::kConflict);
  CHECK(taken(engine,
              cloudevent_line(R"({"taskId":"a","outcome":"failure"})", "2023-11-15T10:00:00Z"),
              "cloudevents") == refusal::kConflict);
  CHECK(taken(engine, R"({"taskId":"a","outcome":"partial","id":"/ci 7"})"
                      "\n") == refusal::kConflict);
}

TEST_CASE("issues: a later export is no conflict, but another closing at the same time is") {
  Engine engine = open(":memory:");
  const auto issue = [](const std::string& title, const std::string& reason) {
    return fmt::format(
        R"([{{"number":1,"title":"{}","body":"b","state":"CLOSED","stateReason":"{}",)"
        R"("labels":[{{"name":"bug"}}],"createdAt":"2023-11-01T00:00:00Z",)"
        R"("updatedAt":"2023-11-03T00:00:00Z","closedAt":"2023-11-02T00:00:00Z"}}])",
        title, reason);
  };
  CHECK(ingest(engine, issue("Title", "COMPLETED"), "github").refused == 0);
  const auto edited = ingest(engine, issue("Another title", "COMPLETED"), "github");
  CHECK(edited.applied == 1);
  CHECK(edited.refused == 0);
  const auto reopened = ingest(engine, issue("Another title", "NOT_PLANNED"), "github");
  CHECK(reopened.refused == 1);
  CHECK(reopened.refusals.at(0).refusal.reason == refusal::kConflict);
}

TEST_CASE("events that a program appends under keys of its own") {
  Engine engine = two_nodes();
  const auto result = [&](Event e) -> std::string {
    std::vector<Event> one{keyed(std::move(e), "k")};
    auto offered = engine.offer(std::move(one)).front();
    if (const auto* refusal = std::get_if<Refusal>(&offered)) return refusal->reason;
    return std::get<Applied>(offered) == Applied::applied ? "applied" : "duplicate";
  };
  REQUIRE(result(link(kStart, "a", "RELATES", "b")) == "applied");
  CHECK(result(link(kStart, "a", "RELATES", "b")) == "duplicate");
  CHECK(result(link(kStart, "a", "RELATES", "b", 2)) == refusal::kConflict);
  CHECK(result(link(kStart + 1, "a", "RELATES", "b")) == refusal::kConflict);
  CHECK(result(link(kStart, "b", "RELATES", "a")) == refusal::kConflict);

  REQUIRE(result(named(kStart, "c", "a name to embed")) == "applied");
  CHECK(result(named(kStart, "c", "a name to embed")) == "duplicate");
  CHECK(result(named(kStart, "c", "another name")) == refusal::kConflict);

  REQUIRE(result(failure(kStart, "a")) == "applied");
  CHECK(result(failure(kStart, "a")) == "duplicate");
  CHECK(result(partial(kStart, "a")) == refusal::kConflict);

  Event about = node(kStart + 5, "c");
  about.may_differ = true;
  CHECK(result(std::move(about)) == "duplicate");
}
