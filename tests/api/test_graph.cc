// What is asked of the graph: neighbors, path, topology, neighborhood.
#include <catch2/catch.hpp>

#include "tests/api/session.h"

namespace hebb::api {
namespace {

// A ring a -> b -> c -> a, and d that a leads to and that leads nowhere.
void fill(Session& session) {
  for (const char* id : {"a", "b", "c", "d"}) {
    ask(session, "node_set", {{"id", id}, {"type", "TASK"}, {"state", "OPEN"}});
  }
  const auto link = [&](const char* source, const char* target, const char* type, double weight) {
    ask(session, "link",
        {{"source", source}, {"target", target}, {"type", type}, {"weight", weight}});
  };
  link("a", "b", "BLOCKS", 0.5);
  link("b", "c", "BLOCKS", 0.5);
  link("c", "a", "BLOCKS", 0.5);
  link("a", "d", "RELATES_TO", 0.25);
}

std::vector<std::string> targets(const Json& edges) {
  std::vector<std::string> ids;
  for (const auto& edge : edges) ids.push_back(edge["target"]);
  return ids;
}

TEST_CASE("neighbors come in pages, and the last one says so") {
  MemorySession session(kNow);
  fill(session);
  using Ids = std::vector<std::string>;
  const auto all = ask(session, "neighbors", {{"id", "a"}});
  CHECK(targets(all["edges"]) == Ids{"b", "a", "d"});
  CHECK_FALSE(all.contains("next"));
  const auto first = ask(session, "neighbors", {{"id", "a"}, {"limit", 2}});
  CHECK(targets(first["edges"]) == Ids{"b", "a"});
  CHECK(first["next"] == 2);
  const auto rest =
      ask(session, "neighbors", {{"id", "a"}, {"limit", 2}, {"offset", first["next"]}});
  CHECK(targets(rest["edges"]) == Ids{"d"});
  CHECK_FALSE(rest.contains("next"));
  CHECK(ask(session, "neighbors", {{"id", "a"}, {"offset", 9}})["edges"].empty());
}

TEST_CASE("neighbors of one direction, and a loop counts once") {
  MemorySession session(kNow);
  fill(session);
  ask(session, "link", {{"source", "a"}, {"target", "a"}, {"type", "RELATES_TO"}});
  const auto count = [&](const char* direction) {
    return ask(session, "neighbors", {{"id", "a"}, {"direction", direction}})["edges"].size();
  };
  CHECK(count("out") == 3);
  CHECK(count("in") == 2);
  CHECK(count("both") == 4);
}

TEST_CASE("a neighbourhood's nodes name the edge that they were reached by") {
  MemorySession session(kNow);
  fill(session);
  const auto around = ask(session, "neighborhood", {{"id", "d"}, {"depth", 2}});
  const auto& nodes = around["nodes"];
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0]["id"] == "d");
  CHECK_FALSE(nodes[0].contains("reached_by"));
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    INFO(nodes[i].dump());
    const auto& edge = around["edges"][nodes[i]["reached_by"].get<std::size_t>()];
    CHECK((edge["source"] == nodes[i]["id"] || edge["target"] == nodes[i]["id"]));
    CHECK(nodes[i]["depth"] == (nodes[i]["id"] == "a" ? 1 : 2));
  }
  CHECK(around["edges"].size() == 4);
}

TEST_CASE("a neighbourhood without a layout is all of it, or as many nodes as are asked for") {
  MemorySession session(kNow);
  fill(session);
  ask(session, "link", {{"source", "a"}, {"target", "a"}, {"type", "RELATES_TO"}});
  const auto around = [&](Json request) {
    request["id"] = "a";
    return ask(session, "neighborhood", request);
  };
  const auto ids = [](const Json& found) {
    std::vector<std::string> ids;
    for (const auto& node : found["nodes"]) ids.push_back(node["id"]);
    return ids;
  };
  using Ids = std::vector<std::string>;
  const auto all = around(Json::object());
  CHECK(ids(all) == Ids{"a", "b", "c", "d"});  // by weight, then by id
  CHECK(all["edges"].size() == 5);             // with the one from a to itself
  for (const char* name : {"x", "y", "more"}) CHECK_FALSE(all["nodes"][1].contains(name));
  CHECK_FALSE(all.contains("width"));
  CHECK(ids(around({{"limit", 3}})) == Ids{"a", "b", "c"});
  CHECK(ids(around({{"depth", 0}})) == Ids{"a"});
  session.later(400 * 86'400'000LL);
  CHECK(ids(around(Json::object())) == Ids{"a", "b", "c"});  // what blocks does not fade
  CHECK(ids(around({{"dormant", true}})) == Ids{"a", "b", "c", "d"});
}

TEST_CASE("the topology counts types and names rings of blocked tasks") {
  MemorySession session(kNow);
  fill(session);
  const auto whole = ask(session, "topology", Json::object());
  CHECK(whole["node_types"] == Json::parse(R"([{"type":"SYSTEM_ANCHOR","count":1,"open":0},
                                               {"type":"TASK","count":4,"open":4}])"));
  CHECK(whole["components"] == 2);  // the frontier is one of its own
  REQUIRE(whole["blocking_cycles"].size() == 1);
  CHECK(whole["blocking_cycles"][0]["tasks"].size() == 3);
}

TEST_CASE("a path that is not there is not found, and one from a node to itself is empty") {
  MemorySession session(kNow);
  fill(session);
  CHECK(ask(session, "path", {{"source", "b"}, {"target", "d"}})["edges"].size() == 3);
  CHECK(ask(session, "path", {{"source", "b"}, {"target", "b"}})["edges"].empty());
  try {
    ask(session, "path", {{"source", "d"}, {"target", "a"}});
    FAIL("a path that is not there");
  } catch (const Problem& problem) {
    CHECK(problem.type == ProblemType::not_found);
  }
}

}  // namespace
}  // namespace hebb::api
