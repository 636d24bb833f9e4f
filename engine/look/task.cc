// One task as people look at it: its fields, what it waits for, and its outcomes so far.
#include <algorithm>

#include "engine/current/events.h"
#include "engine/look/counts.h"
#include "engine/rank/node_filter.h"
#include "engine/tables.h"
#include "engine/values/json.h"

namespace hebb {

using graph::NodeId;

std::vector<ReportedOutcome> last_outcomes(Engine& engine, std::string_view task, std::size_t limit,
                                       bool failures) {
  const std::vector<Event> events = events_with_repeats(folded_of(engine), task);
  std::vector<ReportedOutcome> outcomes;
  input::JsonReader reader;
  for (auto e = events.rbegin(); e != events.rend() && outcomes.size() < limit; ++e) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e->payload);
    if (!outcome) continue;
    if (failures && outcome->outcome == OutcomeKind::success) break;
    if (failures && outcome->outcome != OutcomeKind::failure) continue;
    ReportedOutcome& one = outcomes.emplace_back();
    one.at = e->at;
    one.outcome = outcome_name(outcome->outcome);
    if (outcome->input.empty()) continue;
    try {
      const auto report = reader.parse_object(outcome->input);
      one.agent = input::text_in(report, "agentId");
      one.because = input::text_in(report, "because");
    } catch (const input::ItemRefused&) {  // it is damaged
    }
  }
  return outcomes;
}

std::string why_snoozed(Engine& engine, std::string_view node, TimeMs now, TimeMs until) {
  std::string because;
  for (const Event& e : events_with_repeats(folded_of(engine), node)) {
    if (e.at > until) break;
    const auto* change = std::get_if<NodeUpsert>(&e.payload);
    const bool removed = std::holds_alternative<NodeDelete>(e.payload);
    if (removed || (change && change->snoozed_until)) because.clear();
    if (change && change->because && *change->snoozed_until > now) because = *change->because;
  }
  return because;
}

std::vector<std::string> ids_named(Engine& engine, const std::string& name) {
  return ids_named(engine, std::vector{name}).front();
}

std::vector<std::vector<std::string>> ids_named(Engine& engine,
                                                const std::vector<std::string>& names) {
  auto all = ids_by_names(folded_of(engine), names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& ids = all[i];
    std::erase_if(ids, [&](const std::string& id) { return !engine.state().exists(id); });
    if (engine.state().find(names[i]) && std::ranges::find(ids, names[i]) == ids.end())
      ids.push_back(names[i]);
  }
  return all;
}

ShownTask shown_task(Engine& engine, NodeId n, TimeMs now) {
  const auto moment = engine.read_snapshot();
  const reward::View view = engine.state().view();
  const reward::Times times = engine.state().facts().times(now);
  reward::Readiness readiness(view, times);
  const auto& g = view.graph;
  const auto& c = g.nodes();
  const auto linked = [&](NodeId other) {
    return LinkedTask{std::string(g.id(other)), engine.content(g.id(other)).name.value_or(""),
                      g.states().name(c.state[other])};
  };
  const NodeContent content = engine.content(g.id(n));
  ShownTask task;
  FactsOf facts(folded_of(engine), view, times.stamp);
  describe(view, readiness, facts, n, content, claim_at(folded_of(engine).claims(), g.id(n), now),
           task);
  if (task.snoozed_until != graph::kNever) task.because = why_snoozed(engine, task.id, now);
  task.description = content.description.value_or("");
  task.updated_at = c.updated_at[n];
  if (c.estimate[n] != graph::kNever) task.estimate = c.estimate[n];
  const auto parent_of = g.edge_types().find("PARENT_OF");
  for (const graph::EdgeId e : g.in_edges(n)) {
    if (parent_of && g.type(e) == *parent_of && reward::counting_weight(view, e, times.stamp) > 0)
      task.part_of.push_back(linked(g.source(e)));
  }
  constexpr std::size_t kOutcomesShown = 5;
  task.outcomes = last_outcomes(engine, task.id, kOutcomesShown);
  if (reward::is_over(task.state)) return task;
  for (const NodeId by : reward::blockers(view, n, times)) task.blocked_by.push_back(linked(by));
  for (const NodeId waits : readiness.waiting_for(n)) task.unblocks.push_back(linked(waits));
  return task;
}

}  // namespace hebb
