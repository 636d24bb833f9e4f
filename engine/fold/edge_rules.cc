#include "engine/fold/edge_rules.h"

#include "engine/fold/state.h"

namespace hebb {

std::string_view rule_name(Rule rule) {
  constexpr std::string_view kNames[] = {"strengthen", "renew", "scale", "assign", "remove"};
  return kNames[static_cast<std::size_t>(rule)];
}

namespace {

void outcome_rules(const Event& e, const OutcomeSignal& o, const reward::Policy& policy,
                   std::vector<EdgeRule>& out) {
  if (o.outcome == OutcomeKind::success) {
    if (o.related) {
      for (const auto& r : *o.related) {
        out.push_back({e.subject, r, kRewardPositive, Rule::strengthen, o.score});
      }
    }
    for (const auto& c : o.contexts) {
      out.push_back({e.subject, c, kRewardPositive, Rule::strengthen, o.score});
    }
    out.push_back({kFrontier, e.subject, kRewardNegative, Rule::scale, policy.forgiveness});
  } else if (o.outcome == OutcomeKind::failure) {
    out.push_back({kFrontier, e.subject, kGuides, Rule::scale, policy.failure_guides_factor});
    out.push_back({kFrontier, e.subject, kRewardNegative, Rule::strengthen, 1.0});
    for (const auto& c : o.contexts) {
      out.push_back({e.subject, c, kRewardNegative, Rule::strengthen, 1.0});
    }
  }
}

}  // namespace

void edge_rules(const Event& e, const reward::Policy& policy, std::vector<EdgeRule>& out) {
  if (const auto* link = std::get_if<Link>(&e.payload)) {
    out.push_back({e.subject, link->target, link->type, Rule::renew, link->weight});
  } else if (const auto* unlink = std::get_if<Unlink>(&e.payload)) {
    out.push_back({e.subject, unlink->target, unlink->type, Rule::remove, 0});
  } else if (const auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) {
    outcome_rules(e, *outcome, policy, out);
  } else if (const auto* pivot = std::get_if<Pivot>(&e.payload)) {
    out.push_back({kFrontier, e.subject, kStrategicPivot, Rule::assign, pivot->weight});
  } else if (const auto* recalibration = std::get_if<Recalibration>(&e.payload)) {
    for (const auto& guide : recalibration->guides) {
      out.push_back({kFrontier, guide.node, kGuides, Rule::strengthen, guide.x});
    }
  } else if (const auto* forget = std::get_if<Forget>(&e.payload)) {
    for (const auto& edge : forget->edges) {
      out.push_back({edge.source, edge.target, edge.type, Rule::remove, 0});
    }
  }
}

std::optional<reward::Weight> apply_rule(const EdgeRule& rule, const reward::TypePolicy& type,
                                         const std::optional<reward::Weight>& before, TimeMs at) {
  const bool makes = rule.rule == Rule::strengthen || rule.rule == Rule::renew;
  if (!before && makes) return reward::create(type, rule.x, at);
  if (rule.rule == Rule::remove || (rule.rule == Rule::scale && !before)) return std::nullopt;
  constexpr decltype(&reward::scale) kChanges[] = {reward::reinforce, reward::renew, reward::scale,
                                                   reward::assign};
  reward::Weight w = before.value_or(reward::Weight{});
  kChanges[static_cast<std::size_t>(rule.rule)](type, w, rule.x, at);
  return w;
}

}  // namespace hebb
