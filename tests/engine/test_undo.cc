// An undo gives the history without an event; a state at a time, the history up to that time.
#include <catch2/catch.hpp>

#include "engine/rank/explain.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

// One of every kind, and an edge that each of them touches.
std::vector<Event> history() {
  std::vector<Event> events{
      node(kStart, "a", "TASK", "OPEN", {1, 0}),
      node(kStart, "b", "TASK", "OPEN", {0, 1}),
      node(kStart, "c", "TASK", "OPEN"),
      node(kStart, "label", "LABEL", ""),
      link(kStart, "a", "IN_CATEGORY", "label"),
      link(kStart + 1 * kHour, "b", "RELATES", "a"),
      link(kStart + 2 * kHour, "b", "RELATES", "a", 3),
      link(kStart + 3 * kHour, "frontier", "GUIDES", "a"),
      failure(kStart + 4 * kHour, "a"),
      pivot(kStart + 5 * kHour, "b", 2),
      pivot(kStart + 6 * kHour, "somewhere"),
      policy(kStart + 7 * kHour, {{"pivot_factor", "0.9"}, {"type.GUIDES.rate", "0.5"}}),
      guide(kStart + 8 * kHour, {{"a", 1.0}, {"b", 0.5}}),
      pivot(kStart + 9 * kHour, "c"),
      success(kStart + 10 * kHour, "a", {"b"}, 0.5),
      test::state(kStart + 11 * kHour, "a", "OPEN"),
      partial(kStart + 12 * kHour, "b"),
      named(kStart + 13 * kHour, "c", "third"),
      link(kStart + 14 * kHour, "c", "PARENT_OF", "b"),
      unlink(kStart + 15 * kHour, "c", "PARENT_OF", "b"),
      test::remove(kStart + 16 * kHour, "c"),
      forget(kStart + 17 * kHour, {{"b", "a", "RELATES"}}, {"somewhere"}),
  };
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i] = keyed(std::move(events[i]), "e" + std::to_string(i));
  return events;
}

// Without what undone events leave behind: that the latest event was so late.
std::string content(Engine& engine) {
  const std::string text = dump(engine.state());
  return text.substr(0, text.find("stamp "));
}

TEST_CASE("undoing any event gives the history without it, and undoing that gives it back",
          "[sqlite][slow]") {
  const auto events = history();
  for (std::size_t i = 0; i < events.size(); ++i) {
    CAPTURE(i, kind_name(events[i].payload));
    const Folder dir;
    Engine all = open(dir.file("all.db"));
    all.append(events);
    all.sync();
    const std::string before = dump(all.state());
    const auto position = static_cast<std::int64_t>(i) + 1;
    bool undone = true;
    try {
      all.undo(position, kStart + kDay);
    } catch (const std::invalid_argument& e) {
      undone = false;
      CHECK(std::string(e.what()).find("undo") != std::string::npos);
    }
    CHECK(all.verify() == std::vector<std::string>{});
    CHECK(all.undone().contains(position) == undone);
    // Only an event that alone made a node which others name cannot be undone.
    CHECK(undone == (i != 0 && i != 3));
    if (!undone) {
      CHECK(difference(dump(all.state()), before) == "");
      continue;
    }
    // What later ones resolved on arrival stays as it was, so they are given as the ledger has
    // them.
    Engine without = open(dir.file("without.db"));
    {
      sql::Transaction transaction(tables_of(without));
      for (std::size_t k = 0; k < events.size(); ++k) {
        Event e = *all.ledger().event(static_cast<std::int64_t>(k) + 1);
        if (k != i) storage_of(without).ledger().append(e);
      }
      transaction.commit();
    }
    CHECK(difference(content(all), content(without)) == "");
    CHECK_THROWS_AS(all.undo(position, kStart + kDay), std::invalid_argument);

    all.undo(all.ledger().last_position(), kStart + 2 * kDay);
    CHECK_FALSE(all.undone().contains(position));
    CHECK(difference(content(all), before.substr(0, before.find("stamp "))) == "");
    CHECK(all.verify() == std::vector<std::string>{});
  }
}

TEST_CASE("as of a time is what an engine holds that was told only what had happened by then",
          "[sqlite]") {
  const auto events = history();
  Engine all = open(":memory:");
  all.append(events);
  for (int hour = 0; hour <= 18; ++hour) {
    CAPTURE(hour);
    const TimeMs at = kStart + hour * kHour;
    Engine then = open(":memory:");
    {
      sql::Transaction transaction(tables_of(then));
      for (std::size_t k = 0; k < events.size(); ++k) {
        Event e = *all.ledger().event(static_cast<std::int64_t>(k) + 1);
        if (e.at <= at) storage_of(then).ledger().append(e);
      }
      transaction.commit();
    }
    CHECK(difference(dump(state_as_of(all, at)), dump(then.state())) == "");
    RankQuery query;
    query.top = 100;
    query.as_of = at;
    const auto rows = all.rank(query), expected = then.rank(query);
    REQUIRE(rows.size() == expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(rows[i].id == expected[i].id);
      CHECK(rows[i].factors.priority == expected[i].factors.priority);
    }
    const EdgeName guides{"frontier", "a", "GUIDES"};
    CHECK(explain(all, guides, at, {}).stored_weight == weight(then.state(), guides));
  }
}

TEST_CASE("that a later event changed a node does not let the event that made it be undone") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "a"));
  Event e = node(kStart + 1, "a");
  NodeUpsert changes;
  changes.pinned = true;
  e.payload = changes;
  engine.append(e);
  CHECK_THROWS_AS(engine.undo(1, kStart + 2), std::invalid_argument);
  engine.undo(2, kStart + 3);
  engine.undo(1, kStart + 4);
  CHECK_FALSE(engine.state().exists("a"));
}

}  // namespace
}  // namespace hebb::test
