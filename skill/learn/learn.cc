#include "skill/learn/learn.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "reward/weight.h"

namespace hebb::skill {
namespace {

constexpr std::string_view kStepType = "SKILL_STEP", kStrategyType = "STRATEGY";
constexpr std::string_view kResolvedVia = "RESOLVED_VIA", kMissedVia = "MISSED_VIA";

// The prior of each type: its assumed share of successes in kPriorWeight tries.
constexpr double kPriorWeight = 4;
struct Prior {
  SelectorType type;
  double share;
};
constexpr std::array kPriors{
    Prior{SelectorType::node_ref, 1.0},
    Prior{SelectorType::role_name, 0.95},
    Prior{SelectorType::accessible_name, 0.9},
    Prior{SelectorType::test_id, 0.85},
    Prior{SelectorType::label, 0.8},
    Prior{SelectorType::placeholder, 0.75},
    Prior{SelectorType::xpath, 0.7},
    Prior{SelectorType::css, 0.65},
    Prior{SelectorType::text, 0.6},
};

std::string strategy_id(SelectorType type) {
  return fmt::format("strategy:{}", selector_type_name(type));
}
std::string step_id(const Skill& skill, std::size_t index) {
  return fmt::format("{}#{}", skill.id, index);
}

class ReplaySignals {
 public:
  ReplaySignals(Engine& engine, const Skill& skill, const ReplayResult& result, TimeMs now)
      : engine_(engine), skill_(skill), result_(result), now_(now) {}

  void append() {
    add_outcome();
    for (const StepResult& step : result_.steps) add_step(step);
    add_proof();
    // A success closes its node; a skill must stay open.
    if (result_.ok) add(skill_.id, StateChange{std::string(kOpen)}, now_ + 1);
    engine_.append(std::move(events_));
  }

 private:
  void add(std::string subject, Payload payload, TimeMs at) {
    Event e;
    e.at = at;
    e.subject = std::move(subject);
    e.payload = std::move(payload);
    events_.push_back(std::move(e));
  }

  void node(const std::string& id, std::string_view type) {
    if (engine_.state().exists(id) || std::count(made_.begin(), made_.end(), id) > 0) return;
    made_.push_back(id);
    NodeUpsert upsert;
    upsert.type = type;
    add(id, std::move(upsert), now_);
  }

  void link(const std::string& source, std::string target, std::string_view type) {
    Link edge;
    edge.target = std::move(target);
    edge.type = type;
    add(source, std::move(edge), now_);
  }

  void add_outcome() {
    OutcomeSignal signal;
    signal.outcome = result_.ok ? OutcomeKind::success : OutcomeKind::failure;
    signal.related.emplace();  // an empty list: no other node is rewarded
    Json steps = Json::array();
    for (const StepResult& s : result_.steps) {
      steps.push_back({{"skill_id", skill_.id},
                       {"step_index", s.index},
                       {"resolved_via",
                        s.resolved_via ? Json(selector_type_name(*s.resolved_via)) : Json(nullptr)},
                       {"selector_attempts", s.selector_attempts},
                       {"elapsed_ms", s.elapsed_ms},
                       {"ok", s.ok}});
    }
    Json input{{"taskId", skill_.id},
               {"outcome", result_.ok ? "success" : "failure"},
               {"agentId", "hebb skill"},
               {"elapsed_ms", result_.elapsed_ms},
               {"steps", std::move(steps)}};
    if (result_.failure) input["code"] = result_.failure->code;
    auto canonical = canonical_properties(dump(input), "outcome");
    if (auto* refusal = std::get_if<Refusal>(&canonical)) throw Refused(std::move(*refusal));
    signal.input = std::get<std::string>(std::move(canonical));
    add(skill_.id, std::move(signal), now_);
  }

  void add_step(const StepResult& step) {
    if (!step.resolved_via && step.missed.empty()) return;
    const std::string id = step_id(skill_, step.index);
    node(id, kStepType);
    if (step.resolved_via) {
      node(strategy_id(*step.resolved_via), kStrategyType);
      link(id, strategy_id(*step.resolved_via), kResolvedVia);
    }
    for (const SelectorType missed : step.missed) {
      node(strategy_id(missed), kStrategyType);
      link(id, strategy_id(missed), kMissedVia);
    }
  }

  void add_proof() {
    const std::string proof(kProofNode);
    const EdgeName edge{proof, skill_.id, std::string(kProvenType)};
    if (!result_.ok) {
      if (engine_.state().find_edge(edge)) add(proof, Unlink{skill_.id, edge.type}, now_);
      return;
    }
    const std::int64_t in_a_row = skill_history(engine_, skill_.id).clean_in_a_row + 1;
    if (in_a_row < SkillHistory::kProvenRuns) return;
    node(proof, "PROOF");
    link(proof, skill_.id, kProvenType);
  }

  Engine& engine_;
  const Skill& skill_;
  const ReplayResult& result_;
  const TimeMs now_;
  std::vector<Event> events_;
  std::vector<std::string> made_;
};

double evidence(const State& state, graph::NodeId strategy, std::string_view type, TimeMs now) {
  const auto& graph = state.graph();
  double sum = 0;
  for (const graph::EdgeId e : graph.in_edges(strategy)) {
    if (graph.edge_types().name(graph.type(e)) != type) continue;
    const reward::Weight weight{graph.edges().weight[e], graph.edges().touched_at[e],
                                graph.edges().gained[e]};
    sum += reward::effective(type_policy(state, graph.type(e)), weight.w, weight.t, now);
  }
  return sum;
}

}  // namespace

void learn_replay(Engine& engine, const Skill& skill, const ReplayResult& result, TimeMs now) {
  if (!result.attempted || !engine.state().exists(skill.id)) return;
  ReplaySignals(engine, skill, result, now).append();
}

std::vector<SelectorType> learned_order(Engine& engine, TimeMs now) {
  const State& state = engine.state();
  std::vector<std::pair<double, SelectorType>> scored;
  for (const Prior& prior : kPriors) {
    double right = kPriorWeight * prior.share, wrong = kPriorWeight - right;
    if (const auto node = state.find(strategy_id(prior.type))) {
      right += evidence(state, *node, kResolvedVia, now);
      wrong += evidence(state, *node, kMissedVia, now);
    }
    scored.emplace_back(right / (right + wrong), prior.type);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SelectorType> order;
  for (const auto& [score, type] : scored) order.push_back(type);
  return order;
}

void order_chain(Chain& chain, const std::vector<SelectorType>& order) {
  const auto place = [&](const Selector& s) {
    if (s.type == SelectorType::node_ref) return std::ptrdiff_t{-1};
    return std::find(order.begin(), order.end(), s.type) - order.begin();
  };
  std::stable_sort(chain.begin(), chain.end(),
                   [&](const Selector& a, const Selector& b) { return place(a) < place(b); });
}

}  // namespace hebb::skill
