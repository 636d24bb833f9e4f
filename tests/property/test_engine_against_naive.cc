// Random operations on an engine with a file and on the naive model: after each one weights,
// states, factors and order are the same; now and then the mirror is compared with the fold of the
// ledger.
#include <algorithm>
#include <charconv>

#include <catch2/catch.hpp>

#include "reward/ranking.h"
#include "tests/reward/world.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"
#include "tests/support/naive_model.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

const std::vector<std::string> kTypesOfEveryKind{
    "CROSS_REFERENCES", "RESOLVES",        "PARENT_OF",   "RELATES",     "IMPLEMENTS",
    "BLOCKS",           "LABELED_AS",      "IN_CATEGORY", "ASSIGNED_TO", "GUIDES",
    "REWARD_POSITIVE",  "REWARD_NEGATIVE", "BLOCKS"};
const std::vector<std::string> kStates{"CLOSED",    "IN_PROGRESS", "BLOCKED", "DEFERRED",
                                       "In review", "open",        "Closed",  "in-progress"};

class EngineAndModel {
 public:
  EngineAndModel(const std::string& path, std::uint64_t seed)
      : random_(seed), path_(path), engine_(open(path)) {
    const int tasks = 4 + static_cast<int>(random_.below(8));
    for (int i = 0; i < tasks; ++i) ids_.push_back("t" + std::to_string(i));
    for (const auto& id : ids_) upsert(id);
  }

  void step() {
    pass_time();
    const std::string& a = random_.pick(ids_);
    const std::string& b = random_.pick(ids_);
    switch (random_.below(16)) {
      case 0:
        return change_state(a);
      case 1:
        return random_.chance(0.3) ? remove(a) : upsert(a);
      case 2:
        return upsert(a);
      case 3:
        return pivot(random_.chance(0.1) ? "new" + std::to_string(now_) : a);
      case 4:
        return recalibrate();
      case 5:
      case 6:
      case 7:
        return outcome(a, OutcomeKind::success);
      case 8:
      case 9:
        return outcome(a, OutcomeKind::failure);
      case 10:
        return outcome(a, OutcomeKind::partial);
      case 11:
        return unlink();
      case 12:
        return random_.chance(0.3) ? change_policy() : link(a, b);
      default:
        return link(a, b);
    }
  }

  void compare() {
    const State& s = engine_.state();
    const auto view = s.view();
    const reward::Ranking made(view, now_);
    const naive::Focus near = model_.focus(now_);
    CHECK(s.stamp() >= 0);
    for (const auto& [id, expected] : model_.nodes) {
      CAPTURE(id);
      const auto n = s.find(id);
      REQUIRE(n);
      const auto& c = s.graph().nodes();
      CHECK(s.graph().node_types().name(c.type[*n]) == expected.type);
      CHECK(s.graph().states().name(c.state[*n]) == expected.state);
      CHECK(c.created_at[*n] == expected.created);
      CHECK(c.completed_at[*n] == expected.completed.value_or(graph::kNever));
      CHECK(c.deleted_at[*n] == expected.deleted.value_or(graph::kNever));
      const auto f = reward::factors(view, made, *n);
      const auto g = model_.factors(near, id, now_);
      CHECK(f.structural == near_to(g.structural));
      CHECK(f.recency == near_to(g.recency));
      CHECK(f.success_rate == near_to(g.success_rate));
      CHECK(f.failure_penalty == near_to(g.failure_penalty));
      CHECK(f.urgency == near_to(g.urgency));
      CHECK(f.unblocks == near_to(g.unblocks));
      CHECK(f.waiting == near_to(g.waiting));
      CHECK(f.priority == near_to(g.priority));
    }
    CHECK(s.graph().num_edges() == model_.edges.size());
    for (const auto& [key, expected] : model_.edges) {
      CAPTURE(key.source, key.target, key.type);
      const auto e = s.find_edge({key.source, key.target, key.type});
      REQUIRE(e);
      CHECK(s.graph().edges().weight[*e] == near_to(expected.w));
      CHECK(s.graph().edges().touched_at[*e] == expected.t);
      CHECK(s.graph().edges().gained[*e] == near_to(expected.gained));
    }
    compare_order(ranking(engine_, now_), near);
  }

  void check_mirror() {
    engine_.sync();
    CHECK(engine_.verify() == std::vector<std::string>{});
    CHECK(difference(mirrored_ranking(engine_), ranking_at_stamp(engine_.state())) == "");
    Engine again = open(path_);
    CHECK(difference(dump(again.state()), dump(engine_.state())) == "");
  }

 private:
  static Approx near_to(double x) { return Approx(x).epsilon(1e-7).margin(1e-7); }

  // The same nodes, in the same order but for neighbours that 1e-7 cannot tell apart.
  void compare_order(const std::vector<std::string>& got, const naive::Focus& focus) {
    for (std::size_t i = 1; i < got.size(); ++i) {
      const bool pinned = model_.nodes.at(got[i]).pinned;
      CHECK((model_.nodes.at(got[i - 1]).pinned || !pinned));
      if (model_.nodes.at(got[i - 1]).pinned != pinned) continue;
      const double above = model_.factors(focus, got[i - 1], now_).priority;
      const double below = model_.factors(focus, got[i], now_).priority;
      CHECK(above >= below - 1e-7 * (1 + below));
    }
    auto sorted = got, expected = model_.ranking(focus, now_);
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    CHECK(sorted == expected);
  }

  void pass_time() {
    if (random_.chance(0.6)) now_ += static_cast<TimeMs>(random_.below(48)) * kHour / 2;
    if (random_.chance(0.03)) now_ += 40 * kDay;
  }

  void upsert(const std::string& id) {
    std::vector<float> vector;
    if (random_.chance(0.6)) {
      for (int i = 0; i < 3; ++i) vector.push_back(static_cast<float>(random_.between(-1, 1)));
    }
    const std::string type = random_.chance(0.2)   ? "EPIC"
                             : random_.chance(0.2) ? "TEST"
                             : random_.chance(0.1) ? "task"
                                                   : "TASK";
    const std::string state = random_.chance(0.8) ? "OPEN" : "";
    Event event = test::node(now_, id, type, state, vector);
    model_.upsert(now_, id, type, state.empty() ? std::nullopt : std::optional(state), vector);
    if (random_.chance(0.3)) say(id, std::get<NodeUpsert>(event.payload));
    engine_.append(std::move(event));
  }
  // What people say, and now and then take back.
  void say(const std::string& id, NodeUpsert& upsert) {
    naive::Node& node = model_.nodes[id];
    const auto time = [&] {
      return now_ + static_cast<TimeMs>(random_.below(40)) * kDay - 20 * kDay;
    };
    const auto said = [&](auto& in_event, auto& in_model, auto value, auto nothing) {
      if (random_.chance(0.5)) return;
      const bool back = random_.chance(0.3);
      in_event = back ? nothing : value;
      in_model.reset();
      if (!back) in_model = value;
    };
    said(upsert.priority, node.priority, static_cast<int>(random_.below(5)),
         int{graph::kNoPriority});
    said(upsert.due_at, node.due, time(), graph::kNever);
    said(upsert.estimate, node.estimate, TimeMs{1} << random_.below(30), graph::kNever);
    said(upsert.snoozed_until, node.snoozed, time(), graph::kNever);
    upsert.pinned = node.pinned = random_.chance(0.2);
  }
  void remove(const std::string& id) {
    if (!model_.exists(id)) return;
    engine_.append(test::remove(now_, id));
    model_.remove(now_, id);
  }
  void change_state(const std::string& id) {
    if (!model_.exists(id)) return;
    const std::string state = random_.chance(0.5) ? "OPEN" : random_.pick(kStates);
    engine_.append(test::state(now_, id, state));
    model_.change_state(now_, id, state);
  }
  void link(const std::string& a, const std::string& b) {
    const std::string source = random_.chance(0.1) ? "frontier" : a;
    const std::string& type = random_.pick(kTypesOfEveryKind);
    if (!model_.exists(source) || !model_.exists(b) || (type == "BLOCKS" && source == b)) return;
    const double x = random_.between(0.05, 4);
    engine_.append(test::link(now_, source, type, b, x));
    model_.link(now_, {source, b, type}, x);
  }
  void unlink() {
    if (model_.edges.empty()) return;
    auto it = model_.edges.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random_.below(model_.edges.size())));
    const naive::EdgeKey key = it->first;
    if (!model_.exists(key.source) || !model_.exists(key.target)) return;
    engine_.append(test::unlink(now_, key.source, key.type, key.target));
    model_.unlink(key);
  }
  void pivot(const std::string& id) {
    const double x = random_.between(0.1, 8);
    engine_.append(test::pivot(now_, id, x));
    model_.pivot(now_, id, x);
    if (std::find(ids_.begin(), ids_.end(), id) == ids_.end()) ids_.push_back(id);
  }
  // Its key sorts before those of what came at the same instant, so it has an instant of its own.
  void recalibrate() {
    now_ += 1;
    const auto expected = model_.ranking(model_.focus(now_), now_);
    const auto report = engine_.recalibrate(now_);
    CHECK(report.candidates == expected.size());
    model_.recalibrate(now_);
    now_ += 1;
  }
  void outcome(const std::string& id, OutcomeKind kind) {
    if (!model_.exists(id)) return;
    std::optional<std::set<std::string>> given;
    if (kind == OutcomeKind::success && random_.chance(0.3)) {
      given.emplace();
      for (const auto& other : ids_) {
        if (model_.exists(other) && random_.chance(0.3)) given->insert(other);
      }
    }
    const double score = random_.between(0.01, 1);
    Event e = test::success(now_, id);
    auto& signal = std::get<OutcomeSignal>(e.payload);
    signal.outcome = kind;
    signal.score = score;
    if (given) signal.related.emplace(given->begin(), given->end());
    engine_.append(std::move(e));
    const auto naive_kind = kind == OutcomeKind::success   ? naive::Outcome::success
                            : kind == OutcomeKind::failure ? naive::Outcome::failure
                                                           : naive::Outcome::partial;
    model_.outcome(now_, id, naive_kind, score, given);
  }
  void change_policy() {
    static const std::vector<std::tuple<const char*, double, double>> kSettings{
        {"prior", 0, 2},
        {"semantic_weight", 0, 4},
        {"recency_exponent", 0, 1},
        {"failure_penalty", 0.2, 2},
        {"untried_failures", 0, 3},
        {"forgiveness", 0, 1},
        {"pivot_factor", 0.1, 1},
        {"reward_weight", 0, 2},
        {"success_rate_floor", 0, 1},
        {"test.base", 1, 3},
        {"test.failure_factor", 0.5, 2},
        {"test.forgiveness", 0, 1},
        {"test.most_failures", 1, 3},
        {"test.untried_failures", 0, 3},
        {"other.decay_per_day", 0.8, 1},
        {"type.GUIDES.rate", 0.05, 1},
        {"type.NEWER.cap", 1, 9}};
    if (random_.chance(0.3)) {
      const char* key = random_.pick(std::vector<const char*>{
          "close_on_success", "test.by_failures", "type.BLOCKS.protected"});
      const bool on = random_.chance(0.5);
      engine_.append(policy(now_, {{key, on ? "true" : "false"}}));
      return model_.rules.set(key, on);
    }
    const auto& [key, low, high] = random_.pick(kSettings);
    const double value = random_.between(low, high);
    char buffer[40];
    const std::string text(buffer, std::to_chars(buffer, buffer + 40, value).ptr);
    engine_.append(policy(now_, {{key, text}}));
    model_.rules.set(key, value);
  }

  reward::Random random_;
  std::string path_;
  Engine engine_;
  naive::Model model_;
  TimeMs now_ = kStart;
  std::vector<std::string> ids_;
};

TEST_CASE("a random life of the engine is the naive model's") {
  const TempDir dir;
  for (int i = 1; i <= soak(30); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    CAPTURE(seed);
    EngineAndModel life(dir.file(std::to_string(seed) + ".db"), seed);
    for (int step = 0; step < 60; ++step) {
      CAPTURE(step);
      life.step();
      life.compare();
      if (step % 20 == 19) life.check_mirror();
    }
  }
}

}  // namespace
}  // namespace hebb::test
