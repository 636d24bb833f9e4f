// Whatever the order of arrival, a ledger gives the same bits in the state of every engine, in the
// mirror, after a rebuild, and in a plain fold in order.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/reward/world.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using reward::Random;
constexpr TimeMs kEnd = std::numeric_limits<TimeMs>::max();
const std::vector<std::string> kTypesWithoutContext{
    "RELATES", "PARENT_OF", "RESOLVES", "IMPLEMENTS", "BLOCKS", "GUIDES"};  // none makes a context

// The events of the simplest fold: those that are not undone, in the order of (at, key).
std::vector<Event> active_events(const Ledger& ledger, TimeMs until) {
  std::map<std::int64_t, Event> events;
  ledger.events_until(until, [&](Event&& e) { events.emplace(e.position, std::move(e)); });
  std::set<std::int64_t> undone;
  for (auto it = events.rbegin(); it != events.rend(); ++it) {
    const auto* undo = std::get_if<Undo>(&it->second.payload);
    if (undo && !undone.contains(it->first)) undone.insert(undo->event);
  }
  std::vector<Event> active;
  for (auto& [position, e] : events) {
    if (!undone.contains(position)) active.push_back(std::move(e));
  }
  std::sort(active.begin(), active.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.key) < std::tie(b.at, b.key);
  });
  return active;
}

State plain_fold(const Ledger& ledger, TimeMs until) {
  State s;
  for (const Event& e : active_events(ledger, until)) s.apply(e);
  ledger.events_until(until, [&](Event&& e) { s.note_latest(e); });  // undone ones too
  return s;
}

// --- shuffled arrival ----------------------------------------------------------------------------

struct Script {
  std::vector<Event> base, rest;  // base: what others need to be there when they arrive
};

Script random_script(Random& random) {
  Script script;
  std::vector<std::string> tasks;
  const auto add_base = [&](Event e) {
    script.base.push_back(keyed(std::move(e), fmt::format("base/{}", script.base.size())));
  };
  for (int i = 0; i < 6; ++i) {
    tasks.push_back(fmt::format("t{}", i));
    add_base(node(kStart, tasks.back(), "TASK", "OPEN", {static_cast<float>(i), 1.0f}));
  }
  add_base(node(kStart, "label", "LABEL", ""));
  // An outcome's contexts are looked up on arrival, so these edges are there from the beginning.
  for (int i = 0; i < 3; ++i)
    add_base(link(kStart, tasks[random.below(6)], "IN_CATEGORY", "label"));
  for (int i = 0; i < 45; ++i) {
    // By the hour, so that several happen at one instant.
    const TimeMs at = kStart + static_cast<TimeMs>(1 + random.below(240)) * kHour;
    const std::string a = random.pick(tasks), b = random.pick(tasks);
    const std::string type = a == b ? "RELATES" : random.pick(kTypesWithoutContext);
    const auto make = [&]() -> Event {
      switch (random.below(18)) {
        case 0:
          return unlink(at, a, type, b);
        case 1:
          return test::state(at, a, random.chance(0.5) ? "OPEN" : "CLOSED");
        case 2:
        case 3:
          return success(at, a, {b, random.pick(tasks)}, random.between(0.1, 1));
        case 4:
        case 5:
          return failure(at, a);
        case 6:
          return partial(at, a);
        case 7:
          return pivot(at, random.chance(0.3) ? "unknown" : a, random.between(0.2, 4));
        case 8:
          return guide(at, {{a, 1.0}, {random.chance(0.5) ? "t0" : "t1", 0.5}});
        case 9:
          return policy(at, {{"pivot_factor", random.chance(0.5) ? "0.3" : "0.9"},
                             {"other.decay_per_day", random.chance(0.5) ? "0.9" : "0.99"}});
        case 10:
          return node(at, a, "TASK", random.chance(0.5) ? "OPEN" : "");
        case 11:
          return named(at, a, fmt::format("name {}", i));
        case 12:
          return forget(at, {{a, b, type}}, {});
        case 13:
          return link(at, "frontier", "GUIDES", a, random.between(0.1, 3));
        default:
          return link(at, a, type, b, random.between(0.1, 3));
      }
    };
    script.rest.push_back(keyed(make(), fmt::format("e{:02}", i)));
  }
  return script;
}

void shuffle(Random& random, std::vector<Event>& events) {
  for (std::size_t i = events.size(); i > 1; --i) std::swap(events[i - 1], events[random.below(i)]);
}

TEST_CASE(
    "events that arrive in any order, in batches, through several engines, fold to the same bits") {
  const TempDir dir;
  for (int i = 1; i <= soak(25); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i));
    Script script = random_script(random);
    Engine ordered = open(dir.file(fmt::format("ordered{}.db", i)));
    ordered.append(script.base);
    auto in_order = script.rest;
    std::sort(in_order.begin(), in_order.end(), [](const Event& a, const Event& b) {
      return std::tie(a.at, a.key) < std::tie(b.at, b.key);
    });
    for (const Event& e : in_order) ordered.append(e);
    ordered.sync();

    const std::string path = dir.file(fmt::format("shuffled{}.db", i));
    std::vector<std::unique_ptr<Engine>> engines;
    for (int k = 0; k < 3; ++k) engines.push_back(std::make_unique<Engine>(open(path)));
    engines[0]->append(script.base);
    shuffle(random, script.rest);
    for (std::size_t next = 0; next < script.rest.size();) {
      const auto size = std::min<std::size_t>(1 + random.below(6), script.rest.size() - next);
      auto& engine = random.pick(engines);
      const auto begin = script.rest.begin() + static_cast<std::ptrdiff_t>(next);
      engine->append(std::vector<Event>(begin, begin + static_cast<std::ptrdiff_t>(size)));
      next += size;
      if (random.chance(0.3)) random.pick(engines)->sync();
      if (random.chance(0.1)) engines[random.below(3)] = std::make_unique<Engine>(open(path));
    }
    const std::string expected = dump(ordered.state());
    for (auto& engine : engines) CHECK(difference(dump(engine->state()), expected) == "");
    engines[1]->sync();
    CHECK(difference(dump_mirror(*engines[1]), dump_mirror(ordered)) == "");
    CHECK(engines[2]->verify() == std::vector<std::string>{});
    CHECK(difference(mirrored_ranking(*engines[0]), ranking_at_stamp(ordered.state())) == "");
    engines[1]->rebuild();
    CHECK(difference(dump(engines[1]->state()), expected) == "");
    CHECK(difference(dump_mirror(*engines[1]), dump_mirror(ordered)) == "");
  }
}

// --- everything at once --------------------------------------------------------------------------

class Walk {
 public:
  Walk(std::string path, std::uint64_t seed) : random_(seed), path_(std::move(path)) {
    for (int k = 0; k < 3; ++k) engines_.push_back(std::make_unique<Engine>(open(path_)));
    for (int i = 0; i < 5; ++i) {
      ids_.push_back(fmt::format("t{}", i));
      std::vector<float> vector;
      if (i != 2) vector = {static_cast<float>(i), 0.5f};
      engine().append(node(now_, ids_.back(), "TASK", "OPEN", vector));
    }
  }

  void step() {
    now_ += static_cast<TimeMs>(random_.below(30)) * kHour;
    if (random_.chance(0.02)) now_ += 90 * kDay;
    try {
      act();
    } catch (const Refused&) {                // of a node that is gone: nothing changed
    } catch (const std::invalid_argument&) {  // an undo that cannot be: nothing changed
    }
    if (random_.chance(0.15)) engine().sync();
    if (random_.chance(0.05)) engines_[random_.below(3)] = std::make_unique<Engine>(open(path_));
  }

  void compare() {
    const std::string expected = dump(plain_fold(engine().ledger(), kEnd));
    for (auto& e : engines_) CHECK(difference(dump(e->state()), expected) == "");
  }
  void check_mirror() {
    CHECK(engine().verify() == std::vector<std::string>{});
    CHECK(difference(mirrored_ranking(engine()), ranking_at_stamp(engine().state())) == "");
    Engine again = open(path_);
    CHECK(difference(dump(again.state()), dump(engine().state())) == "");
  }
  void check_as_of() {
    const TimeMs at =
        kStart + static_cast<TimeMs>(random_.below(static_cast<std::uint64_t>(now_ - kStart + 1)));
    CAPTURE(at);
    CHECK(difference(dump(engine().state_as_of(at)), dump(plain_fold(engine().ledger(), at))) ==
          "");
  }

 private:
  Engine& engine() { return *random_.pick(engines_); }

  // Now, or late.
  TimeMs when() {
    if (random_.chance(0.6)) return now_;
    return kStart +
           static_cast<TimeMs>(random_.below(static_cast<std::uint64_t>(now_ - kStart + 1)));
  }

  void act() {
    const std::string a = random_.pick(ids_), b = random_.pick(ids_);
    const std::string type = a == b ? "RELATES" : random_.pick(kTypesWithoutContext);
    const TimeMs at = when();
    switch (random_.below(20)) {
      case 0:
      case 1:
      case 2:
        engine().append(success(at, a));
        return;
      case 3:
      case 4:
        engine().append(failure(at, a));
        return;
      case 5:
        engine().append(unlink(at, a, type, b));
        return;
      case 6:
        engine().append(test::state(at, a, "OPEN"));
        return;
      case 7:
        engine().append(pivot(at, random_.chance(0.3) ? fmt::format("p{}", random_.below(4)) : a));
        return;
      case 8:
        engine().append(policy(at, {{"pivot_factor", random_.chance(0.5) ? "0.3" : "0.9"}}));
        return;
      case 9:
        engine().recalibrate(at);
        return;
      case 10:
        engine().append(remove(at, a));
        return;
      case 11:
        if (random_.chance(0.5)) ids_.push_back(fmt::format("n{}", now_));
        engine().append(node(at, ids_.back(), "TASK", random_.chance(0.5) ? "OPEN" : "CLOSED"));
        return;
      case 12:
        engine().append(named(at, a, fmt::format("{} {}", a, at)));
        return;
      case 13:
        engine().gc(random_.chance(0.7) ? now_ : at, static_cast<TimeMs>(random_.below(40)) * kDay,
                    false);
        return;
      case 14:
      case 15:
      case 16:
        engine().undo(1 + static_cast<std::int64_t>(random_.below(
                              static_cast<std::uint64_t>(engine().ledger().last_position()))),
                      now_);
        return;
      default:
        engine().append(link(at, random_.chance(0.2) ? "frontier" : a,
                             random_.chance(0.2) ? "LABELED_AS" : type, b,
                             random_.between(0.1, 3)));
    }
  }

  Random random_;
  std::string path_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::vector<std::string> ids_;
  TimeMs now_ = kStart;
};

TEST_CASE(
    "late events, undos, gc, policies and recalibrations: every engine holds the plain fold") {
  const TempDir dir;
  for (int i = 1; i <= soak(25); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    CAPTURE(seed);
    Walk walk(dir.file(fmt::format("{}.db", i)), seed);
    for (int step = 0; step < 80; ++step) {
      CAPTURE(step);
      walk.step();
      walk.compare();
      if (step % 16 == 15) {
        walk.check_mirror();
        walk.check_as_of();
      }
    }
  }
}

}  // namespace
}  // namespace hebb::test
