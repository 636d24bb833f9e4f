#include "tests/support/life.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "engine/tables.h"
#include "tests/support/any_event.h"

namespace hebb::test {
namespace {

using Texts = std::vector<std::string>;

// A context edge, a block or a reward is as likely as what merely relates.
const Texts kEdgeTypes{"RELATES",         "PARENT_OF",     "RESOLVES",    "BLOCKS",
                       "LABELED_AS",      "IN_CATEGORY",   "RELATES",     "WAITS_FOR",
                       "PARENT_OF",       "BLOCKS",        "LABELED_AS",  "GUIDES",
                       "RELATES",         "IMPLEMENTS",    "ASSIGNED_TO", "REWARD_POSITIVE",
                       "REWARD_NEGATIVE", "WAITS_FOR_ANY", "RELATES",     "CROSS_REFERENCES"};
const Texts kNodeTypes{"TASK", "TASK", "TEST",     "EPIC", "TASK",
                       "TASK", "GATE", "decision", "task", "RECORD"};
const Texts kStates{"CLOSED",   "IN_PROGRESS", "BLOCKED", "DEFERRED",    "In review",
                    "Won't do", "open",        "Closed",  "in-progress", "OPEN"};
const Texts kNames{"mend the login", "login", "renderer crashes", "", "???"};
// Few, so that some are equal; the last two are no durations.
const Texts kTook{"0", "7", "7.4", "250.5", "86400000", "-1", "1e+300"};
const Texts kDescriptions{"it fails at night", "see above", "", "..."};

struct Range {
  const char* key;
  double low, high;
};
const std::vector<Range> kSettings{{"prior", 0, 2},
                                   {"semantic_weight", 0, 4},
                                   {"structural_weight", 0, 3},
                                   {"recency_exponent", 0, 1},
                                   {"age_exponent", 0, 1},
                                   {"time_proximity_exponent", 0, 1},
                                   {"order_proximity_exponent", 0, 1},
                                   {"proximity_hours", 0.1, 99},
                                   {"order_proximity_failures", 0.1, 9},
                                   {"context_overlap_weight", 0, 3},
                                   {"reward_weight", 0, 2},
                                   {"attention_exponent", 0, 6},
                                   {"success_rate_exponent", 0, 6},
                                   {"success_rate_prior", 0.1, 20},
                                   {"success_rate_alpha", 0.1, 5},
                                   {"success_rate_floor", 0, 1},
                                   {"evidence_half_life_days", 1, 60},
                                   {"failure_penalty", 0.2, 2},
                                   {"untried_failures", 0, 3},
                                   {"urgency_base", 1, 4},
                                   {"due_weight", 0, 9},
                                   {"due_hours", 1, 99},
                                   {"pressing_days", 0, 20},
                                   {"duration_exponent", 0, 2},
                                   {"unblocks_urgency", 0, 1},
                                   {"unblocks_exponent", 0, 2},
                                   {"unblocks_decay", 0, 1},
                                   {"waiting_exponent", 0, 2},
                                   {"waiting_days", 0.1, 90},
                                   {"forgiveness", 0, 1},
                                   {"failure_guides_factor", 0.1, 1},
                                   {"pivot_factor", 0.1, 1},
                                   {"test.base", 1, 3},
                                   {"test.failure_factor", 0.5, 2},
                                   {"test.forgiveness", 0, 1},
                                   {"test.most_failures", 1, 3},
                                   {"test.untried_failures", 0, 3},
                                   {"other.decay_per_day", 0.8, 1},
                                   {"type.BLOCKS.decay_per_day", 0.5, 1},
                                   {"type.GUIDES.rate", 0.05, 1},
                                   {"type.NEWER.cap", 1, 9}};
const std::vector<Range> kCounts{{"max_related", 0, 4},
                                 {"frontier_tasks", 1, 5},
                                 {"order_proximity_tasks", 1, 5},
                                 {"top_k", 1, 5},
                                 {"attempts", 0, 3},
                                 {"label.label0.priority", -1, 4},
                                 {"label.label1.priority", -1, 4}};
const std::vector<const char*> kSwitches{
    "close_on_success", "test.by_failures",       "type.BLOCKS.protected", "node.GATE.work",
    "strict",           "context.LABEL.evidence", "node.EPIC.work",        "guides_relative"};

std::string text_of(double x) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + 40, x).ptr};
}

bool is_refused(const std::function<void()>& work) {
  try {
    work();
    return false;
  } catch (const Refused&) {                // of a node that is gone
  } catch (const reward::BadPolicy&) {      // out of bounds, or it would be after an undo
  } catch (const std::invalid_argument&) {  // an undo that cannot be
  }
  return true;
}

}  // namespace

Life::Life(std::uint64_t seed, LifeKind kind) : random(seed), kind_(kind) {
  const auto tasks = 4 + random.below(8);
  for (std::uint64_t i = 0; i < tasks; ++i) ids_.push_back(fmt::format("t{}", i));
  for (int i = 0; i < 3; ++i) ids_.push_back(fmt::format("label{}", i));
}

void Life::begin(Engine& engine) {
  if (auto settings = first_policy(); !settings.empty())
    engine.append(policy(kStart - kDay, std::move(settings)));
  Event first = node(now_, ids_[0]);
  auto& upsert_of_it = std::get<NodeUpsert>(first.payload);
  if (kind_.words) {
    upsert_of_it.name = "first";
  } else {
    upsert_of_it.vector = {0, 1, 0.5f};
  }
  engine.append(first);
  for (const auto& id : ids_) {
    engine.append(maybe_keyed(upsert(id)));
    if (random.chance(0.5)) now_ += static_cast<TimeMs>(random.below(48)) * kHour / 2;
  }
  if (random.chance(0.5)) engine.recalibrate(++now_);
}

void Life::step(Engine& engine) {
  // By the half hour, so that many things happen at one instant.
  if (random.chance(0.6)) now_ += static_cast<TimeMs>(random.below(48)) * kHour / 2;
  if (random.chance(0.03)) now_ += 40 * kDay;
  if (random.chance(0.01)) now_ += 400 * kDay;
  const std::string before = dump(engine.state());
  const auto position = engine.ledger().last_position();
  offered.reset();
  if (act(engine)) return;
  if (engine.ledger().last_position() != position || dump(engine.state()) != before)
    throw std::logic_error("what was refused left something behind");
}

void Life::end(Engine& engine) { engine.append(pivot(now_ += 2 * 400 * kDay, "end")); }

// Whether it was taken.
bool Life::act(Engine& engine) {
  const auto kind = random.below(20);
  if (kind == 0)
    return !is_refused(
        [&] { engine.recalibrate(kind_.late && random.chance(0.2) ? when() : ++now_); });
  if (kind == 1 && kind_.gc) {
    const TimeMs age = static_cast<TimeMs>(random.below(40)) * kDay;
    return !is_refused([&] {
      const GcReport report = engine.gc(when(), age, false);
      if (report.first_event != 0 && kind_.undoes && random.chance(0.3))
        engine.undo(report.first_event, now_, report.last_event);
    });
  }
  if (kind <= 3 && kind_.undoes) {
    const auto events = static_cast<std::uint64_t>(engine.ledger().last_position());
    const auto position = 1 + static_cast<std::int64_t>(random.below(events));
    return !is_refused([&] { engine.undo(position, now_); });
  }
  if (kind == 4) {
    std::vector<Event> several;
    for (int i = 0; i < 4; ++i) several.push_back(any(engine));
    return !is_refused([&] { engine.append(several); });
  }
  offered = any(engine);

  Applied applied = Applied::duplicate;
  return !is_refused([&] { applied = engine.append(*offered); }) && applied == Applied::applied;
}

// Now, or late.
TimeMs Life::when() {
  if (!kind_.late || random.chance(0.6)) return now_;
  return kStart + static_cast<TimeMs>(random.below(static_cast<std::uint64_t>(now_ - kStart + 1)));
}

Event Life::any(Engine& engine) {
  if (kind_.hostile && random.chance(0.2)) return hostile();
  const TimeMs at = when();
  const std::string a = id(), b = other_than(a);
  const auto make = [&]() -> Event {
    switch (random.below(24)) {
      case 0:
        return test::state(at, a, random.chance(0.5) ? "OPEN" : random.pick(kStates));
      case 1:
        return random.chance(0.5) ? remove(at, a) : upsert(a);
      case 2:
      case 3:
        return upsert(a);
      case 4:
        return pivot(at, random.chance(0.2) ? fmt::format("new{}", random.below(4)) : a,
                     random.between(0.1, 8));
      case 5:
        return unlink(at, a, random.pick(kEdgeTypes), b);
      case 6:
        return change_policy(at);
      case 7:
        return guide(at, {{a, 1.0}, {b, random.between(0, 1)}});
      case 8:
        return forget(at, {{a, b, random.pick(kEdgeTypes)}}, {});
      case 9:
        return any_of_claims(engine);
      case 10:
        return link(at, "frontier", random.chance(0.5) ? "GUIDES" : "SYSTEM_TENET", a,
                    random.between(0.05, 4));
      case 11:
      case 12:
      case 13:
      case 14:
      case 15:
      case 16:
        return outcome();
      default:
        return link(at, a, random.pick(kEdgeTypes), b, random.between(0.05, 4));
    }
  };
  return maybe_keyed(make());
}

Event Life::maybe_keyed(Event e) {
  ++events_;
  return random.chance(0.5) ? keyed(std::move(e), fmt::format("{:04}", events_)) : e;
}

Event Life::outcome() {
  Event e = success(when(), id());
  auto& signal = std::get<OutcomeSignal>(e.payload);
  const auto kind = random.below(6);
  signal.outcome = kind < 3   ? OutcomeKind::success
                   : kind < 5 ? OutcomeKind::failure
                              : OutcomeKind::partial;
  signal.score = random.between(0.01, 1);
  if (random.chance(0.3)) signal.related = Texts{id(), id()};
  if (random.chance(0.5)) {
    signal.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", random.pick(kTook));
  }
  return e;
}

// A claim, or what a worker does that holds one.
Event Life::any_of_claims(Engine& engine) {
  const auto claims = engine.claims();
  Event e = partial(now_, claims.empty() ? id() : claims.front().task);
  if (claims.empty()) {
    e.payload = Claim{.agent = "ann", .expires_at = now_ + kDay};
  } else if (random.chance(0.5)) {
    std::get<OutcomeSignal>(e.payload).token = claims.front().token;
  } else {
    e.payload = Release{claims.front().token};
  }
  return e;
}

Event Life::upsert(const std::string& id) {
  const bool is_label = id.starts_with("label");
  Event e = node(when(), id, is_label ? "LABEL" : random.pick(kNodeTypes));
  auto& upsert = std::get<NodeUpsert>(e.payload);
  upsert.state.reset();
  if (!is_label && random.chance(0.8))
    upsert.state = random.chance(0.8) ? "OPEN" : random.pick(kStates);
  if (random.chance(0.1)) return upsert = {}, e;  // only named
  if (!kind_.words && random.chance(0.6)) {
    for (int i = 0; i < 3; ++i) upsert.vector.push_back(static_cast<float>(random.between(-1, 1)));
  }
  if (random.chance(kind_.words ? 0.6 : 0.1)) upsert.name = random.pick(kNames);
  if (random.chance(kind_.words ? 0.5 : 0.1)) upsert.description = random.pick(kDescriptions);
  if (random.chance(0.1)) upsert.properties = R"({"a":[1,null]})";
  if (random.chance(0.1)) upsert.opens = false;
  if (random.chance(0.3)) say(upsert);
  return e;
}

// What people say, and now and then take back.
void Life::say(NodeUpsert& upsert) {
  const auto time = [&] { return now_ + static_cast<TimeMs>(random.below(40)) * kDay - 20 * kDay; };
  const auto maybe = [&](auto& field, auto value, auto nothing) {
    if (random.chance(0.5)) field = random.chance(0.3) ? nothing : value;
  };
  maybe(upsert.priority, static_cast<int>(random.below(5)), int{graph::kNoPriority});
  maybe(upsert.due_at, time(), graph::kNever);
  maybe(upsert.snoozed_until, time(), graph::kNever);
  maybe(upsert.estimate, TimeMs{1} << random.below(30), graph::kNever);
  maybe(upsert.pinned, random.chance(0.5), false);
}

std::vector<std::pair<std::string, std::string>> Life::first_policy() {
  std::vector<std::pair<std::string, std::string>> settings;
  if (random.chance(0.2)) {
    for (auto& s : reward::settings(reward::Policy::seed()))
      settings.emplace_back(std::move(s.key), std::move(s.value));
  }
  for (const Range& r : kSettings) {
    if (random.chance(0.1))
      settings.emplace_back(
          r.key, random.chance(0.2) ? text_of(r.low) : text_of(random.between(r.low, r.high)));
  }
  for (const Range& r : kCounts) {
    if (random.chance(0.2))
      settings.emplace_back(r.key, text_of(std::floor(random.between(r.low, r.high))));
  }
  for (const char* key : kSwitches) {
    if (random.chance(0.15)) settings.emplace_back(key, random.chance(0.5) ? "true" : "false");
  }
  return settings;
}

Event Life::change_policy(TimeMs at) {
  const auto kind = random.below(3);
  if (kind == 0)
    return policy(at, {{random.pick(kSwitches), random.chance(0.5) ? "true" : "false"}});
  const Range& r = random.pick(kind == 1 ? kCounts : kSettings);
  const double value = random.between(r.low, r.high);
  return policy(at, {{r.key, text_of(kind == 1 ? std::floor(value) : value)}});
}

std::string Life::id() {
  if (random.chance(0.02)) ids_.push_back(fmt::format("more{}", ids_.size()));
  return random.pick(ids_);
}

std::string Life::other_than(const std::string& id) {
  const std::string& other = random.pick(ids_);
  return other == id && random.chance(0.8) ? ids_[0] : other;
}

Event Life::hostile() {
  std::vector<std::uint8_t> bytes(64);
  for (auto& b : bytes) b = static_cast<std::uint8_t>(random.below(256));
  return AnyEvent(bytes).next();
}

}  // namespace hebb::test
