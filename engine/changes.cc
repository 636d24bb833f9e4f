#include "engine/changes.h"

#include <algorithm>

#include <fmt/format.h>

namespace hebb {

namespace {

using Edges = std::vector<HeldBefore::Edge>;

bool lists(const Edges& edges, const HeldBefore::Edge& edge) {
  return std::any_of(edges.begin(), edges.end(), [&](const HeldBefore::Edge& e) {
    return e.type == edge.type && e.other == edge.other;
  });
}

// What an edge says of the task; empty: it is told of the other task, or says nothing about it.
std::string told_by(const HeldBefore::Edge& edge, bool inbound) {
  if (edge.type == "BLOCKS") return inbound ? "blocker " + edge.other : "";
  if (edge.type == "PARENT_OF") return inbound ? "parent " + edge.other : "";
  if (inbound || edge.type.starts_with("REWARD_")) return "";
  if (edge.type == "LABELED_AS") return edge.other;
  if (edge.type == "ASSIGNED_TO") return "assignee " + edge.other;
  if (edge.type == "IN_CATEGORY") return edge.other;
  return fmt::format("{} {}", edge.type, edge.other);
}

// The edges of `edges` that `others` lacks.
void tell_edges(const Edges& edges, const Edges& others, bool inbound, const char* what,
                std::vector<std::string>& changes) {
  std::vector<std::string> words;
  for (const HeldBefore::Edge& edge : edges) {
    if (lists(others, edge)) continue;
    if (std::string text = told_by(edge, inbound); !text.empty())
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
  // What is said as a priority is a label besides.
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
