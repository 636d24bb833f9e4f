#include "engine/fold/resolve.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/done_once.h"
#include "engine/fold/edge_rules.h"
#include "engine/ledger/event_fields.h"
#include "engine/values/counted.h"
#include "engine/values/refusals.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

// known: a deleted node will do, as in events that the engine made or that come from another
// ledger.
std::optional<Refusal> need(const State& state, std::string_view id, std::string_view what,
                            bool known, std::string_view reason = refusal::kUnknownNode) {
  const bool created = state.find(id).has_value();
  if (known ? created : state.exists(id)) return std::nullopt;
  return Refusal{
      std::string(reason),
      fmt::format(
          "{} \"{}\" {}; `hebb search` finds what there is, and `hebb add`, `hebb node set` "
          "or a line of kind \"node\" makes it",
          what, id, created ? "is deleted" : "does not exist")};
}

Refusal reserved(const char* why) { return {std::string(refusal::kReserved), why}; }

std::optional<Refusal> need_room(const graph::Names& names, std::string_view name,
                                 std::string_view what) {
  // One of the names is "", which stands for "none" and does not count: hence <=.
  if (names.size() <= Limits::kNames || names.find(name)) return std::nullopt;
  return Refusal{
      std::string(refusal::kTooManyTypes),
      fmt::format("the {} \"{}\" would be one more than the {} that a database holds; use one that "
                  "is there, and put what differs from node to node into a name or a property",
                  what, name, Limits::kNames)};
}

// Refuses an event that brings a type or state for which the database has no room.
std::optional<Refusal> need_room(const graph::Graph& g, const Payload& payload) {
  std::optional<Refusal> refusal;
  if (const auto* upsert = std::get_if<NodeUpsert>(&payload)) {
    if (upsert->type) refusal = need_room(g.node_types(), *upsert->type, "node type");
    if (!refusal && upsert->state)
      refusal = need_room(g.states(), kept_state(*upsert->state), "state");
  } else if (const auto* change = std::get_if<StateChange>(&payload)) {
    refusal = need_room(g.states(), kept_state(change->state), "state");
  } else if (const auto* link = std::get_if<Link>(&payload)) {
    refusal = need_room(g.edge_types(), link->type, "edge type");
  } else if (const auto* unlink = std::get_if<Unlink>(&payload)) {
    refusal = need_room(g.edge_types(), unlink->type, "edge type");
  }
  return refusal;
}

bool names_alone(const NodeUpsert& upsert) {
  bool says_more = false;
  each_field<NodeUpsert>([&](const auto& field) {
    says_more = says_more || (field.use != Use::engine && is_given(field, upsert));
  });
  return !says_more;
}

std::optional<Refusal> resolve_node(const State& state, const Event& e, NodeUpsert& upsert) {
  if (e.subject == kFrontier)
    return reserved("the node \"frontier\" belongs to the engine; choose another id");
  // An upsert without fields only names a node, for example one that a task waits for.
  if (!upsert.type && !names_alone(upsert) && !state.find(e.subject)) {
    return Refusal{std::string(refusal::kMissingField),
                   fmt::format("node \"{}\" is new and has no \"type\"; give one", e.subject)};
  }
  if (upsert.vector.empty()) return std::nullopt;
  if (upsert.embedder.empty()) upsert.embedder = "external";
  const std::size_t d = state.facts().dimension;
  if (d != 0 && upsert.vector.size() != d) {
    return Refusal{
        std::string(refusal::kVectorDimension),
        fmt::format("\"vector\" has {}, this database's have {}; one database holds one dimension",
                    counted(std::ssize(upsert.vector), "number"), d)};
  }
  if (!state.facts().embedder.empty() && upsert.embedder != state.facts().embedder) {
    return Refusal{
        std::string(refusal::kVectorEmbedder),
        fmt::format(
            "this vector is from \"{}\", this database's are from \"{}\"; distances between "
            "them mean nothing, so they are not mixed",
            upsert.embedder, state.facts().embedder)};
  }
  return std::nullopt;
}

std::optional<Refusal> need_ends(const State& state, const Event& e, std::string_view target) {
  if (auto r = need(state, e.subject, "\"source\"", e.resolved)) return r;
  return need(state, target, "\"target\"", e.resolved);
}

std::optional<Refusal> resolve_link(const State& state, const Event& e, const Link& link) {
  if (auto r = need_ends(state, e, link.target)) return r;
  if (e.subject != link.target) return std::nullopt;
  if (link.type == "BLOCKS") {
    return Refusal{std::string(refusal::kSelfBlock),
                   fmt::format("\"{}\" cannot block itself", e.subject)};
  }
  if (link.type == "PARENT_OF" && !e.resolved) {  // older ledgers may have such
    return Refusal{std::string(refusal::kSelfBlock),
                   fmt::format("\"{}\" cannot be a part of itself", e.subject)};
  }
  return std::nullopt;
}

std::optional<Refusal> resolve_outcome(const State& state, const Event& e, OutcomeSignal& o) {
  if (auto r = need(state, e.subject, "the task", e.resolved, refusal::kUnknownTask)) return r;
  if (e.subject == kFrontier) return reserved("the node \"frontier\" is no task; name the task");
  if (e.resolved) {
    for (const auto* ids : {o.related ? &*o.related : nullptr, &o.contexts}) {
      if (!ids) continue;
      for (const auto& id : *ids) {
        if (auto r = need(state, id, "the node", true)) return r;
      }
    }
    return std::nullopt;
  }
  const NodeId task = *state.graph().find_node(e.subject);
  const auto& view = state.view();
  const auto text = [&](const std::vector<NodeId>& nodes) {
    std::vector<std::string> ids;
    ids.reserve(nodes.size());
    for (const NodeId n : nodes) ids.emplace_back(state.graph().id(n));
    return ids;
  };
  o.contexts.clear();
  const bool learns = o.outcome != OutcomeKind::partial &&
                      !reward::is_test(view, reward::KnownNames(view.graph), task);
  if (learns) o.contexts = text(reward::contexts(view, task, e.at));
  if (o.related) {
    for (const auto& id : *o.related) {
      if (auto r = need(state, id, "the related node", false)) return r;
    }
    std::sort(o.related->begin(), o.related->end());
    o.related->erase(std::unique(o.related->begin(), o.related->end()), o.related->end());
  } else if (o.outcome == OutcomeKind::success) {
    o.related = text(reward::related(view, task, e.at));
  }
  if (o.outcome != OutcomeKind::success) o.related.reset();
  if (o.related) {  // one outcome rewards a node once, and never its own task
    std::erase_if(*o.related, [&](const std::string& id) {
      return id == e.subject || id == kFrontier ||
             std::find(o.contexts.begin(), o.contexts.end(), id) != o.contexts.end();
    });
  }
  // A late outcome learns nothing, since its exponents would be in force from before the latest
  // event.
  const LedgerFacts& facts = state.facts();
  o.learned.reset();
  if (learns && o.outcome == OutcomeKind::success && state.policy().learn &&
      e.at >= facts.latest.at && counts(state, e) &&
      reward::is_due(facts.learned, facts.completed) &&
      reward::is_filed(view, reward::KnownNames(view.graph), task)) {
    // facts.completed counts tests too, so that it is soon known where nothing is due.
    o.learned = reward::learn(view_as_set(state), facts.learned);
  }
  return std::nullopt;
}

std::optional<Refusal> resolve_forget(const State& state, const Forget& forget) {
  for (const EdgeName& edge : forget.edges) {
    if (auto r = need(state, edge.source, "the node", true)) return r;
    if (auto r = need(state, edge.target, "the node", true)) return r;
  }
  for (const auto& id : forget.nodes) {
    if (auto r = need(state, id, "the node", true)) return r;
    if (id == kFrontier) return reserved("the node \"frontier\" belongs to the engine and stays");
  }
  return std::nullopt;
}

// Throws reward::BadPolicy, so that the fold never meets a setting that it cannot apply.
void check_policy(const State& state, const PolicyChange& change) {
  reward::Policy policy = change.replace ? reward::Policy::learned() : state.policy();
  for (const auto& [key, value] : change.settings) reward::set(policy, key, value);
  reward::check(policy);
}

}  // namespace

std::optional<Refusal> resolve(const State& state, Event& e) {
  if (auto refusal = need_room(state.graph(), e.payload)) return refusal;
  if (auto* upsert = std::get_if<NodeUpsert>(&e.payload)) return resolve_node(state, e, *upsert);
  if (auto* link = std::get_if<Link>(&e.payload)) return resolve_link(state, e, *link);
  if (auto* outcome = std::get_if<OutcomeSignal>(&e.payload))
    return resolve_outcome(state, e, *outcome);
  if (std::holds_alternative<Claim>(e.payload)) return need(state, e.subject, "the task", false);
  if (std::holds_alternative<StateChange>(e.payload) ||
      std::holds_alternative<NodeDelete>(e.payload)) {
    if (e.subject == kFrontier)
      return reserved("the node \"frontier\" belongs to the engine and stays as it is");
    return need(state, e.subject, "the node", e.resolved);
  }
  if (auto* unlink = std::get_if<Unlink>(&e.payload)) return need_ends(state, e, unlink->target);
  if (std::holds_alternative<Pivot>(e.payload) && e.subject == kFrontier)
    return reserved("`frontier` cannot be its own target");
  if (const auto* recalibration = std::get_if<Recalibration>(&e.payload)) {
    for (const Guide& guide : recalibration->guides) {
      if (auto r = need(state, guide.node, "the node", true)) return r;
    }
  }
  if (const auto* forget = std::get_if<Forget>(&e.payload)) return resolve_forget(state, *forget);
  if (const auto* change = std::get_if<PolicyChange>(&e.payload)) check_policy(state, *change);
  return std::nullopt;
}

}  // namespace hebb
