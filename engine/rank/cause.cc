#include "engine/rank/cause.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/edge_rules.h"

namespace hebb {
namespace {

constexpr std::size_t kPropertiesShown = 1024;  // bytes; an action's sequence always fits

// A link's properties for one line; only their size if they are longer than kPropertiesShown.
std::string properties_text(const Link& link) {
  if (!link.properties || *link.properties == "{}") return {};
  if (link.properties->size() > kPropertiesShown) {
    return fmt::format(" ({} bytes of properties)", link.properties->size());
  }
  return " " + *link.properties;
}

std::string describe(const Event& e) {
  if (const auto* p = std::get_if<Link>(&e.payload)) {
    return fmt::format("link {} {} {}{}", e.subject, p->type, p->target, properties_text(*p));
  }
  if (const auto* p = std::get_if<Unlink>(&e.payload)) {
    return fmt::format("unlink {} {} {}", e.subject, p->type, p->target);
  }
  if (const auto* p = std::get_if<OutcomeSignal>(&e.payload)) {
    switch (p->outcome) {
      case OutcomeKind::success:
        return fmt::format("success of {} (score {})", e.subject, p->score);
      case OutcomeKind::failure:
        return fmt::format("failure of {}", e.subject);
      case OutcomeKind::partial:
        return fmt::format("partial outcome of {}", e.subject);
    }
  }
  if (const auto* p = std::get_if<StateChange>(&e.payload)) {
    return fmt::format("state of {} becomes {}", e.subject, p->state);
  }
  if (std::holds_alternative<Pivot>(e.payload))
    return fmt::format("change of direction to {}", e.subject);
  if (std::holds_alternative<Recalibration>(e.payload)) return "recalibration";
  if (const auto* p = std::get_if<Undo>(&e.payload); p && !p->damage.empty()) {
    return fmt::format("event {} is set aside: {}", p->event, p->damage);
  }
  if (const auto* p = std::get_if<Undo>(&e.payload); p && p->repeats) {
    return fmt::format("event {} tells of a completion that another outcome tells of", p->event);
  }
  if (const auto* p = std::get_if<Claim>(&e.payload))
    return fmt::format("claim of {} by {}", e.subject, p->agent);
  if (const auto* p = std::get_if<Forget>(&e.payload);
      p && p->edges.size() == 1 && p->nodes.empty())
    return fmt::format("gc of {} {} {}", p->edges[0].source, p->edges[0].type, p->edges[0].target);
  return fmt::format("{} {}", kind_name(e.payload), e.subject);
}

// Whether e is a gc that removed one of the edge's ends, and so the edge.
bool forgets_end(const Event& e, const EdgeName& edge) {
  const auto* forget = std::get_if<Forget>(&e.payload);
  return forget && std::any_of(forget->nodes.begin(), forget->nodes.end(), [&](const auto& id) {
           return id == edge.source || id == edge.target;
         });
}

}  // namespace

Cause cause_of(const Event& e) { return {e.position, e.at, describe(e)}; }

void replay_edge(const State& policies, const EdgeName& edge, const std::vector<Event>& events,
                 const EdgeStepSink& step) {
  std::optional<reward::Weight> weight;
  std::vector<EdgeRule> rules;
  for (const Event& e : events) {
    const reward::Policy& policy = policies.policies().at({e.at, e.key});
    const reward::TypePolicy& type = policy.type(edge.type);
    const auto effective = [&]() -> std::optional<double> {
      if (!weight) return std::nullopt;
      return reward::effective(type, weight->w, weight->t, e.at);
    };
    const auto apply = [&](const EdgeRule& rule, std::string text) {
      const auto before = effective();
      weight = apply_rule(rule, type, weight, e.at);
      step(e, std::move(text), before, effective());
    };
    const bool pivots_away = std::holds_alternative<Pivot>(e.payload) && edge.source == kFrontier &&
                             (e.subject != edge.target || edge.type != kStrategicPivot);
    if (pivots_away && weight && !type.is_protected) {
      apply({edge.source, edge.target, edge.type, Rule::scale, policy.pivot_factor},
            fmt::format("scale {}", policy.pivot_factor));
    }
    rules.clear();
    edge_rules(e, policy, rules);
    if (weight && forgets_end(e, edge))
      rules.push_back({edge.source, edge.target, edge.type, Rule::remove, 0});
    for (const EdgeRule& r : rules) {
      if (r.rule == Rule::remove && !weight) continue;
      if (r.source != edge.source || r.target != edge.target || r.type != edge.type) continue;
      if (!weight && r.rule == Rule::scale) continue;
      if (r.rule == Rule::remove) {
        apply(r, "remove");
      } else if (r.rule == Rule::strengthen || r.rule == Rule::renew) {
        const bool wakes =
            r.rule == Rule::renew && weight && reward::dormant(type, weight->w, weight->t, e.at);
        apply(r, !weight ? fmt::format("create {}", r.x)
                 : wakes ? fmt::format("active again at {}", r.x)
                         : fmt::format("reinforce {} x {}", type.rate, r.x));
      } else {
        apply(r, fmt::format("{} {}", rule_name(r.rule), r.x));
      }
    }
  }
}

}  // namespace hebb
