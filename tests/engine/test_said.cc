// What people say goes first: priority, due, snooze and pin, and which nodes are asked for.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/explain.h"
#include "engine/rank/reasons.h"
#include "reward/factors.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

using Ids = std::vector<std::string>;

Event said(TimeMs at, const std::string& id, const std::function<void(NodeUpsert&)>& say) {
  Event e = node(at, id);
  say(std::get<NodeUpsert>(e.payload));
  return e;
}

double urgency(Engine& engine, const std::string& id, TimeMs now) {
  const auto view = engine.state().view();
  return reward::factors(view, engine.state().find(id).value(), now).urgency;
}

Ids ids_of(Engine& engine, RankQuery query) {
  query.top = 100;
  Ids ids;
  for (const PathRow& row : engine.rank(query)) ids.push_back(row.id);
  return ids;
}

TEST_CASE("urgency: a factor of two for each priority, and 1 where nobody said anything") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "none"));
  CHECK(urgency(engine, "none", kStart) == 1);
  for (int p = 0; p <= 4; ++p) {
    const std::string id = fmt::format("p{}", p);
    engine.append(said(kStart, id, [&](NodeUpsert& u) { u.priority = p; }));
    CHECK(urgency(engine, id, kStart) == std::pow(2, 2 - p));
  }
  engine.append(said(kStart + 1, "p0", [](NodeUpsert& u) { u.priority = graph::kNoPriority; }));
  CHECK(urgency(engine, "p0", kStart + 1) == 1);
  engine.append(policy(kStart + 2, {{"urgency_base", "1"}}));
  CHECK(urgency(engine, "p4", kStart + 2) == 1);
}

TEST_CASE("urgency: a task due comes up from two weeks before until a week after") {
  reward::Evidence evidence;
  evidence.due_at = kStart;
  const auto at = [&](double days) {
    evidence.now = kStart + static_cast<TimeMs>(days * static_cast<double>(kDay));
    return reward::urgency(reward::Policy::learned(), evidence);
  };
  CHECK(at(-100) == 1);
  CHECK(at(-14.01) == 1);
  CHECK(at(-14) == Approx(1.4));
  CHECK(at(0) == Approx(1 + 2 * (0.2 + 0.8 * 14 / 21)));
  CHECK(at(7) == Approx(3));
  CHECK(at(1000) == Approx(3));
}

TEST_CASE("a pinned task stands above what is not pinned, whatever its failures") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c")});
  for (int i = 0; i < 30; ++i) engine.append(failure(kStart + i, "c"));
  const auto pin = [](NodeUpsert& u) { u.pinned = true; };
  engine.append(said(kStart + kHour, "c", pin));
  const TimeMs now = kStart + 2 * kHour;
  CHECK(ranking(engine, now) == Ids{"c", "a", "b"});
  engine.append(said(kStart + kHour, "b", pin));  // of two, by priority
  CHECK(ranking(engine, now) == Ids{"b", "c", "a"});
  const auto x = engine.explain("c", {}, now);
  CHECK(x.pinned);
  CHECK(x.rank == 2);
  CHECK(x.relative < 1);

  // The mirror has the same order, and `relative` is never more than 1.
  engine.sync();
  CHECK(engine.verify().empty());
  RankQuery query;
  query.reasons = true;
  const auto rows = engine.rank(query);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].id == "c");
  CHECK(rows[1].pinned);
  CHECK(rows[1].reasons.front() == "pinned");
  for (const PathRow& row : rows) CHECK(row.relative <= 1);
  engine.recalibrate(now);
  CHECK(weight(engine.state(), {"frontier", "a", "GUIDES"}) == 1);  // the largest priority, not c's
  CHECK(weight(engine.state(), {"frontier", "c", "GUIDES"}) < 1);

  engine.append(said(now + 1, "c", [](NodeUpsert& u) { u.pinned = false; }));
  CHECK(ranking(engine, now + 1).back() == "c");
}

TEST_CASE("a snoozed task is no candidate until its time has come") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b")});
  const auto until = [&](TimeMs at) { return [at](NodeUpsert& u) { u.snoozed_until = at; }; };
  engine.append(said(kStart, "a", until(kStart + kDay)));
  CHECK(ranking(engine, kStart + kDay - 1) == Ids{"b"});
  CHECK(ranking(engine, kStart + kDay).size() == 2);
  CHECK(engine.stats(kStart).candidates == 1);
  // What `next` would not hand out is none.
  engine.append({node(kStart, "t", "TEST"), node(kStart, "s", "SKILL")});
  CHECK(engine.stats(kStart).candidates == 1);
  engine.append({node(kStart, "t", "TASK"), node(kStart, "s", "BUG")});
  CHECK(engine.stats(kStart).candidates == 3);
  engine.append({remove(kStart + 1, "t"), remove(kStart + 1, "s")});
  CHECK(engine.explain("a", {}, kStart).why_not == "snoozed until 2023-11-15T22:13:20Z");
  engine.append(said(kStart, "a", until(graph::kNever)));
  CHECK(ranking(engine, kStart).size() == 2);
}

TEST_CASE("what was said is in the mirror, in the image and in a history log") {
  const TempDir dir;
  const auto log = [](std::string_view fields, TimeMs at = kStart) {
    return fmt::format(R"({{"kind":"node","at":{},"id":"t","type":"TASK","state":"OPEN",{}}})", at,
                       fields);
  };
  const auto path = dir.file("a.db");
  {
    Engine engine = open(path);
    const auto summary = ingest(engine,
                                log(R"("priority":1,"due_at":"2024-01-01T00:00:00Z",)"
                                    R"("snoozed_until":1700000100000,"pinned":true)"),
                                "history");
    CHECK(summary.applied == 1);
    engine.sync();
    CHECK(engine.verify().empty());
  }
  Engine engine = open(path);
  const auto& c = engine.state().graph().nodes();
  const auto n = *engine.state().find("t");
  CHECK(c.priority[n] == 1);
  CHECK(c.due_at[n] == 1704067200000);
  CHECK(c.snoozed_until[n] == 1700000100000);
  CHECK(c.pinned[n] == 1);
  // null takes back; what is not there stays.
  CHECK(ingest(engine, log(R"("priority":null,"due_at":null)", kStart + 1), "history").applied ==
        1);
  CHECK(c.priority[n] == graph::kNoPriority);
  CHECK(c.due_at[n] == graph::kNever);
  CHECK(c.pinned[n] == 1);
  for (const char* bad : {R"("priority":5)", R"("priority":-1)", R"("priority":"high")",
                          R"("priority":1.5)", R"("due_at":"soon")", R"("pinned":1)"}) {
    CAPTURE(bad);
    CHECK(ingest(engine, log(bad), "history").refused == 1);
  }
}

// Three tasks of two projects with labels, one of them assigned, and one that is worked on.
Engine labelled(const std::string& path) {
  Engine engine = open(path);
  const auto make = [&](const std::string& id, const std::string& state, const std::string& project,
                        const Ids& labels) {
    Event e = node(kStart, id, "TASK", state);
    std::get<NodeUpsert>(e.payload).project = project;
    engine.append(std::move(e));
    for (const auto& label : labels) engine.append(link(kStart, id, "LABELED_AS", label));
  };
  for (const std::string label : {"bug", "ui"}) {
    Event e = node(kStart, "label-" + label, "LABEL", "");
    std::get<NodeUpsert>(e.payload).name = label;
    engine.append(std::move(e));
  }
  engine.append(node(kStart, "ada", "PERSON", ""));
  make("both", "OPEN", "Web", {"label-bug", "label-ui"});
  make("bug", "OPEN", "web", {"label-bug"});
  make("none", "OPEN", "core", {});
  make("doing", "IN_PROGRESS", "core", {"label-ui"});
  engine.append(link(kStart, "bug", "ASSIGNED_TO", "ada"));
  engine.sync();
  return engine;
}

TEST_CASE("rank asks for labels, for none of labels, a project, an assignee and a state") {
  const TempDir dir;
  Engine engine = labelled(dir.file("a.db"));
  const bool from_mirror = GENERATE(true, false);
  CAPTURE(from_mirror);
  const auto asked = [&](const std::function<void(WhichNodes&)>& ask) {
    RankQuery query;
    if (!from_mirror) query.now = engine.state().stamp();
    ask(query.which);
    return ids_of(engine, query);
  };
  CHECK(asked([](WhichNodes& w) { w.labels = {"bug"}; }) == Ids{"both", "bug"});
  CHECK(asked([](WhichNodes& w) { w.labels = {"LABEL-BUG", "Ui"}; }) == Ids{"both"});
  CHECK(asked([](WhichNodes& w) { w.not_labels = {"UI"}; }) == Ids{"bug", "none"});
  CHECK(asked([](WhichNodes& w) { w.labels = {"bug"}, w.not_labels = {"ui"}; }) == Ids{"bug"});
  CHECK(asked([](WhichNodes& w) { w.labels = {"nobody's"}; }).empty());
  CHECK(asked([](WhichNodes& w) { w.not_labels = {"nobody's"}; }).size() == 3);
  CHECK(asked([](WhichNodes& w) { w.project = "WEB"; }) == Ids{"both", "bug"});
  CHECK(asked([](WhichNodes& w) { w.assignee = "Ada"; }) == Ids{"bug"});
  CHECK(asked([](WhichNodes& w) { w.assignee = "ui"; }).empty());  // a label is no assignee
  CHECK(asked([](WhichNodes& w) { w.type = "task"; }).size() == 3);
  CHECK(asked([](WhichNodes& w) { w.state = "open"; }).size() == 3);
  CHECK(asked([](WhichNodes& w) { w.state = "in_progress"; }) == Ids{"doing"});
  CHECK(asked([](WhichNodes& w) { w.state = "IN_PROGRESS", w.labels = {"bug"}; }).empty());
}

}  // namespace
}  // namespace hebb::test
