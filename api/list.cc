// list: nodes by what they are, rather than by what to do next.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/operations.h"
#include "api/room.h"
#include "api/which.h"
#include "engine/rank/node_filter.h"
#include "engine/rank/why_not.h"
#include "reward/outcome.h"
#include "reward/ranking.h"
#include "reward/states.h"

namespace hebb::api {

struct ListedTask {
  std::string id, name, type, state, project;
  std::optional<std::int64_t> priority;
  std::optional<Time> due_at, snoozed_until;
  bool pinned = false;
  std::optional<Time> created_at;
  std::vector<std::string> labels, blocked_by, not_ready;
};
RECORD(ListedTask,
       FIELD(id, "Its id"),
       FIELD(name, "A line"),
       FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       FIELD(project, "What it belongs to"),
       FIELD(priority, "How urgent people say it is: 0 (most) to 4"),
       FIELD(due_at, "When they say it is due"),
       FIELD(snoozed_until, "No candidate before that time"),
       FIELD(pinned, "Above everything that is not"),
       FIELD(created_at, "When it was first set"),
       FIELD(labels, "Its labels, categories and assignees, by id"),
       FIELD(blocked_by, "What it waits for: nodes that block it and are not finished, unless its "
             "state says that it is over"),
       FIELD(not_ready, "Why it would be no candidate even if it were OPEN, unless its state says "
             "that it is over: what blocks it or that it is a part of, its own parts, its type, "
             "being snoozed"))

namespace {

using graph::NodeId;

// Any state but none: what has no state is a label, a file, an agent.
constexpr std::string_view kAny = "any";

ListedTask listed(Engine& engine, const reward::View& view, reward::Readiness& readiness, NodeId n,
                  TimeMs now) {
  const auto& g = view.graph;
  const auto& c = g.nodes();
  const NodeContent content = engine.content(g.id(n));
  ListedTask node;
  node.id = g.id(n);
  node.name = content.name.value_or("");
  node.type = g.node_types().name(c.type[n]);
  node.state = g.states().name(c.state[n]);
  node.project = content.project.value_or("");
  if (c.priority[n] != graph::kNoPriority) node.priority = c.priority[n];
  node.due_at = time_or_nothing(c.due_at[n]);
  node.snoozed_until = time_or_nothing(c.snoozed_until[n]);
  node.pinned = c.pinned[n] != 0;
  node.created_at = time_or_nothing(c.created_at[n]);
  for (const NodeId label : reward::contexts(view, n, now)) node.labels.emplace_back(g.id(label));
  std::sort(node.labels.begin(), node.labels.end());
  if (reward::is_over(node.state)) return node;
  for (const NodeId b : reward::blockers(view, n, now)) node.blocked_by.emplace_back(g.id(b));
  node.not_ready = why_not_ready(view, readiness, n);
  return node;
}

bool in_state(const std::string& state, const std::string& wanted) {
  return same_name(wanted, kAny) ? !state.empty() : same_name(state, kept_state(wanted));
}

}  // namespace

struct ListRequest : Which {
  std::string state;
  std::int64_t limit = 50, offset = 0;
};
RECORD(ListRequest,
       FIELDS_OF_BASE(Which),
       FIELD(state, "Nodes in this state, rather than OPEN ones: CLOSED, IN_PROGRESS, …; any"),
       FIELD(limit, "How many", {.unit = "nodes", .min = 1, .max = 1e9}),
       FIELD(offset, "How many to leave out at the beginning",
             {.unit = "nodes", .min = 0, .max = 1e9}))

struct ListResult {
  std::vector<ListedTask> nodes;
  std::int64_t total = 0;  // with those that `top` leaves out
};
RECORD(ListResult,
       FIELD(nodes, "The newest first"),
       FIELD(total, "How many there are, with those that are left out"))

ListResult list(Session& session, const ListRequest& request) {
  Engine& engine = session.engine(Access::read);
  const State& s = engine.state();
  const reward::View view = s.view();
  const auto& g = s.graph();
  const auto& created_at = g.nodes().created_at;
  const WhichNodes which = request.nodes();
  const std::string state = request.state.empty() ? std::string(kOpen) : request.state;
  const NodeFilter filter(folded_of(engine), s, view, which);
  std::vector<NodeId> found;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || n == kFrontierNode || !s.exists(g.id(n))) continue;
    if (in_state(g.states().name(g.nodes().state[n]), state) && filter.takes(n)) found.push_back(n);
  }
  std::sort(found.begin(), found.end(), [&](NodeId a, NodeId b) {
    return created_at[a] != created_at[b] ? created_at[a] > created_at[b] : g.id(a) < g.id(b);
  });
  ListResult result;
  result.total = std::ssize(found);
  const auto left_out = std::min(found.size(), static_cast<std::size_t>(request.offset));
  found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(left_out));
  found.resize(std::min(found.size(), static_cast<std::size_t>(request.limit)));
  const TimeMs now = session.given_now().value_or(s.stamp());
  reward::Readiness readiness(view, now);
  Room room(session);
  for (const NodeId n : found) {
    result.nodes.push_back(listed(engine, view, readiness, n, now));
    const ListedTask& node = result.nodes.back();
    room.take(6, node.id, node.name, node.type, node.state, node.project);
    for (const auto* ids : {&node.labels, &node.blocked_by}) {
      for (const std::string& id : *ids) room.take(0, id);
    }
  }
  return result;
}

Operations list_operations() {
  return {
      operation(
          {.name = "list",
           .summary = "Tasks by what they are, the newest first: blocked and snoozed ones too",
           .example = "  hebb list --label bug --not-label wontfix\n"
                      "  hebb list --state IN_PROGRESS --assignee ada\n"
                      "  hebb list --state any --project web --json",
           .route = "GET /nodes"},
          list),
  };
}

}  // namespace hebb::api
