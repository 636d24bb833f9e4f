#include "capture/trace/tool_observations.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace hebb::capture {

Event tool_node(std::string tool, TimeMs at, std::string_view unique) {
  NodeUpsert upsert;
  upsert.type = kToolType;
  std::string key = event_key(upsert, unique);
  Event e{0, at, std::move(tool), std::move(key), std::move(upsert)};
  e.may_differ = true;
  return e;
}

ToolObservations::ToolObservations(Engine& engine) : engine_(engine) { note_gcs_of(kWholeGc); }

void ToolObservations::note_gcs_of(std::string_view subject) {
  std::vector<Event> gcs;
  engine_.ledger().gcs_of_subject(subject, [&](Event&& e) { gcs.push_back(std::move(e)); });
  for (const Event& e : gcs) {
    if (engine_.undone().contains(e.position)) continue;
    for (const std::string& id : std::get<Forget>(e.payload).nodes) {
      TimeMs& last = forgotten_.try_emplace(id, e.at).first->second;
      last = std::max(last, e.at);
    }
  }
}

bool ToolObservations::may_be_tool(std::string_view id) {
  if (id == kFrontier || id.size() > Limits::kIdBytes) return false;
  const State& state = engine_.state();
  const auto node = state.find(id);
  if (!node) return true;
  const auto& graph = state.graph();
  return graph.nodes().deleted_at[*node] == graph::kNever &&
         graph.node_types().name(graph.nodes().type[*node]) == kToolType;
}

bool ToolObservations::forgotten_since(std::string_view id, TimeMs at) {
  if (looked_up_.emplace(id).second) note_gcs_of(id);
  const auto found = forgotten_.find(std::string(id));
  return found != forgotten_.end() && at <= found->second;
}

bool ToolObservations::known(const Event& e) {
  return engine_.ledger().position_of(e.key).has_value();
}

bool ToolObservations::too_old(const Event& e) {
  const auto* link = std::get_if<Link>(&e.payload);
  return forgotten_since(e.subject, e.at) || (link && forgotten_since(link->target, e.at));
}

void ToolObservations::take(std::vector<ToolObservation> observations) {
  const State& state = engine_.state();
  std::unordered_set<std::string> new_tools;
  std::vector<Event> events;
  const auto leave_out = [&](const Event& e) {
    ++(known(e) ? report_.duplicates : report_.skipped);
  };
  for (auto& [nodes, link] : observations) {
    std::erase_if(nodes, [&](const Event& node) {
      return state.exists(node.subject) || new_tools.contains(node.subject);
    });
    // If the link is in the ledger already, its tools were not used anew.
    const bool is_old = link && (too_old(*link) || (!nodes.empty() && known(*link)));
    if (is_old) {
      leave_out(*link);
      continue;
    }
    bool complete = true;
    for (Event& node : nodes) {
      if (too_old(node) || known(node)) {
        if (!link) leave_out(node);
        complete = false;
      } else if (new_tools.insert(node.subject).second) {
        events.push_back(std::move(node));
      }
    }
    if (!link) continue;
    if (complete) {
      events.push_back(std::move(*link));
    } else {
      ++report_.skipped;
    }
  }
  std::vector<bool> is_node;
  for (const Event& e : events) is_node.push_back(std::holds_alternative<NodeUpsert>(e.payload));
  const auto results = offer(engine_, std::move(events));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto* applied = std::get_if<Applied>(&results[i]);
    if (applied == nullptr) {
      ++report_.skipped;
    } else if (*applied == Applied::duplicate) {
      ++report_.duplicates;
    } else {
      ++(is_node[i] ? report_.nodes : report_.links);
    }
  }
}

}  // namespace hebb::capture
