// What the page asks for: list, facets, layouts, curves, learning, and the path in pages.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <catch2/catch.hpp>

#include "tests/api/session.h"

namespace hebb::api {
namespace {

constexpr TimeMs kDay = 86'400'000;
using Ids = std::vector<std::string>;

// A session whose clock can be moved.
class MovingSession final : public Session {
 public:
  Engine& engine(Access) override { return engine_; }
  sql::Database& tables(Access) override { return tables_of(engine_); }
  TimeMs now() const override { return at; }
  std::optional<TimeMs> given_now() const override { return at; }
  void note(const std::string&) override {}
  Progress progress(const std::string&) override { return {}; }
  std::string path() const override { return ":memory:"; }

  std::size_t longest_answer() const override { return longest; }

  TimeMs at = kNow;
  std::size_t longest = std::numeric_limits<std::size_t>::max();

 private:
  Engine engine_{{.path = ":memory:"}};
};

void task(Session& session, const std::string& id, const std::string& project = "",
          const std::string& state = "OPEN") {
  ask(session, "node_set",
      {{"id", id},
       {"type", "TASK"},
       {"state", state},
       {"name", "Task " + id},
       {"project", project}});
}

void label(Session& session, const std::string& id, const std::string& name) {
  ask(session, "node_set", {{"id", id}, {"type", "LABEL"}, {"name", name}});
}

void link(Session& session, const std::string& source, const std::string& target,
          const std::string& type, double weight = 1) {
  ask(session, "link",
      {{"source", source}, {"target", target}, {"type", type}, {"weight", weight}});
}

void outcome(Session& session, const std::string& id, const std::string& what) {
  const auto result = ask(session, "ingest", {{"outcomes", {{{"taskId", id}, {"outcome", what}}}}});
  REQUIRE(result["applied"] == 1);
}

Ids ids_of(const Json& list) {
  Ids ids;
  for (const auto& one : list) ids.push_back(one["id"]);
  return ids;
}

TEST_CASE("list has what is not over, in any state; edit takes any state") {
  MovingSession session;
  for (const char* state : {"OPEN", "IN_PROGRESS", "BLOCKED", "DEFERRED", "in review"}) {
    task(session, state);
    CHECK(ask(session, "edit", {{"id", state}, {"state", state}})["task"]["state"] == state);
  }
  for (const char* over : {"CLOSED", "ABANDONED", "WONTFIX", "Cancelled"}) {
    task(session, over);
    CHECK(ask(session, "edit", {{"id", over}, {"state", over}})["task"]["state"] == over);
  }
  const auto listed = [&](const Json& request) {
    Ids ids = ids_of(ask(session, "list", request)["nodes"]);
    std::ranges::sort(ids);
    return ids;
  };
  CHECK(listed(Json::object()) == Ids{"BLOCKED", "DEFERRED", "IN_PROGRESS", "OPEN", "in review"});
  CHECK(listed({{"state", "OPEN"}}) == Ids{"OPEN"});
  CHECK(listed({{"state", "ABANDONED"}}) == Ids{"ABANDONED"});
  CHECK(listed({{"state", "any"}}).size() == 9);
  CHECK(ids_of(ask(session, "rank", Json::object())["tasks"]) == Ids{"OPEN"});
  for (const char* operation : {"edit", "node_set"})
    CHECK(refused(session, operation, {{"id", "OPEN"}, {"state", ""}}).find("state") !=
          std::string::npos);
  MemorySession noting(kNow);
  ask(noting, "add", {{"id", "a"}, {"name", "A"}});
  ask(noting, "edit", {{"id", "a"}, {"state", "ABANDONED"}});
  CHECK(noting.notes.empty());
  ask(noting, "edit", {{"id", "a"}, {"state", "OPNE"}});
  REQUIRE(noting.notes.size() == 1);
  CHECK(noting.notes[0].starts_with("\"OPNE\" is no state that hebb knows"));
}

TEST_CASE("the path comes in pages, and of one project") {
  MovingSession session;
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    task(session, id, *id < 'c' ? "first" : "second");
    session.at += kDay;
  }
  const auto all = ask(session, "rank", {{"limit", 10}})["tasks"];
  REQUIRE(all.size() == 5);
  for (const bool as_of : {false, true}) {  // from the mirror, and from the graph
    Json request{{"limit", 2}, {"offset", 2}};
    if (as_of) request["as_of"] = session.at;
    Json whole{{"limit", 10}};
    if (as_of) whole["as_of"] = session.at;
    const auto expected = ask(session, "rank", whole)["tasks"];
    const auto page = ask(session, "rank", request)["tasks"];
    REQUIRE(page.size() == 2);
    CHECK(page[0] == expected[2]);
    CHECK(page[1] == expected[3]);
    CHECK(page[0]["rank"] == 3);
    request["offset"] = 5;
    CHECK(ask(session, "rank", request)["tasks"].empty());

    request = whole;
    request["project"] = "first";
    const auto first = ask(session, "rank", request)["tasks"];
    CHECK(ids_of(first) == Ids{"b", "a"});
    CHECK(first[0]["relative"] == 1.0);
    CHECK(first[1]["rank"] == 2);
  }
}

TEST_CASE("the stored path is read in pages and by project too") {
  MemorySession held(kNow);
  // Without a time that is given, the mirror answers.
  class Stored final : public Session {
   public:
    explicit Stored(MemorySession& s) : s_(s) {}
    Engine& engine(Access access) override { return s_.engine(access); }
    sql::Database& tables(Access access) override { return s_.tables(access); }
    TimeMs now() const override { return kNow; }
    std::optional<TimeMs> given_now() const override { return std::nullopt; }
    void note(const std::string&) override {}
    Progress progress(const std::string&) override { return {}; }
    std::string path() const override { return ":memory:"; }

   private:
    MemorySession& s_;
  };
  for (const char* id : {"a", "b", "c"}) task(held, id, *id == 'c' ? "other" : "own");
  Stored session(held);
  const auto all = ask(session, "rank", {{"limit", 3}})["tasks"];
  const auto page = ask(session, "rank", {{"limit", 5}, {"offset", 1}})["tasks"];
  REQUIRE(page.size() == 2);
  CHECK(page[0] == all[1]);
  CHECK(page[1] == all[2]);
  CHECK(ids_of(ask(session, "rank", {{"limit", 5}, {"project", "other"}})["tasks"]) == Ids{"c"});
  CHECK(ask(session, "rank", {{"project", "none"}})["tasks"].empty());
}

TEST_CASE("rows of the path and of lists have what people say, and are counted with it") {
  MovingSession session;
  task(session, "a");
  task(session, "b");
  label(session, "label-1", "home");
  ask(session, "node_set", {{"id", "ada"}, {"type", "USER"}});
  link(session, "b", "label-1", "LABELED_AS");
  link(session, "b", "ada", "ASSIGNED_TO");
  const auto tracked = [&](const Json& number, const std::string& url) {
    ask(session, "node_set",
        {{"id", "b"},
         {"priority", 1},
         {"due_at", "2026-02-01T00:00:00.000Z"},
         {"properties", {{"number", number}, {"url", url}}}});
    const auto tasks = ask(session, "rank", {{"limit", 2}})["tasks"];
    return tasks[tasks[0]["id"] == "b" ? 0 : 1];
  };
  const Json row = tracked("WEB-12", "https://tracker.example/WEB-12");
  const Json listed = ask(session, "list", {{"label", {"home"}}})["nodes"][0];
  for (const Json& one : {row, listed}) {
    CHECK(one["labels"] == Json{"home"});
    CHECK(one["assignees"] == Json{"ada"});
    CHECK(one["due_at"] == "2026-02-01T00:00:00.000Z");
    CHECK(one["number"] == "WEB-12");
    CHECK(one["url"] == "https://tracker.example/WEB-12");
  }
  CHECK(row["set_priority"] == 1);
  CHECK(listed["priority"] == 1);
  // What is no text and no address of the web is not shown, nor what nobody said.
  CHECK_FALSE(tracked(17, "javascript:alert(1)").contains("url"));
  CHECK_FALSE(tracked(17, "javascript:alert(1)").contains("number"));
  const Json plain = ask(session, "list", {{"limit", 2}})["nodes"][0];
  for (const char* name : {"assignees", "number", "url", "due_at", "priority"})
    CHECK_FALSE(plain.contains(name));

  session.longest = 3000;
  CHECK_NOTHROW(tracked("1", "http://a.example"));
  CHECK_THROWS_AS(tracked("1", "http://a.example/" + std::string(3000, 'x')), Problem);
}

TEST_CASE("a picture holds what is near, the strongest first, and nothing on top of another") {
  MovingSession session;
  task(session, "m");
  for (int i = 0; i < 30; ++i) {
    const std::string id = "n" + std::to_string(i);
    task(session, id);
    link(session, "m", id, "RELATES_TO", 0.3 + 0.01 * i);
    task(session, id + "x");
    link(session, id + "x", id, "RELATES_TO", 0.5);
  }
  const auto draw = [&](Json request) {
    request["id"] = "m";
    request["layout"] = true;
    return ask(session, "neighborhood", request);
  };
  const auto picture = draw(Json::object());
  const auto& nodes = picture["nodes"];
  REQUIRE(nodes.size() == 40);
  CHECK(nodes[0]["id"] == "m");
  CHECK(nodes[0]["more"] == 6);    // 24 of 30 are in it
  CHECK(nodes[1]["id"] == "n29");  // the strongest
  CHECK(nodes[24]["id"] == "n6");
  CHECK(nodes[25]["depth"] == 2);
  std::set<std::string> shown;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    shown.insert(nodes[i]["id"].get<std::string>());
    const double x = nodes[i]["x"], y = nodes[i]["y"];
    CHECK((x >= 0 && x <= picture["width"] && y >= 0 && y <= picture["height"]));
    for (std::size_t j = 0; j < i; ++j) {
      INFO(nodes[i]["id"] << " and " << nodes[j]["id"]);
      CHECK(std::hypot(x - double(nodes[j]["x"]), y - double(nodes[j]["y"])) > 30);
    }
  }
  CHECK(picture["edges"].size() == 39);
  CHECK(picture["edges"][0]["weight"] >= picture["edges"][38]["weight"]);
  for (const auto& edge : picture["edges"]) {
    CHECK(shown.contains(edge["source"].get<std::string>()));
    CHECK(shown.contains(edge["target"].get<std::string>()));
    CHECK(edge["path"].get<std::string>().starts_with("M"));
  }
  CHECK(draw({{"depth", 1}})["nodes"].size() == 25);
  // The same again: where things are drawn does not jump about.
  CHECK(draw({{"limit", 40}}) == picture);
  session.at += 400 * kDay;
  CHECK(draw(Json::object())["nodes"].size() == 1);
  CHECK(draw({{"dormant", true}})["nodes"].size() == 40);
}

TEST_CASE("the curve of an edge falls by the half-life and jumps at events") {
  MovingSession session;
  task(session, "a");
  task(session, "b");
  link(session, "a", "b", "RELATES_TO", 1);
  session.at += 34 * kDay;
  link(session, "a", "b", "RELATES_TO", 1);
  session.at += 10 * kDay;
  const auto curve =
      ask(session, "explain_edge",
          {{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}, {"points", 200}});
  const auto& points = curve["points"];
  REQUIRE(curve["history"].size() == 2);
  CHECK(curve["half_life_days"].get<double>() == Approx(34.3).margin(0.05));
  CHECK(points.front()["weight"] == 0.0);
  CHECK(points[1]["weight"] == 1.0);
  // Computed anew from the page ranking.md: 1 fades by 0.98 a day, and 0.1 of 1 is added.
  const double before = std::pow(0.98, 34), after = before + 0.1;
  CHECK(curve["history"][1]["before"].get<double>() == Approx(before));
  CHECK(curve["history"][1]["after"].get<double>() == Approx(after));
  TimeMs last = 0;
  for (const auto& point : points) {
    const TimeMs at = time_value(point["at"]);
    CHECK(at >= last);
    last = at;
  }
  CHECK(points.back()["weight"].get<double>() == Approx(after * std::pow(0.98, 10)));
  CHECK(curve["weight"] == points.back()["weight"]);
  CHECK(last == session.at);
  CHECK(points.size() > 150);
  ask(session, "unlink", {{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}});
  session.at += kDay;
  const auto gone =
      ask(session, "explain_edge",
          {{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}, {"points", 200}});
  CHECK(gone["exists"] == false);
  CHECK(gone["points"].back()["weight"] == 0.0);
  try {
    ask(session, "explain_edge",
        {{"source", "a"}, {"target", "b"}, {"type", "BLOCKS"}, {"points", 200}});
    FAIL("an edge that never was");
  } catch (const Problem& problem) {
    CHECK(problem.type == ProblemType::not_found);
  }
}

TEST_CASE("learning looks back at each completion with what was known before it") {
  MovingSession session;
  label(session, "good", "good");
  label(session, "bad", "bad");
  for (int i = 0; i < 6; ++i) {
    const std::string id = "t" + std::to_string(i);
    task(session, id);
    link(session, id, i % 2 ? "bad" : "good", "LABELED_AS");
    session.at += kDay;
  }
  struct Done {
    std::string task;
    Json expected;
  };
  std::vector<Done> done;
  for (const char* id : {"t0", "t3", "t4"}) {
    session.at += kDay;
    // What the ranking says at this moment, asked before the outcome comes.
    const auto tasks = ask(session, "rank", {{"limit", 100}, {"as_of", session.at}})["tasks"];
    for (const auto& one : tasks) {
      if (one["id"] == id) done.push_back({id, {{"place", one["rank"]}, {"of", tasks.size()}}});
    }
    outcome(session, id, "success");
    session.at += kDay;
    outcome(session, "t1", "failure");
  }
  session.at += kDay;
  const auto learning = ask(session, "stats", {{"learning", true}, {"buckets", 4}})["learning"];
  REQUIRE(learning["foreseen"].size() == 3);
  double mrr = 0;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const auto& seen = learning["foreseen"][i];
    INFO(seen.dump());
    CHECK(seen["task"] == done[i].task);
    CHECK(seen["place"] == done[i].expected["place"]);
    CHECK(seen["candidates"] == done[i].expected["of"]);
    mrr += 1 / seen["place"].get<double>() / 3;
  }
  CHECK(learning["mrr"].get<double>() == Approx(mrr));
  CHECK(learning["foreseen"][0]["newest_place"] == 6);
  CHECK(learning["foreseen"][1]["newest_place"] == 3);
  // Chance among 6, 5 and 4: the mean of harmonic numbers over them.
  CHECK(learning["random_mrr"].get<double>() ==
        Approx((2.45 / 6 + (2.45 - 1.0 / 6) / 5 + (2.45 - 1.0 / 6 - 1.0 / 5) / 4) / 3));
  CHECK(learning["successes"] == 3);
  CHECK(learning["failures"] == 3);
  REQUIRE(learning["contexts"].size() == 2);
  const auto& bad = learning["contexts"][0];
  CHECK(bad["id"] == "bad");
  CHECK(bad["successes"] == 1);
  CHECK(bad["failures"] == 3);
  REQUIRE(bad["buckets"].size() == 4);
  std::int64_t failures = 0;
  for (const auto& bucket : bad["buckets"]) failures += bucket["failures"].get<std::int64_t>();
  CHECK(failures == 3);
  const auto& good = learning["contexts"][1];
  CHECK(good["buckets"].back()["rate"] > bad["buckets"].back()["rate"]);

  CHECK(ask(session, "stats", {{"learning", true}, {"last", 1}})["learning"]["foreseen"][0]["task"] == "t4");
  const auto events = ask(session, "events", {{"limit", 100}})["events"];
  for (const auto& event : events) {
    if (event["kind"] == "outcome" && event["subject"] == "t4")
      ask(session, "undo", {{"event", event["event"]}});
  }
  CHECK(ask(session, "stats", {{"learning", true}})["learning"]["foreseen"].size() == 2);
}

TEST_CASE("learning without an outcome says that there is nothing yet") {
  MemorySession session(kNow);
  task(session, "a");
  const auto learning = ask(session, "stats", {{"learning", true}})["learning"];
  CHECK_FALSE(ask(session, "stats", Json::object()).contains("learning"));
  CHECK(learning["completions"] == 0);
  CHECK(learning["contexts"].empty());
}

}  // namespace
}  // namespace hebb::api
