#include "engine/before.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/current/events.h"
#include "engine/input/tracker.h"
#include "engine/values/canonical_json.h"
#include "reward/readiness.h"

namespace hebb {

using graph::NodeId;

namespace {

// The texts in a node's properties.
class Properties {
 public:
  explicit Properties(const NodeContent& content) {
    if (content.properties) object_ = reader_.parse_object(*content.properties);
  }
  // Empty: there is none.
  std::string operator[](std::string_view name) const {
    return object_ ? std::string(input::text_in(*object_, name)) : "";
  }

 private:
  input::JsonReader reader_;
  std::optional<input::Object> object_;
};

}  // namespace

const HeldBefore::Node* GraphBefore::find(const std::string& id) {
  auto known = known_.find(id);
  if (known == known_.end()) known = known_.emplace(id, look_up(id)).first;
  return known->second ? &*known->second : nullptr;
}

bool GraphBefore::was_deleted(const std::string& id) {
  const State& state = impl_.folded.state();
  const auto n = state.find(id);
  return n && state.graph().nodes().deleted_at[*n] != graph::kNever;
}

bool GraphBefore::has_outcome(const std::string& id) {
  const auto [known, asked] = outcomes_.try_emplace(id);
  if (asked) known->second = impl_.ledger.position_of(event_key(OutcomeSignal{}, id)).has_value();
  return known->second;
}

const std::vector<Event>& GraphBefore::events_of(const std::string& id) {
  const auto [known, asked] = events_.try_emplace(id);
  if (asked) known->second = events_with_repeats(impl_.folded, id);
  return known->second;
}

std::optional<HeldBefore::Node> GraphBefore::look_up(const std::string& id) {
  const State& state = impl_.folded.state();
  if (!state.exists(id)) return std::nullopt;
  const graph::Graph& g = state.graph();
  const NodeId n = *state.find(id);
  Node node;
  const NodeContent content = content_of(impl_.folded, id);
  node.name = content.name.value_or("");
  node.description = content.description.value_or("");
  node.state = g.states().name(g.nodes().state[n]);
  node.type = g.node_types().name(g.nodes().type[n]);
  const Properties properties(content);
  node.source = properties["source"];
  node.url = properties["url"];
  node.is_undated = properties["made"] == "unknown";
  node.made_at = g.nodes().created_at[n];
  node.priority = g.nodes().priority[n];
  node.due_at = g.nodes().due_at[n];
  node.snoozed_until = g.nodes().snoozed_until[n];
  node.estimate = g.nodes().estimate[n];
  node.is_unknown = reward::is_unknown(state.view(), n);
  const auto add = [&](std::vector<Edge>& edges, graph::EdgeId e, NodeId other) {
    edges.push_back({std::string(g.edge_types().name(g.type(e))), std::string(g.id(other))});
  };
  for (const auto e : g.out_edges(n)) add(node.out, e, g.target(e));
  for (const auto e : g.in_edges(n)) add(node.in, e, g.source(e));
  return node;
}

namespace {

void find_gone_from(EngineImpl& impl, const SnapshotRequest& request, Gone& gone) {
  const State& state = impl.folded.state();
  const graph::Graph& g = state.graph();
  const input::Mapping& mapping = input::mapping_of(request.format->name);
  const auto& homes = request.listed.homes;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    const std::string id(g.id(n));
    const std::string_view in = g.states().name(g.nodes().state[n]);
    if (in.empty() || reward::is_over(in) || !state.exists(id)) continue;
    if (request.listed.ids.contains(id)) continue;
    const NodeContent content = content_of(impl.folded, id);
    const Properties properties(content);
    if (properties["source"] != request.format->name || properties["prefix"] != request.prefix)
      continue;
    const std::string url = properties["url"];
    const std::string home(input::home_of(mapping, url));
    if (home.empty() || homes.contains(home)) {
      gone.ids.push_back(id);
    } else if (homes.contains("")) {
      gone.unknown = "its tasks have no addresses, by which those here are known";
    }
  }
  if (!gone.unknown.empty()) gone.ids.clear();
  std::sort(gone.ids.begin(), gone.ids.end());
}

}  // namespace

Gone Engine::find_gone(const SnapshotRequest& request, bool prune) {
  Gone gone;
  if (!request.listed.is_list || request.listed.ids.empty()) return gone;
  gone.unknown = request.listed.missing();
  if (!gone.unknown.empty()) return gone;
  if (!prune) {
    find_gone_from(*impl_, request, gone);
    return gone;
  }
  require_writable(*impl_);
  Batch batch(*impl_, request.latest, !request.format->of_past);  // nothing comes in between
  find_gone_from(*impl_, request, gone);
  for (const std::string& id : gone.ids) {
    Event e;
    e.at = request.now;
    e.subject = id;
    e.payload = StateChange{std::string(kClosed)};
    e.key = event_key(e.payload,
                      content_hash(fmt::format("{}/{}/pruned/{}", request.format->name, id, e.at)));
    if (std::holds_alternative<Applied>(batch.add(std::move(e)))) ++gone.pruned;
  }
  batch.commit();
  return gone;
}

namespace {

using Edges = std::vector<HeldBefore::Edge>;

// What an edge means for the task; empty: nothing, or it is listed with the other task.
std::string edge_words(const HeldBefore::Edge& edge, bool inbound) {
  if (edge.type == "BLOCKS") return inbound ? "blocker " + edge.other : "";
  if (edge.type == "PARENT_OF") return inbound ? "parent " + edge.other : "";
  if (inbound || edge.type.starts_with("REWARD_")) return "";
  if (edge.type == "LABELED_AS") return edge.other;
  if (edge.type == "ASSIGNED_TO") return "assignee " + edge.other;
  if (edge.type == "IN_CATEGORY") return edge.other;
  return fmt::format("{} {}", edge.type, edge.other);
}

// Lists the edges of `edges` that `others` lacks.
void tell_edges(const Edges& edges, const Edges& others, bool inbound, const char* what,
                std::vector<std::string>& changes) {
  std::vector<std::string> words;
  for (const HeldBefore::Edge& edge : edges) {
    if (std::find(others.begin(), others.end(), edge) != others.end()) continue;
    if (std::string text = edge_words(edge, inbound); !text.empty())
      words.push_back(fmt::format("{} {}", text, what));
  }
  std::sort(words.begin(), words.end());
  changes.insert(changes.end(), words.begin(), words.end());
}

std::string time_text(const char* has, const char* has_none, TimeMs time) {
  return time == graph::kNever ? has_none : fmt::format("{} {}", has, format_rfc3339(time));
}

}  // namespace

std::vector<std::string> changes_of(const HeldBefore::Node& before, const HeldBefore::Node& after) {
  std::vector<std::string> changes;
  // A label may have set the priority: the change is listed once.
  const auto others = [&](Edges edges) {
    if (after.priority == before.priority) return edges;
    std::erase_if(edges, [](const HeldBefore::Edge& e) { return e.other.starts_with("prio-"); });
    return edges;
  };
  if (after.state != before.state) changes.push_back(fmt::format("is {}", after.state));
  if (after.name != before.name) changes.emplace_back("another title");
  if (after.description != before.description) changes.emplace_back("another description");
  if (after.priority != before.priority) {
    changes.push_back(after.priority == graph::kNoPriority
                          ? "no priority"
                          : fmt::format("priority {}", after.priority));
  }
  if (after.due_at != before.due_at)
    changes.push_back(time_text("due", "no due date", after.due_at));
  if (after.snoozed_until != before.snoozed_until)
    changes.push_back(time_text("snoozed until", "not snoozed", after.snoozed_until));
  if (after.estimate != before.estimate) changes.emplace_back("another estimate");
  for (const bool inbound : {false, true}) {
    const Edges now = others(inbound ? after.in : after.out);
    const Edges then = others(inbound ? before.in : before.out);
    tell_edges(now, then, inbound, "added", changes);
    tell_edges(then, now, inbound, "taken away", changes);
  }
  return changes;
}

}  // namespace hebb
