// What keeps a task from being a candidate, obstacle by obstacle.
#include <catch2/catch.hpp>

#include "reward/readiness.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

using Kind = Obstacle::Kind;

// "blocks b1", in the order in which they are given.
std::vector<std::string> obstacles_of(const World& w, const std::string& id, TimeMs now = kT0) {
  constexpr std::pair<Kind, const char*> kNames[]{
      {Kind::type, "type"},           {Kind::snoozed, "snoozed"}, {Kind::blocks, "blocks"},
      {Kind::waits_for, "waits for"}, {Kind::part, "part"},       {Kind::whole, "whole"}};
  const View view = w.view();
  Readiness readiness(view, now);
  std::vector<std::string> lines;
  for (const Obstacle& o : readiness.obstacles(w.at(id))) {
    for (const auto& [kind, name] : kNames) {
      if (o.kind == kind) lines.push_back(std::string(name) + " " + std::string(w.g.id(o.node)));
    }
  }
  CHECK(readiness.is_candidate(w.at(id)) == lines.empty());
  return lines;
}

using Lines = std::vector<std::string>;

World of_tasks(const std::vector<std::string>& ids) {
  World w;
  for (const auto& id : ids) w.node(id);
  return w;
}

void type(World& w, const std::string& id, const std::string& name) {
  w.g.nodes().type[w.at(id)] = w.g.node_types().intern(name);
}

}  // namespace

TEST_CASE("readiness: types that are no work") {
  World w = of_tasks({"gate", "task"});
  type(w, "gate", "Gate");
  w.edge("gate", "task", "BLOCKS");
  CHECK(obstacles_of(w, "gate") == Lines{"type gate"});
  CHECK(obstacles_of(w, "task") == Lines{"blocks gate"});
  set(w.policy, "node.GATE.work", "true");
  CHECK(obstacles_of(w, "gate").empty());
}

TEST_CASE("readiness: what is only named may be unfinished") {
  World w = of_tasks({"task"});
  w.node("named", "");
  type(w, "named", "");
  w.edge("named", "task", "BLOCKS");
  CHECK(obstacles_of(w, "task") == Lines{"blocks named"});
  SECTION("a label is not") {
    type(w, "named", "LABEL");
    CHECK(obstacles_of(w, "task").empty());
  }
  SECTION("it was closed") {
    w.node("named", "wontfix");
    CHECK(obstacles_of(w, "task").empty());
  }
}

TEST_CASE("readiness: parts, wholes, and what they wait for") {
  World w = of_tasks({"first", "epic", "part", "deep"});
  w.edge("epic", "part", "PARENT_OF");
  w.edge("part", "deep", "PARENT_OF");
  CHECK(obstacles_of(w, "epic") == Lines{"part part"});
  CHECK(obstacles_of(w, "deep").empty());
  w.edge("first", "epic", "BLOCKS");
  CHECK(obstacles_of(w, "epic") == Lines{"blocks first", "part part"});
  CHECK(obstacles_of(w, "deep") == Lines{"whole epic"});
  // That they belong together does not fade.
  CHECK(obstacles_of(w, "deep", kT0 + 1000 * kMsPerDay) == Lines{"whole epic"});
  SECTION("a whole that is finished holds nothing") {
    w.node("part", "DONE");
    CHECK(obstacles_of(w, "deep").empty());
  }
  SECTION("a whole that waits for its own parts does not hold them") {
    w.edge("part", "first", "PARENT_OF");
    CHECK(obstacles_of(w, "deep").empty());
    CHECK(obstacles_of(w, "first").empty());
  }
  SECTION("a part that its whole blocks does not hold up the whole") {
    w.complete("first", kT0);
    w.edge("epic", "part", "BLOCKS");
    CHECK(obstacles_of(w, "epic").empty());
    CHECK(obstacles_of(w, "part") == Lines{"blocks epic", "part deep"});
  }
  SECTION("parts in a ring") {
    w.edge("deep", "epic", "PARENT_OF");
    CHECK(obstacles_of(w, "deep") == Lines{"part epic", "whole epic"});
    w.node("part", "DEFERRED");
    CHECK(obstacles_of(w, "deep") == Lines{"part epic", "whole part"});
  }
}

TEST_CASE("readiness: a chain of parts of any length costs no more than its length") {
  World w;
  std::string above = "0";
  w.node(above, "BLOCKED");
  for (int i = 1; i < 20000; ++i) {
    const std::string id = std::to_string(i);
    w.node(id);
    w.edge(above, id, "PARENT_OF");
    above = id;
  }
  const View view = w.view();
  Readiness readiness(view, kT0);
  for (graph::NodeId n = 0; n < w.g.node_bound(); ++n) CHECK_FALSE(readiness.is_candidate(n));
  CHECK(w.ranking().empty());
}

TEST_CASE("readiness: many that wait for many parts cost no more than both together") {
  constexpr int kMany = 20000;
  World w = of_tasks({"epic", "done"});
  w.edge("epic", "done", "PARENT_OF");
  for (int i = 0; i < kMany; ++i) {
    const std::string part = "p" + std::to_string(i), waiter = "w" + std::to_string(i);
    w.node(part);
    w.edge("epic", part, "PARENT_OF");
    w.node(waiter);
    w.edge("epic", waiter, "WAITS_FOR");
  }
  w.complete("done", kT0);
  w.edge("epic", "p0", "WAITS_FOR");
  w.edge("epic", "p1", "WAITS_FOR_ANY");
  const View view = w.view();
  Readiness readiness(view, kT0);
  std::size_t candidates = 0, in_short = 0;
  for (graph::NodeId n = 0; n < w.g.node_bound(); ++n) {
    candidates += readiness.is_candidate(n);
    if (n != w.at("epic") && n != w.at("p0")) in_short += readiness.obstacles_in_short(n).size();
  }
  CHECK(candidates == kMany - 1);  // the parts but p0, which waits for the other parts
  CHECK(in_short == kMany);
  CHECK(readiness.obstacles(w.at("w0")).size() == kMany);
  CHECK(readiness.obstacles(w.at("p0")).size() == kMany - 1);
  CHECK(readiness.obstacles_in_short(w.at("w0")) ==
        std::vector{Obstacle{Obstacle::Kind::parts_of, w.at("epic")}});
}

}  // namespace hebb::reward
