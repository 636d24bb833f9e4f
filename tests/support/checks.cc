#include "tests/support/checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/embed/embedder.h"
#include "engine/fold/states.h"
#include "reward/evidence.h"
#include "reward/outcome.h"
#include "reward/ranking.h"
#include "reward/readiness.h"
#include "tests/support/differences.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

using graph::NodeId;

// Those that are not undone, in the order of (at, key).
std::vector<Event> active_events(const Ledger& ledger, TimeMs until) {
  std::map<std::int64_t, Event> events;
  ledger.events_until(until, [&](Event&& e) { events.emplace(e.position, std::move(e)); });
  std::set<std::int64_t> undone;
  for (auto it = events.rbegin(); it != events.rend(); ++it) {
    const auto* undo = std::get_if<Undo>(&it->second.payload);
    if (!undo || undone.contains(it->first)) continue;
    for (auto position = undo->event; position <= std::max(undo->event, undo->last); ++position)
      undone.insert(position);
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

}  // namespace

State plain_fold(const Ledger& ledger, TimeMs until) {
  State s;
  for (const Event& e : active_events(ledger, until)) s.apply(e);
  ledger.events_until(until, [&](Event&& e) { s.note_latest(e); });  // undone ones too
  return s;
}

// --- the naive model -----------------------------------------------------------------------------

namespace {

std::set<std::string> as_set(const std::vector<std::string>& ids) {
  return {ids.begin(), ids.end()};
}

void tell_node(naive::Model& model, const Event& e, const NodeUpsert& u) {
  auto state = u.state;
  if (!u.opens && model.nodes[e.subject].state == kClosed) state.reset();
  model.upsert(e.at, e.subject, u.type, state, u.vector);
  naive::Node& node = model.nodes[e.subject];
  if (!u.embedder.empty()) node.vector = u.vector;  // none of words without a word
  const auto said = [](auto& kept, const auto& given, auto nothing) {
    if (given && *given == nothing) kept.reset();
    if (given && *given != nothing) kept = *given;
  };
  said(node.priority, u.priority, int{graph::kNoPriority});
  said(node.due, u.due_at, graph::kNever);
  said(node.snoozed, u.snoozed_until, graph::kNever);
  said(node.estimate, u.estimate, graph::kNever);
  if (u.pinned) node.pinned = *u.pinned;
}

void tell_policy(naive::Rules& rules, const PolicyChange& change) {
  if (change.replace) rules = naive::Rules::learned();
  for (const auto& [key, value] : change.settings) {
    double number = value == "true" ? 1 : 0;
    if (value == "inf" || value == "infinity") number = std::numeric_limits<double>::infinity();
    std::from_chars(value.data(), value.data() + value.size(), number);
    rules.set(key, number);
  }
}

// In whole milliseconds; what is no number, below 0 or above ten years is none.
std::optional<TimeMs> duration_of(const std::string& input) {
  const auto json = nlohmann::json::parse(input, nullptr, false);
  const auto place = nlohmann::json::json_pointer("/metrics/executionTimeMs");
  if (!json.is_object() || !json.contains(place) || !json[place].is_number()) return std::nullopt;
  const double ms = json[place].get<double>();
  return ms >= 0 && ms <= 3660 * 86400e3 ? std::optional(std::lround(ms)) : std::nullopt;
}

void tell(naive::Model& model, const Event& e) {
  if (const auto* u = std::get_if<NodeUpsert>(&e.payload)) {
    tell_node(model, e, *u);
  } else if (std::holds_alternative<NodeDelete>(e.payload)) {
    model.remove(e.at, e.subject);
  } else if (const auto* link = std::get_if<Link>(&e.payload)) {
    model.link(e.at, {e.subject, link->target, link->type}, link->weight);
  } else if (const auto* unlink = std::get_if<Unlink>(&e.payload)) {
    model.unlink({e.subject, unlink->target, unlink->type});
  } else if (const auto* change = std::get_if<StateChange>(&e.payload)) {
    if (change->opens || model.nodes[e.subject].state != kClosed)
      model.change_state(e.at, e.subject, change->state);
  } else if (const auto* o = std::get_if<OutcomeSignal>(&e.payload)) {
    const auto kind = o->outcome == OutcomeKind::success   ? naive::Outcome::success
                      : o->outcome == OutcomeKind::failure ? naive::Outcome::failure
                                                           : naive::Outcome::partial;
    model.outcome(e.at, e.subject, kind, o->score,
                  as_set(o->related.value_or(std::vector<std::string>())), as_set(o->contexts),
                  duration_of(o->input));
  } else if (const auto* pivot = std::get_if<Pivot>(&e.payload)) {
    model.pivot(e.at, e.subject, pivot->weight);
  } else if (const auto* r = std::get_if<Recalibration>(&e.payload)) {
    for (const Guide& g : r->guides) model.strengthen(e.at, {"frontier", g.node, "GUIDES"}, g.x);
  } else if (const auto* policy = std::get_if<PolicyChange>(&e.payload)) {
    tell_policy(model.rules, *policy);
  } else if (const auto* forget = std::get_if<Forget>(&e.payload)) {
    for (const EdgeName& edge : forget->edges) model.unlink({edge.source, edge.target, edge.type});
    for (const auto& id : forget->nodes) model.forget(id);
  }
}

struct Compared {
  const char* name;
  double reward::Factors::*value;
  double naive::Factors::*expected;
};
using F = reward::Factors;
using N = naive::Factors;
constexpr Compared kCompared[] = {{"priority", &F::priority, &N::priority},
                                  {"base", &F::base, &N::base},
                                  {"semantic", &F::semantic, &N::semantic},
                                  {"structural", &F::structural, &N::structural},
                                  {"recency", &F::recency, &N::recency},
                                  {"age", &F::age, &N::age},
                                  {"time_proximity", &F::time_proximity, &N::time_proximity},
                                  {"order_proximity", &F::order_proximity, &N::order_proximity},
                                  {"context_overlap", &F::context_overlap, &N::context_overlap},
                                  {"reward", &F::reward, &N::reward},
                                  {"attention", &F::attention, &N::attention},
                                  {"success_rate", &F::success_rate, &N::success_rate},
                                  {"failure_penalty", &F::failure_penalty, &N::failure_penalty},
                                  {"urgency", &F::urgency, &N::urgency},
                                  {"unblocks", &F::unblocks, &N::unblocks},
                                  {"duration", &F::duration, &N::duration},
                                  {"waiting", &F::waiting, &N::waiting}};

// Of two tests that people say are equally urgent, exactly: the one with more failures is above;
// with equal failures, below 1, the one that takes less, or of which alone that is known.
bool stand_as_tests(const naive::Model& model, const std::string& above, const std::string& below,
                    TimeMs now) {
  if (!model.is_test(above) || !model.is_test(below)) return true;
  const naive::Factors a = model.factors({}, above, now), b = model.factors({}, below, now);
  if (a.urgency != b.urgency) return true;
  if (a.test_failures != b.test_failures) return a.test_failures > b.test_failures;
  if (std::abs(a.test_failures) >= 1) return true;
  const auto took_a = model.nodes.at(above).duration, took_b = model.nodes.at(below).duration;
  return took_a && took_b ? *took_a <= *took_b : took_a || !took_b;
}

// The same nodes, in the same order but for neighbours that 1e-7 cannot tell apart.
void compare_order(Differences& d, const std::vector<std::string>& got, const naive::Model& model,
                   const naive::Focus& focus, TimeMs now) {
  for (std::size_t i = 1; i < got.size(); ++i) {
    const naive::Factors a = model.factors(focus, got[i - 1], now);
    const naive::Factors b = model.factors(focus, got[i], now);
    if (a.tier == b.tier ? a.priority < b.priority && !near(a.priority, b.priority)
                         : a.tier < b.tier)
      d.text += fmt::format("{} stands above {}\n", got[i - 1], got[i]);
    if (a.tier == b.tier && !stand_as_tests(model, got[i - 1], got[i], now))
      d.text += fmt::format("the test {} stands above {}\n", got[i - 1], got[i]);
  }
  const auto expected = model.ranking(focus, now);
  d.same("candidates", fmt::format("{}", fmt::join(as_set(got), " ")),
         fmt::format("{}", fmt::join(as_set(expected), " ")));
}

std::string joined_ids(const State& s, const std::vector<NodeId>& nodes) {
  std::set<std::string> ids;
  for (const NodeId n : nodes) ids.emplace(s.graph().id(n));
  return fmt::format("{}", fmt::join(ids, " "));
}

}  // namespace

naive::Model naive_of(Engine& engine) {
  naive::Model model;
  for (const Event& e : active_events(engine.ledger(), kEndOfTime)) tell(model, e);
  return model;
}

std::string check_naive(Engine& engine, naive::Model model, TimeMs now) {
  Differences d;
  const State& s = engine.state();
  const reward::Times times = s.facts().times(now);
  model.stamp = times.stamp;
  const auto view = s.view();
  const auto& g = s.graph();
  const auto& c = g.nodes();
  const reward::Ranking made(view, times);
  const naive::Focus focus = model.focus(now);
  d.same("anchor", made.focus().anchor, focus.anchor.value_or(graph::kNever));
  for (const auto& [id, node] : model.nodes) {
    const auto n = s.find(id);
    d.same(id + " exists", n.has_value(), node.created.has_value());
    if (!n || !node.created) continue;
    d.same(id + " type", g.node_types().name(c.type[*n]), node.type);
    d.same(id + " state", g.states().name(c.state[*n]), node.state);
    d.same(id + " created", c.created_at[*n], *node.created);
    d.same(id + " reopened", c.reopened_at[*n], node.reopened.value_or(graph::kNever));
    d.same(id + " outcome", c.outcome_at[*n], node.outcome.value_or(graph::kNever));
    d.same(id + " completed", c.completed_at[*n], node.completed.value_or(graph::kNever));
    d.same(id + " deleted", c.deleted_at[*n], node.deleted.value_or(graph::kNever));
    d.same(id + " duration", c.duration_ms[*n], node.duration.value_or(graph::kNever));
    const auto f = reward::factors(view, made, *n);
    const auto expected = model.factors(focus, id, now);
    for (const Compared& x : kCompared)
      d.close(id + " " + x.name, f.*x.value, expected.*x.expected);
    d.close(id + " test failures", f.test_failures, expected.test_failures);
    d.same(id + " tier", f.tier, std::int64_t{expected.tier});
    d.same(id + " candidate", reward::is_candidate(view, *n, times), model.is_candidate(id, now));
    d.same(id + " activity", made.evidence_of(view, made.focus(), *n).last_activity,
           model.last_activity(id, now).value_or(graph::kNever));
    std::vector<NodeId> contexts;
    reward::evidence_contexts(view, *n, times.stamp, contexts);
    d.same(id + " contexts", joined_ids(s, contexts),
           fmt::format("{}", fmt::join(model.evidence_contexts(id, now), " ")));
    d.same(id + " blockers", joined_ids(s, reward::blockers(view, *n, times)),
           fmt::format("{}", fmt::join(model.blockers(id, now), " ")));
  }
  d.same("edges", g.num_edges(), model.edges.size());
  for (const auto& [key, edge] : model.edges) {
    const std::string name = key.source + " " + key.type + " " + key.target;
    const auto e = s.find_edge({key.source, key.target, key.type});
    d.same(name, e.has_value(), true);
    if (!e) continue;
    d.close(name, g.edges().weight[*e], edge.w);
    d.close(name + " gained", g.edges().gained[*e], edge.gained);
    d.same(name + " touched", g.edges().touched_at[*e], edge.t);
  }
  compare_order(d, ranking(engine, now), model, focus, now);
  return d.text;
}

std::string check_arrival(const naive::Model& model, const Event& stored,
                          const std::optional<Event>& offered) {
  Differences d;
  const auto text = [](const auto& ids) { return fmt::format("{}", fmt::join(ids, " ")); };
  if (const auto* o = std::get_if<OutcomeSignal>(&stored.payload)) {
    const bool learns = o->outcome != OutcomeKind::partial && !model.is_test(stored.subject);
    const auto contexts =
        learns ? model.contexts(stored.subject, stored.at) : std::set<std::string>();
    d.same("contexts of " + stored.subject, text(as_set(o->contexts)), text(contexts));
    if (!offered || !o->related || std::get<OutcomeSignal>(offered->payload).related) return d.text;
    auto related = as_set(model.related(stored.subject, stored.at));
    for (const auto& c : contexts) related.erase(c);
    d.same("related to " + stored.subject, text(as_set(*o->related)), text(related));
  } else if (const auto* r = std::get_if<Recalibration>(&stored.payload); r && !offered) {
    const naive::Focus focus = model.focus(stored.at);
    const auto priority = [&](const std::string& id) {
      return model.factors(focus, id, stored.at).priority;
    };
    const auto best = model.ranking(focus, stored.at);
    const auto k = std::min(best.size(), static_cast<std::size_t>(model.rules["top_k"]));
    const std::set<std::string> first(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(k));
    const naive::Factors last =
        k > 0 ? model.factors(focus, best[k - 1], stored.at) : naive::Factors{};
    double largest = 0, least = k > 0 ? std::numeric_limits<double>::infinity() : 0;
    for (const auto& id : first) {
      largest = std::max(largest, priority(id));
      least = std::min(least, priority(id));
    }
    const double whole = model.rules["guides_relative"] != 0 ? largest : 1;
    for (const Guide& g : r->guides) {
      d.close("guide to " + g.node, g.x, priority(g.node) / whole);
      const naive::Factors f = model.factors(focus, g.node, stored.at);
      const bool level = f.tier == last.tier && near(f.priority, last.priority);
      if (!first.contains(g.node) && !level) d.text += g.node + " is none of the first\n";
    }
    if (largest > 0 && r->guides.size() != k && least > 0)
      d.text += fmt::format("{} guides, expected {}\n", r->guides.size(), k);
  }
  return d.text;
}

// --- elsewhere -----------------------------------------------------------------------------------

Engine imported(Engine& engine) {
  Engine copy = open(":memory:");
  const std::string log = exported(engine);
  const auto summary = import_log(copy, log);
  if (summary.refused > 0) throw std::logic_error(summary.refusals[0].refusal.detail);
  return copy;
}

Engine imported_shuffled(Engine& engine, Random& random) {
  std::vector<std::string> lines;
  export_log(engine, [&](std::string_view line) { lines.emplace_back(line); });
  random.shuffle(lines);
  Engine copy = open(":memory:");
  while (!lines.empty()) {
    std::vector<std::string> left;
    for (std::size_t i = 0; i < lines.size();) {
      const auto end = std::min<std::size_t>(lines.size(), i + 1 + random.below(5));
      std::string part;
      for (std::size_t k = i; k < end; ++k) part += lines[k];
      for (const auto& r : import_log(copy, part).refusals)
        left.push_back(lines[i + static_cast<std::size_t>(r.line) - 1]);
      i = end;
      if (random.chance(0.3)) copy.sync();
    }
    if (left.size() == lines.size()) {
      throw std::logic_error("refused for good: " + left[0]);
    }
    lines = std::move(left);
  }
  return copy;
}

// --- without the model ---------------------------------------------------------------------------

std::string check_plain_fold(Engine& engine) {
  return difference(dump(engine.state()), dump(plain_fold(engine.ledger(), kEndOfTime)));
}

std::string check_as_of(Engine& engine, TimeMs at) {
  return difference(dump(state_as_of(engine, at)), dump(plain_fold(engine.ledger(), at)));
}

std::string check_file(Engine& engine, const std::string& path) {
  engine.sync();
  const auto problems = engine.verify();
  if (!problems.empty()) return problems.front();
  std::string text = difference(mirrored_ranking(engine), ranking_at_stamp(engine.state()));
  Engine again = open(path);
  return text + difference(dump(again.state()), dump(engine.state()));
}

std::string check_same(Engine& got, Engine& expected) {
  return difference(dump(got.state()), dump(expected.state()));
}

}  // namespace hebb::test
