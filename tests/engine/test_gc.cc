// What a gc writes, what it frees, and what it costs those who come after it.
#include <fstream>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/current/events.h"
#include "engine/rank/explain.h"
#include "engine/tables.h"
#include "tests/engine/graph_cache_support.h"
#include "tests/support/checks.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

constexpr TimeMs kLater = kStart + 200 * kDay;

void add_notes(Engine& engine, int count) {
  std::vector<Event> events;
  for (int i = 0; i < count; ++i)
    events.push_back(node(kStart, fmt::format("note-{}", i), "NOTE", ""));
  engine.append(events);
}

TEST_CASE("a gc is an event for each node and edge, and one undo takes back all of it", "[gc]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_notes(engine, 40);
  engine.append(link(kStart, "note-1", "RELATES", "note-2"));
  const auto before = engine.ledger().last_position();
  // Without the time of the latest event, which an undo does not take back.
  const auto held = [&] {
    const std::string text = dump(engine.state());
    return text.substr(0, text.find("stamp "));
  };
  const std::string all = held();

  const GcReport report = engine.gc(kLater, 30 * kDay, false);
  CHECK(report.nodes.size() == 40);
  CHECK(report.edges.size() == 1);
  CHECK(report.first_event == before + 1);
  CHECK(report.last_event == before + 41);
  for (auto position = report.first_event; position <= report.last_event; ++position) {
    const auto e = engine.ledger().event(position);
    const auto& gone = std::get<Forget>(e->payload);
    CHECK(gone.nodes.size() + gone.edges.size() == 1);
    CHECK(e->subject == (gone.nodes.empty() ? gone.edges[0].source : gone.nodes[0]));
  }
  CHECK(engine.state().graph().num_nodes() == 1);

  // By itself each brings back what it removed.
  const auto of_note_7 =
      report.last_event - 39 +
      std::distance(report.nodes.begin(), std::ranges::find(report.nodes, "note-7"));
  engine.undo(of_note_7, kLater + 1);
  CHECK(engine.state().exists("note-7"));
  CHECK_FALSE(engine.state().exists("note-8"));

  const auto by = engine.undo(report.first_event, kLater + 2, report.last_event).by;
  CHECK(held() == all);
  CHECK(check_plain_fold(engine) == "");
  CHECK(check_file(engine, dir.file("a.db")) == "");
  engine.undo(by, kLater + 3);
  CHECK(engine.state().graph().num_nodes() == 2);
  CHECK(engine.state().exists("note-7"));
}

TEST_CASE("only what one gc removed can be undone in one go", "[gc]") {
  Engine engine = open(":memory:");
  add_notes(engine, 3);
  const GcReport first = engine.gc(kLater, 30 * kDay, false);
  engine.append(node(kLater + kDay, "other", "NOTE", ""));
  const GcReport second = engine.gc(kLater + 90 * kDay, 30 * kDay, false);
  const auto refused = [&](std::int64_t from, std::int64_t to) {
    const auto last = engine.ledger().last_position();
    CHECK_THROWS_AS(engine.undo(from, kLater + 99 * kDay, to), std::invalid_argument);
    CHECK(engine.ledger().last_position() == last);
  };
  refused(1, 2);
  refused(first.first_event, second.last_event);
  refused(first.last_event, first.first_event);
  refused(first.first_event, second.last_event + 100);
  refused(first.first_event - 1, first.last_event);
  engine.undo(first.first_event, kLater + 99 * kDay, first.last_event);
  refused(first.first_event, first.last_event);
  CHECK(engine.state().exists("note-0"));
  CHECK_FALSE(engine.state().exists("other"));
}

TEST_CASE("what a gc removed is in no table, in no memory and not in the graph cache", "[gc]") {
  const Folder dir;
  const std::string path = dir.file("a.db"), cache = path + "-image";
  Engine other = open(path, 0);
  {
    Engine engine = open(path, 0);
    add_notes(engine, 2'000);
    engine.append(node(kStart, "stays"));
    engine.append(link(kLater - kDay, "stays", "RELATES", "note-399"));
    engine.rebuild();
    REQUIRE(read_text(cache).find("note-77") != std::string::npos);
    REQUIRE(other.state().graph().num_nodes() == 2'002);
    const auto size = fs::file_size(cache);

    CHECK(engine.gc(kLater, 30 * kDay, false).nodes.size() == 1'999);
    CHECK(engine.state().graph().num_nodes() == 3);
    CHECK(read_text(cache).find("note-77") == std::string::npos);
    CHECK(read_text(cache).find("note-399") != std::string::npos);
    CHECK(fs::file_size(cache) < size);
    CHECK(tables_of(engine).scalar("SELECT count(*) FROM node") == 3);
    CHECK(check_ranking(engine, kLater) == "");
  }
  CHECK(other.state().graph().num_nodes() == 3);  // another process, which follows
  CHECK(check_file(other, path) == "");
  other.append(link(kLater + 1, "stays", "BLOCKS", "note-399"));
  CHECK(check_file(other, path) == "");
}

TEST_CASE("few that a gc removed are not in the graph cache either", "[gc]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  Engine engine = open(path, 0);
  for (int i = 0; i < 50; ++i) engine.append(node(kStart, fmt::format("t{}", i)));
  engine.append(node(kStart, "one-note", "NOTE", ""));
  engine.rebuild();
  REQUIRE(read_text(path + "-image").find("one-note") != std::string::npos);
  engine.gc(kLater, 30 * kDay, false);
  CHECK(read_text(path + "-image").find("one-note") == std::string::npos);
  CHECK(engine.state().graph().num_nodes() == 51);
  engine.append(success(kLater + 1, "t1"));
  CHECK(check_file(engine, path) == "");
}

// The gc events of before hebb 0.3: one has all names.
TEST_CASE("a gc that is one event with all names keeps its effect", "[gc]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_notes(engine, 30);
  std::vector<EdgeName> edges;
  std::vector<std::string> nodes;
  for (int i = 0; i < 29; ++i) {
    const std::string a = fmt::format("note-{}", i), b = fmt::format("note-{}", i + 1);
    engine.append(link(kStart + i, a, "RELATES", b));
    edges.push_back({a, b, "RELATES"});
    if (i < 20) nodes.push_back(a);
  }
  engine.append(partial(kStart + 300 * kDay, "note-25"));
  engine.append(forget(kLater, edges, nodes));
  CHECK_FALSE(engine.state().exists("note-3"));
  CHECK(engine.state().exists("note-24"));
  CHECK(check_plain_fold(engine) == "");

  // What is late for it is folded with it, whether it was read before or came since.
  engine.append(link(kLater - kDay, "note-22", "RELATES", "note-21"));
  engine.append(link(kLater - kDay, "note-23", "RELATES", "note-24"));
  engine.append(forget(kLater + kDay, {{"note-22", "note-21", "RELATES"}}, {"note-29"}));
  engine.append(link(kLater - 2 * kDay, "note-22", "RELATES", "note-21"));
  CHECK(weight(engine.state(), {"note-22", "note-21", "RELATES"}) == 0);
  CHECK(weight(engine.state(), {"note-23", "note-24", "RELATES"}) == 0);
  CHECK(check_plain_fold(engine) == "");
  CHECK(check_file(engine, dir.file("a.db")) == "");
  CHECK(check_same(engine, *std::make_unique<Engine>(open(dir.file("a.db")))) == "");
}

TEST_CASE("the history of a node has what was removed of it, and no other gc", "[gc]") {
  Engine engine = open(":memory:");
  add_notes(engine, 50);
  engine.append(link(kStart, "note-1", "RELATES", "note-2"));
  engine.append(forget(kLater - kDay, {}, {"note-40", "note-41"}));
  engine.gc(kLater, 30 * kDay, false);
  CHECK(events_of_node(engine, "note-1", kEndOfTime).size() == 4);  // it, its edge, both removed
  CHECK(events_of_node(engine, "note-9", kEndOfTime).size() == 2);
  const auto events = events_of_node(engine, "note-40", kEndOfTime);
  REQUIRE(events.size() == 2);
  CHECK(std::get<Forget>(events[1].payload).nodes == std::vector<std::string>{"note-40"});
  CHECK(explain(engine, EdgeName{"note-1", "note-2", "RELATES"}).steps.size() == 2);
}

TEST_CASE("each line that a large gc exports names one thing", "[gc]") {
  Engine engine = open(":memory:");
  add_notes(engine, 3000);
  engine.gc(kLater, 30 * kDay, false);
  std::istringstream log(exported(engine));
  for (std::string line; std::getline(log, line);) REQUIRE(line.size() < 300);
  Engine copy = imported(engine);
  copy.sync();  // with the tables, nodes that are gone leave the graph
  CHECK(check_same(copy, engine) == "");
  CHECK(copy.state().graph().num_nodes() == 1);
}

TEST_CASE("a gc event is of the node or an end of the edge that it names", "[gc]") {
  const auto taken = [](std::string subject, Forget what) {
    Event e = forget(kStart, what.edges, what.nodes);
    e.subject = std::move(subject);
    return !validate(e);
  };
  const EdgeName edge{"a", "b", "T"};
  CHECK(taken("a", {{}, {"a"}}));
  CHECK(taken("a", {{edge}, {}}));
  CHECK(taken("b", {{edge}, {}}));
  CHECK(taken("ledger", {{edge}, {"c", "d"}}));
  CHECK_FALSE(taken("c", {{edge}, {}}));
  CHECK_FALSE(taken("a", {{edge}, {"a"}}));
  CHECK_FALSE(taken("a", {{}, {"a", "b"}}));
  CHECK_FALSE(taken("a", {{}, {}}));
}

TEST_CASE("a gc leaves a task of which a later outcome is there, though it counts nothing",
          "[gc]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart, "done"));
  engine.append(success(kStart + 1, "done"));
  engine.append(failure(kLater + kDay, "done"));
  CHECK(engine.gc(kLater, 0, true).nodes.empty());
  CHECK(engine.gc(kLater, 0, false).nodes.empty());
  CHECK(engine.gc(kLater + kDay, 0, false).nodes == std::vector<std::string>{"done"});
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(check_plain_fold(engine) == "");
}

}  // namespace
}  // namespace hebb::test
