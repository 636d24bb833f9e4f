// One task as people look at it: what was said of it, what it waits for, and how it came out so
// far.
#include <algorithm>

#include "engine/current/events.h"
#include "engine/look/counts.h"
#include "engine/rank/why_not.h"
#include "engine/tables.h"
#include "engine/values/json.h"
#include "reward/readiness.h"
#include "reward/states.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr std::size_t kOutcomesShown = 5;

// The text of a member; empty: it has none.
std::string text_in(const input::Object& object, std::string_view name) {
  const auto value = input::find(object, name);
  return value && value->is_string() ? std::string(value->get_string().value()) : std::string();
}

bool is_web_address(std::string_view text) {
  return text.starts_with("https://") || text.starts_with("http://");
}

class Shower {
 public:
  Shower(Engine& engine, TimeMs now)
      : engine_(engine), view_(engine.state().view()), readiness_(view_, now), now_(now) {}

  ShownTask show(NodeId n) {
    const auto& g = view_.graph;
    const auto& c = g.nodes();
    const NodeContent content = engine_.content(g.id(n));
    ShownTask task;
    task.id = g.id(n);
    task.name = content.name.value_or("");
    task.type = g.node_types().name(c.type[n]);
    task.state = g.states().name(c.state[n]);
    task.description = content.description.value_or("");
    task.project = content.project.value_or("");
    input::JsonReader reader;
    const auto properties = reader.parse_object(content.properties.value_or("{}"));
    task.number = text_in(properties, "number");
    task.url = text_in(properties, "url");
    if (!is_web_address(task.url)) task.url.clear();
    task.labels = names(n, "LABELED_AS");
    task.assignees = names(n, "ASSIGNED_TO");
    if (c.priority[n] != graph::kNoPriority) task.priority = c.priority[n];
    task.due_at = c.due_at[n];
    task.snoozed_until = c.snoozed_until[n];
    task.created_at = c.created_at[n];
    task.updated_at = c.updated_at[n];
    if (c.estimate[n] != graph::kNever) task.estimate = c.estimate[n];
    task.pinned = c.pinned[n] != 0;
    if (const auto type = g.edge_types().find("PARENT_OF")) {
      for (const graph::EdgeId e : g.in_edges(n))
        if (g.type(e) == *type && weight_if_counts(view_, e, now_))
          task.part_of.push_back(linked(g.source(e)));
    }
    task.outcomes = told_outcomes(engine_, task.id, kOutcomesShown);
    if (reward::is_over(task.state)) return task;
    task.not_ready = why_not_ready(view_, readiness_, n);
    for (const NodeId by : reward::blockers(view_, n, now_)) task.blocked_by.push_back(linked(by));
    for (const NodeId waits : readiness_.waiting_for(n)) task.unblocks.push_back(linked(waits));
    return task;
  }

 private:
  LinkedTask linked(NodeId n) const {
    const auto& g = view_.graph;
    return {std::string(g.id(n)), engine_.content(g.id(n)).name.value_or(""),
            g.states().name(g.nodes().state[n])};
  }

  // Of the targets of the node's edges of a type.
  std::vector<std::string> names(NodeId n, std::string_view edge_type) const {
    const auto& g = view_.graph;
    std::vector<std::string> names;
    const auto type = g.edge_types().find(edge_type);
    if (!type) return names;
    for (const graph::EdgeId e : g.out_edges(n)) {
      if (g.type(e) != *type || !weight_if_counts(view_, e, now_)) continue;
      const LinkedTask to = linked(g.target(e));
      names.push_back(to.name.empty() ? to.id : to.name);
    }
    std::ranges::sort(names);
    return names;
  }

  Engine& engine_;
  const reward::View view_;
  reward::Readiness readiness_;
  const TimeMs now_;
};

}  // namespace

std::vector<ToldOutcome> told_outcomes(Engine& engine, std::string_view task, std::size_t limit,
                                       bool failures) {
  const std::vector<Event> events = events_told_of(folded_of(engine), task);
  std::vector<ToldOutcome> told;
  for (auto e = events.rbegin(); e != events.rend() && told.size() < limit; ++e) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e->payload);
    if (!outcome) continue;
    if (failures && outcome->outcome == OutcomeKind::success) break;
    if (failures && outcome->outcome != OutcomeKind::failure) continue;
    ToldOutcome& one = told.emplace_back();
    one.at = e->at;
    one.outcome = outcome_name(outcome->outcome);
    if (outcome->input.empty()) continue;
    input::JsonReader reader;
    const auto said = reader.parse_object(outcome->input);
    one.agent = text_in(said, "agentId");
    one.because = text_in(said, "because");
  }
  return told;
}

std::vector<std::string> ids_named(Engine& engine, const std::string& name) {
  engine.try_sync();  // the names of an import that has just come
  auto ids = folded_of(engine).storage().mirror().ids_by_name(name);
  if (engine.state().find(name)) ids.insert(ids.begin(), name);
  return ids;
}

ShownTask shown_task(Engine& engine, NodeId n, TimeMs now) {
  const auto moment = engine.one_moment();
  return Shower(engine, now).show(n);
}

}  // namespace hebb
