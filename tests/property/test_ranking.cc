// The ranking that is kept gives the bits of the ranking made anew, whatever happened in between.
#include <algorithm>
#include <cstring>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/fold/resolve.h"
#include "tests/reward/world.h"
#include "tests/support/history.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

using graph::NodeId;
using reward::Random;
using reward::Ranked;

const std::vector<std::string> kTypesToLink{"RELATES",    "PARENT_OF",   "RESOLVES",     "BLOCKS",
                                            "LABELED_AS", "IN_CATEGORY", "LABELED_AS",   "GUIDES",
                                            "PARENT_OF",  "WAITS_FOR",   "WAITS_FOR_ANY"};
const std::vector<std::string> kTypesToBe{"TASK", "TEST", "EPIC", "DECISION", "gate"};

const std::vector<std::string> kStatesToGive{"CLOSED",   "IN_PROGRESS", "BLOCKED",
                                             "DEFERRED", "In review",   "Won't do"};

std::string text_of(const State& s, const std::vector<Ranked>& ranked) {
  std::string text;
  for (const Ranked& r : ranked) {
    const auto& f = r.factors;
    text += fmt::format("{} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a}\n",
                        s.graph().id(r.node), f.priority, f.base, f.semantic, f.structural,
                        f.recency, f.time_proximity, f.order_proximity, f.context_overlap, f.reward,
                        f.success_rate, f.failure_penalty);
  }
  return text;
}

// Tasks and labels that are made, linked, closed, forgotten and folded again.
struct Life {
  explicit Life(std::uint64_t seed) : random(seed) {
    for (int i = 0; i < 9; ++i) ids.push_back(fmt::format("t{}", i));
    for (int i = 0; i < 3; ++i) ids.push_back(fmt::format("label{}", i));
    for (const auto& id : ids) take(make(id));
  }

  Event make(const std::string& id) {
    const bool task = id.front() == 't';
    std::vector<float> vector;
    if (random.chance(0.6)) vector = {static_cast<float>(random.below(9)), 1.0f};
    const std::string type = random.chance(0.8) ? "TASK" : random.pick(kTypesToBe);
    Event e = node(at(), id, task ? type : "LABEL", task && random.chance(0.8) ? "OPEN" : "",
                   std::move(vector));
    auto& said = std::get<NodeUpsert>(e.payload);
    if (task && random.chance(0.15)) {  // only named
      said.type.reset();
      said.state.reset();
    }
    if (random.chance(0.2)) said.pinned = random.chance(0.5);
    if (random.chance(0.2)) said.priority = static_cast<int>(random.below(5));
    if (random.chance(0.2)) said.due_at = kStart + static_cast<TimeMs>(random.below(5)) * kDay;
    if (random.chance(0.2)) said.estimate = static_cast<TimeMs>(random.below(5) + 1) * kDay;
    if (random.chance(0.2))
      said.snoozed_until = kStart + static_cast<TimeMs>(random.below(3)) * kDay;
    return e;
  }
  TimeMs at() {
    if (random.chance(0.7)) clock += static_cast<TimeMs>(random.below(5)) * kHour;
    return clock;
  }

  void take(Event e) {
    e = keyed(std::move(e), fmt::format("{:04}", events.size()));
    if (resolve(state, e)) return;  // it names what is not there
    state.apply(e);
    events.push_back(std::move(e));
  }

  // Some of it again, as for a late event or an undo: without one of the events, which stays out.
  void fold_again() {
    const std::size_t i = random.below(events.size());
    Scope scope;
    state.add_touched(events[i], scope);
    if (scope.everything) return;
    if (random.chance(0.5) && !std::holds_alternative<NodeUpsert>(events[i].payload))
      events.erase(events.begin() + static_cast<std::ptrdiff_t>(i));
    state.reset(scope);
    for (const Event& e : events) {
      if (!std::holds_alternative<PolicyChange>(e.payload)) state.apply(e, &scope);
    }
  }

  void step() {
    const std::string a = random.pick(ids), b = random.pick(ids);
    switch (random.below(20)) {
      case 0:
        return take(unlink(at(), a, random.pick(kTypesToLink), b));
      case 1:
        return take(test::state(at(), a, random.chance(0.5) ? "OPEN" : random.pick(kStatesToGive)));
      case 2:
      case 3:
      case 4:
        return take(success(at(), a));
      case 5:
      case 6:
        return take(failure(at(), a));
      case 7:
        return take(partial(at(), a));
      case 8:
        return take(pivot(at(), a, random.between(0.2, 4)));
      case 9:
        return take(guide(at(), {{a, 1.0}, {b, 0.5}}));
      case 10:
        return take(remove(at(), a));
      case 11:
        return take(make(a));
      case 12:
        return take(make(fmt::format("t{}", random.below(30))));
      case 13:
        return fold_again();
      case 14:
        if (!random.chance(0.2)) return;
        return take(policy(at(), {{random.chance(0.5) ? "frontier_tasks" : "order_proximity_tasks",
                                   random.chance(0.5) ? "1" : "4"},
                                  {"order_proximity_exponent", random.chance(0.3) ? "0" : "0.4"},
                                  {"close_on_success", random.chance(0.5) ? "false" : "true"}}));
      case 15:
        return take(forget(at(), {{a, b, random.pick(kTypesToLink)}}, {}));
      default:
        return take(link(at(), a, random.pick(kTypesToLink), b, random.between(0.1, 3)));
    }
  }

  Random random;
  State state{true};
  TimeMs clock = kStart;
  std::vector<std::string> ids;
  std::vector<Event> events;
};

// One with the same answers, made anew.
void check(Life& life, TimeMs now) {
  State& s = life.state;
  const auto& g = s.graph();
  const reward::Ranking& kept = s.ranking(now);
  const auto view = s.view();
  const reward::Ranking anew(view, now);
  const reward::Focus focus = anew.focus();
  const std::vector<Ranked> ranked = anew.all(g);
  REQUIRE(text_of(s, kept.first(g, g.node_bound())) == text_of(s, ranked));
  REQUIRE(kept.candidates() == ranked.size());
  const auto few = std::min<std::size_t>(ranked.size(), 3);
  REQUIRE(text_of(s, kept.first(g, 3)) ==
          text_of(s, {ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(few)}));
  CHECK(kept.focus().vector == focus.vector);
  CHECK(kept.focus().anchor == focus.anchor);
  CHECK(kept.focus().contexts == focus.contexts);

  reward::Focus other = kept.focus();
  other.vector = {3.0, 0.5};
  if (s.vectors().dimension() == 0) other.vector.clear();
  const auto sorted = [&](std::vector<Ranked> all) {
    std::sort(all.begin(), all.end(),
              [&](const Ranked& a, const Ranked& b) { return reward::better(g, a, b); });
    return text_of(s, all);
  };
  REQUIRE(sorted(kept.score(view, other)) == sorted(anew.score(view, other)));

  const reward::Kinds kinds(g);
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    const auto* row = kept.find(n);
    CHECK((row != nullptr && row->is_blocked == 0) == reward::is_candidate(view, n, now));
    if (row != nullptr && row->is_blocked == 0) {
      NodeId heaviest = graph::kNoNode;
      double most = 0;
      for (const graph::EdgeId e : g.in_edges(n)) {
        const double w =
            view.types[g.type(e)].structural ? reward::counting_weight(view, e, now) : 0;
        if (w > most || (w > 0 && w == most && g.id(g.source(e)) < g.id(heaviest)))
          heaviest = g.source(e);
        most = std::max(most, w);
      }
      CHECK(row->evidence.linked_from == heaviest);
      std::vector<NodeId> contexts;
      if (!reward::is_test(view, kinds, n)) reward::contexts(view, n, now, contexts);
      CHECK(std::ranges::equal(kept.contexts_of(*row), contexts));
    }
    const auto seen = reward::context_evidence(view, kinds, n, now);
    const reward::Evidence evidence = kept.evidence_of(view, kept.focus(), n);
    if (row != nullptr && row->is_blocked == 0)
      CHECK(std::memcmp(&evidence, &row->evidence, sizeof evidence) == 0);
    CHECK(kept.context(view, n).successes == seen.successes);
    CHECK(kept.context(view, n).failures == seen.failures);
  }
}

TEST_CASE("a ranking that is kept has the bits of one made anew", "[ranking]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Life life(seed);
    TimeMs now = kStart + kDay;
    for (int i = 0; i < 120; ++i) {
      CAPTURE(i);
      life.step();
      if (life.random.chance(0.1)) now += kHour;
      if (life.random.chance(0.7)) check(life, now);
    }
  }
}

TEST_CASE("what is kept of a ranking is given up when more changed than there are tasks",
          "[ranking]") {
  Life life(1);
  const TimeMs now = kStart + kDay;
  check(life, now);
  for (int i = 0; i < 11'000; ++i) life.take(partial(life.at(), "t1"));
  CHECK_FALSE(life.state.ranking(now).open().empty());
  check(life, now);
}

}  // namespace
}  // namespace hebb::test
