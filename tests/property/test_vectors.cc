// The vector of a node, made from its name and description, whatever the order in which these came,
// what was undone or put into quarantine, and by which way the ledger was folded.
#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/embed/embedder.h"
#include "tests/reward/world.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using reward::Random;

const std::vector<std::string> kNames{"mend the login", "login", "renderer crashes", "", "???"};
const std::vector<std::string> kDescriptions{"it fails at night", "see above", "", "..."};

// Edits of a few nodes, each with a key, in the order of the fold.
std::vector<Event> edits(Random& random) {
  std::vector<Event> events;
  const auto add = [&](Event e) {
    events.push_back(keyed(std::move(e), fmt::format("{:03}", events.size())));
  };
  for (int i = 0; i < 3; ++i) add(node(kStart, fmt::format("n{}", i)));
  for (int i = 0; i < 12; ++i) {
    const TimeMs at = kStart + static_cast<TimeMs>(1 + random.below(40)) * kHour;
    Event e = node(at, fmt::format("n{}", random.below(3)));
    auto& upsert = std::get<NodeUpsert>(e.payload);
    if (random.chance(0.6)) upsert.name = random.pick(kNames);
    if (random.chance(0.5)) upsert.description = random.pick(kDescriptions);
    add(std::move(e));
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.key) < std::tie(b.at, b.key);
  });
  return events;
}

std::vector<Event> shuffled(Random& random, std::vector<Event> events) {
  for (std::size_t i = events.size() - 1; i > 3; --i)  // the nodes are there before their edits
    std::swap(events[i], events[3 + random.below(i - 2)]);
  return events;
}

// Some at a time, as different commands would.
void append_in_parts(Random& random, Engine& engine, const std::vector<Event>& events) {
  for (std::size_t i = 0; i < events.size();) {
    const auto end = std::min(events.size(), i + 1 + random.below(4));
    engine.append({events.begin() + static_cast<std::ptrdiff_t>(i),
                   events.begin() + static_cast<std::ptrdiff_t>(end)});
    i = end;
    if (random.chance(0.3)) engine.sync();
  }
  engine.sync();
}

std::int64_t position_of(Engine& engine, const Event& event) {
  for (const Event& e : engine.events_of_node(event.subject, kEndOfTime)) {
    if (e.key == event.key) return e.position;
  }
  return 0;
}

// Each node's vector is that of the words it has, or none where nobody gave it words.
void check_vectors(Engine& engine) {
  const auto embedder = make_hashing_embedder();
  const State& s = engine.state();
  for (const char* id : {"n0", "n1", "n2"}) {
    CAPTURE(id);
    const NodeContent held = engine.content(id);
    std::string text = held.name.value_or("");
    if (!text.empty() && !held.description.value_or("").empty()) text += "\n";
    text += held.description.value_or("");
    const auto row = s.vectors().row(*s.find(id));
    CHECK(std::vector<float>(row.begin(), row.end()) ==
          embedder->embed(std::vector<std::string>{text}).front());
  }
}

void check_folds_alike(Engine& engine, const std::string& path) {
  CHECK(engine.verify().empty());
  const std::string lives = dump(engine.state());
  Engine again = open(path);
  CHECK(difference(dump(again.state()), lives) == "");
  CHECK(difference(dump(engine.state_as_of(kStart + 100 * kDay)), lives) == "");
  engine.rebuild();
  CHECK(difference(dump(engine.state()), lives) == "");
}

TEST_CASE("vectors are those of the words at the end, whatever the order of arrival") {
  const TempDir dir;
  for (int i = 1; i <= soak(60); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    CAPTURE(seed);
    Random random(seed);
    const std::vector<Event> events = edits(random);
    const std::string in_order = dir.file(fmt::format("{}-in-order.db", i));
    const std::string as_came = dir.file(fmt::format("{}-as-came.db", i));
    Engine first = open(in_order), second = open(as_came);
    append_in_parts(random, first, events);
    append_in_parts(random, second, shuffled(random, events));
    CHECK(difference(dump(second.state()), dump(first.state())) == "");
    check_vectors(second);

    Engine copy = open(":memory:");
    import_log(copy, exported(second));
    CHECK(difference(dump(copy.state()), dump(second.state())) == "");

    const Event& gone = events[3 + random.below(events.size() - 3)];
    for (Engine* engine : {&first, &second}) engine->undo(position_of(*engine, gone), kStart);
    CHECK(difference(dump(second.state()), dump(first.state())) == "");
    check_vectors(second);
    for (Engine* engine : {&first, &second}) engine->sync();
    check_folds_alike(first, in_order);
    check_folds_alike(second, as_came);
  }
}

TEST_CASE("a damaged edit in quarantine leaves no trace in a vector") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  Event renamed = named(kStart + kHour, "n", "second name");
  Event described = node(kStart + 2 * kHour, "n");
  std::get<NodeUpsert>(described.payload).description = "of the two";
  {
    Engine engine = open(path);
    engine.append(named(kStart, "n", "first name"));
    engine.append(std::vector{renamed, described});
    engine.sync();
  }
  const std::int64_t damaged = 2;
  {
    Engine engine = open(path);
    tables_of(engine).exec("UPDATE event SET payload = 'nonsense' WHERE position = 2");
  }
  Engine engine = open(path);
  engine.quarantine(std::span(&damaged, 1), kStart + kDay);
  engine.sync();
  CHECK(engine.verify().empty());
  const auto embedder = make_hashing_embedder();
  const auto row = engine.state().vectors().row(*engine.state().find("n"));
  CHECK(std::vector<float>(row.begin(), row.end()) ==
        embedder->embed(std::vector<std::string>{"first name\nof the two"}).front());
}

TEST_CASE("a vector that somebody gave is never replaced, whatever the order") {
  std::vector<Event> events{named(kStart, "n", "name"),
                            node(kStart + 1, "n", "TASK", "OPEN", {1, 2, 3}),
                            named(kStart + 2, "n", "other name")};
  do {
    Engine engine = open(":memory:");
    engine.append(node(kStart - 1, "given", "TASK", "OPEN", {3, 2, 1}));
    for (const Event& e : events) engine.append(e);
    const auto row = engine.state().vectors().row(*engine.state().find("n"));
    CHECK(std::vector<float>(row.begin(), row.end()) == std::vector<float>{1, 2, 3});
  } while (std::next_permutation(events.begin(), events.end(),
                                 [](const Event& a, const Event& b) { return a.at < b.at; }));
}

}  // namespace
}  // namespace hebb::test
