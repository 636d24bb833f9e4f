// node_set, node_get, node_delete: changing and reading a single node; delete: tasks.

#include "api/common.h"
#include "api/operation.h"
#include "engine/ledger/event.h"
#include "engine/recall/recall.h"

namespace hebb::api {

// All fields of a node.
struct Node {
  std::string id, type, state;
  std::optional<std::string> claimed_by;
  std::string name, description, project, scope;
  Object properties;
  std::optional<Time> created_at, updated_at, reopened_at, outcome_at, completed_at;
  std::optional<std::int64_t> priority;
  std::optional<Time> due_at, snoozed_until;
  std::string because;
  std::optional<Duration> estimate;
  bool pinned = false;
  std::vector<float> vector;
  std::optional<std::int64_t> recall_count;
  std::optional<Time> last_recalled_at;
};
RECORD(Node, FIELD(id, "Its id"), FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked; IN_PROGRESS, one that an agent has claimed"),
       FIELD(claimed_by, "The agent that has claimed it"), FIELD(name, "A line"),
       FIELD(description, "Any text"), FIELD(project, "What it belongs to"),
       FIELD(scope, "The scope to which it belongs"),
       FIELD(properties, "Its properties, as they were given"),
       FIELD(created_at, "When it was first set"),
       FIELD(updated_at, "When it was last set or changed its state"),
       FIELD(reopened_at, "When it last became OPEN again, or left CLOSED"),
       FIELD(outcome_at, "Its last outcome that was no failure"),
       FIELD(completed_at, "Its last success"),
       FIELD(priority, "Set by people: 0 (most urgent) to 4"), FIELD(due_at, "When it is due"),
       FIELD(snoozed_until, "Not ranked before that time"),
       FIELD(because, "Why it is snoozed", {.may_be_absent = true}),
       FIELD(estimate, "How long they say it takes", {.unit = "ms"}),
       FIELD(pinned, "Above everything that is not"),
       FIELD(vector, "Its vector, which says what it is near to; empty: none"),
       FIELD(recall_count, "How often it was asked for before this"),
       FIELD(last_recalled_at, "When it was last asked for"))

namespace {

Node node_of(Engine& engine, const std::string& id, TimeMs now) {
  const State& s = engine.state();
  const auto n = require_node(s, id);
  const auto& c = s.graph().nodes();
  const NodeContent content = engine.content(id);
  const auto vector = s.vectors().row(n);
  Node node;
  node.id = id;
  node.type = s.graph().node_types().name(c.type[n]);
  node.state = s.graph().states().name(c.state[n]);
  node.name = content.name.value_or("");
  node.description = content.description.value_or("");
  node.project = content.project.value_or("");
  node.scope = content.scope.value_or("");
  node.properties = json_or_discarded(content.properties.value_or("{}"));
  node.created_at = c.created_at[n];
  node.updated_at = c.updated_at[n];
  node.reopened_at = c.reopened_at[n];
  node.outcome_at = c.outcome_at[n];
  node.completed_at = c.completed_at[n];
  if (c.priority[n] != graph::kNoPriority) node.priority = c.priority[n];
  node.due_at = c.due_at[n];
  if (c.snoozed_until[n] > now) {
    node.snoozed_until = c.snoozed_until[n];
    node.because = why_snoozed(engine, id, now);
  }
  if (c.estimate[n] != graph::kNever) node.estimate = Duration{c.estimate[n]};
  node.pinned = c.pinned[n] != 0;
  node.vector.assign(vector.begin(), vector.end());
  return node;
}

}  // namespace

// --- set -----------------------------------------------------------------------------------------

struct NodeSetRequest : PeopleFields {
  std::string id;
  std::optional<std::string> type, state, name, description, project, scope;
  std::optional<Object> properties;
  ClearedFields cleared;
  std::vector<float> vector;
  EmbedderName vectors;
};
RECORD(NodeSetRequest, FIELD(id, "The node", {.required = true, .positional = true}),
       FIELD(type, "TASK, LABEL, …; a new node must have one"), FIELD(state, kStateWords),
       FIELD(name, "A line", {.empty_clears = true}),
       FIELD(description, "Any text", {.empty_clears = true}),
       FIELD(project, "What it belongs to", {.empty_clears = true}),
       FIELD(scope, "The scope to which it belongs", {.empty_clears = true}),
       FIELD(properties, "A JSON object"), part<PeopleFields>(self), part(self.cleared),
       FIELD(vector, "Its vector, used instead of an embedder's", {.from_file = true}),
       part(self.vectors))

struct NodeSetResult {
  Node node;
  bool created = false;
};
RECORD(NodeSetResult, FIELD(node, "The node as it is now"),
       FIELD(created, "False: it was there and is changed"))

static NodeSetResult node_set(Session& session, const NodeSetRequest& request) {
  require_name(request.id, "id");
  if (request.type) require_name(*request.type, "type");
  require_state(request.state);
  NodeUpsert upsert;
  upsert.type = request.type;
  upsert.state = request.state;
  upsert.name = request.name;
  upsert.description = request.description;
  upsert.project = request.project;
  upsert.scope = request.scope;
  require_texts(upsert);
  if (request.properties)
    upsert.properties = canonical_properties(*request.properties, "properties");
  set_people_fields(request, request.cleared, upsert);
  if (!request.vector.empty()) {
    upsert.vector = request.vector;
    if (auto refusal = check_vector(upsert.vector, "vector")) throw Refused(std::move(*refusal));
    upsert.embedder = "external";
  }
  const auto embedder = embedder_of(request.vectors);
  Event event;
  event.subject = request.id;
  event.payload = std::move(upsert);
  if (embedder) embed(session.engine(Access::write), {&event, 1}, *embedder);
  MissingVectors missing;
  NodeSetResult result = write(session, [&](Engine& engine) {
    NodeSetResult set;
    set.created = !engine.state().exists(request.id);
    event.at = session.now();
    engine.append(event, {.missing = &missing});
    set.node = node_of(engine, request.id, event.at);
    return set;
  });
  for (const auto& note : notes_of(missing)) session.note(note);
  note_unknown_state(session, request.state);
  return result;
}

// --- get -----------------------------------------------------------------------------------------

struct NodeGetRequest {
  NodeId id;
  bool recall = true;
};
RECORD(NodeGetRequest, FIELD(id, "The node", {.required = true, .positional = true}),
       FIELD(recall, kRecallWords, {.hidden = true}))

struct NodeGetResult {
  Node node;
};
RECORD(NodeGetResult, FIELD(node, "The node"))

static NodeGetResult node_get(Session& session, const NodeGetRequest& request) {
  Engine& engine = session.engine(Access::read);
  NodeGetResult result{node_of(engine, request.id, session.now())};
  engine.try_sync();
  if (const auto claim = claim_of(engine, request.id); claim && claim->active(session.now())) {
    result.node.claimed_by = claim->agent;
    result.node.state = state_shown(result.node.state, &*claim);
  }
  // The result has the count before this access.
  const auto counted_at = request.recall ? std::optional(session.now()) : std::nullopt;
  if (const auto found = recall::get_node(session.tables(Access::read), request.id, counted_at)) {
    result.node.recall_count = found->recall_count;
    result.node.last_recalled_at = found->last_recalled_at;
  }
  return result;
}

// --- delete --------------------------------------------------------------------------------------

struct NodeDeleteRequest {
  std::string id;
};
RECORD(NodeDeleteRequest,
       FIELD(id, "The node, by its whole id", {.required = true, .positional = true}))

struct NodeDeleteResult {
  std::string id;
  std::int64_t edges = 0;
};
RECORD(NodeDeleteResult, FIELD(id, "The node"),
       FIELD(edges, "How many of its edges no longer count"))

static NodeDeleteResult node_delete(Session& session, const NodeDeleteRequest& request) {
  return write(session, [&](Engine& engine) {
    const State& s = engine.state();
    const auto n = require_node(s, request.id);
    const auto edges = s.graph().in_edges(n).size() + s.graph().out_edges(n).size();
    append_now(session, request.id, NodeDelete{});
    return NodeDeleteResult{request.id, static_cast<std::int64_t>(edges)};
  });
}

// --- delete --------------------------------------------------------------------------------------

struct DeleteRequest : EachTask {};
RECORD(DeleteRequest, part<EachTask>(self))

struct DeletedTask {
  std::string id, name;
  std::int64_t event = 0;
};
RECORD(DeletedTask, FIELD(id, "The task"), FIELD(name, "Its name", {.may_be_absent = true}),
       FIELD(event, "The deletion's position in the ledger: to undo it brings the task back"))

struct DeleteResult : DeletedTask {
  std::vector<DeletedTask> also;
};
RECORD(DeleteResult, part<DeletedTask>(self),
       FIELD(also, "The other tasks, in their order", {.may_be_absent = true}))

static DeleteResult delete_tasks(Session& session, const DeleteRequest& request) {
  const std::vector<std::string> ids = ids_of(request);
  return write(session, [&](Engine& engine) {
    DeleteResult result;
    for (const std::string& id : ids) {
      const char* field = field_of(request, id);
      const auto n = require_node(engine.state(), id, field);
      const auto& g = engine.state().graph();
      if (g.nodes().state[n] == 0) {
        throw invalid(field, "{0} is no task but of type {1}; `hebb node delete {0}` deletes it",
                      id, g.node_types().name(g.nodes().type[n]));
      }
      DeletedTask deleted{id, engine.content(id).name.value_or(""), 0};
      append_now(session, id, NodeDelete{});
      deleted.event = ledger_position(session);
      if (id == request.id) {
        static_cast<DeletedTask&>(result) = std::move(deleted);
      } else {
        result.also.push_back(std::move(deleted));
      }
    }
    return result;
  });
}

Operations nodes_operations() {
  return {
      operation({.name = "node_set",
                 .summary = "Create a node, or change the fields that are given",
                 .example = "  hebb node set task-7 --type TASK --state OPEN --name \"Fix login\"\n"
                            "  hebb node set task-7 --properties '{\"estimate\": 3}'\n"
                            "  hebb node set task-7 --priority 0 --due-at 2026-12-01T12:00:00Z\n"
                            "  hebb node set task-7 --unset priority --pinned",
                 .route = "PUT /nodes/{id}",
                 .tool = Tool::all,
                 .problems = {ProblemType::refused},
                 .idempotent = true},
                node_set),
      operation({.name = "node_get",
                 .summary = "All fields of a node (counts as an access)",
                 .example = "  hebb node get task-7\n  hebb node get task-7 --json",
                 .route = "GET /nodes/{id}",
                 .problems = {ProblemType::not_found}},
                node_get),
      operation({.name = "node_delete",
                 .summary = "Delete a node; the ledger keeps it, and setting it brings it back",
                 .example = "  hebb node delete task-7",
                 .route = "DELETE /nodes/{id}",
                 .problems = {ProblemType::not_found},
                 .destructive = true},
                node_delete),
      operation({.name = "delete",
                 .summary = "Delete tasks that should not have been; `hebb undo` brings them back",
                 .example = "  hebb delete k3f9\n  hebb delete k3f9 vjf6",
                 .route = "DELETE /tasks/{id}",
                 .tool = Tool::all,
                 .problems = {ProblemType::not_found},
                 .destructive = true},
                delete_tasks),
  };
}

}  // namespace hebb::api
