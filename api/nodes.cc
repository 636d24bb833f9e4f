// node_set, node_get, node_delete: changing and reading a single node.
#include <fmt/format.h>

#include "api/common.h"
#include "api/recall.h"
#include "api/said.h"
#include "engine/ledger/event.h"
#include "recall/recall.h"
#include "reward/evidence.h"

namespace hebb::api {

// All that is known of a node.
struct Node {
  std::string id, type, state, name, description, project, scope;
  Json properties = Json::object();
  std::optional<Time> created_at, updated_at, reopened_at, outcome_at, completed_at;
  std::optional<std::int64_t> priority;  // what people say, and the next four
  std::optional<Time> due_at, snoozed_until;
  std::optional<Duration> estimate;
  bool pinned = false;
  std::vector<float> vector;
  std::optional<std::string> claimed_by;     // an agent, at present
  std::optional<std::int64_t> recall_count;  // before this read
  std::optional<Time> last_recalled_at;
};
RECORD(Node,
       FIELD(id, "Its id"),
       FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked; IN_PROGRESS, one that an agent has claimed"),
       FIELD(claimed_by, "The agent that has claimed it"),
       FIELD(name, "A line"),
       FIELD(description, "Any text"),
       FIELD(project, "What it belongs to"),
       FIELD(scope, "The scope to which it belongs"),
       OBJECT_FIELD(properties, "Its properties, as they were given"),
       FIELD(created_at, "When it was first set"),
       FIELD(updated_at, "When it was last set or changed its state"),
       FIELD(reopened_at, "When it last became OPEN again, or left CLOSED"),
       FIELD(outcome_at, "Its last outcome that was no failure"),
       FIELD(completed_at, "Its last success"),
       FIELD(priority, "Set by people: 0 (most urgent) to 4"),
       FIELD(due_at, "When it is due"),
       FIELD(snoozed_until, "Not ranked before that time"),
       FIELD(estimate, "How long they say it takes", {.unit = "ms"}),
       FIELD(pinned, "Above everything that is not"),
       FIELD(vector, "What it is near to; empty: none"),
       FIELD(recall_count, "How often it was asked for before this"),
       FIELD(last_recalled_at, "When it was last asked for"))

namespace {

Node node_of(Engine& engine, const std::string& id) {
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
  node.properties = Json::parse(content.properties.value_or("{}"), nullptr, false);
  node.created_at = time_or_nothing(c.created_at[n]);
  node.updated_at = time_or_nothing(c.updated_at[n]);
  node.reopened_at = time_or_nothing(c.reopened_at[n]);
  node.outcome_at = time_or_nothing(c.outcome_at[n]);
  node.completed_at = time_or_nothing(c.completed_at[n]);
  if (c.priority[n] != graph::kNoPriority) node.priority = c.priority[n];
  node.due_at = time_or_nothing(c.due_at[n]);
  node.snoozed_until = time_or_nothing(c.snoozed_until[n]);
  if (c.estimate[n] != graph::kNever) node.estimate = Duration{c.estimate[n]};
  node.pinned = c.pinned[n] != 0;
  node.vector.assign(vector.begin(), vector.end());
  return node;
}

}  // namespace

// --- set -----------------------------------------------------------------------------------------

struct NodeSetRequest : Said {
  std::string id;
  std::optional<std::string> type, state, name, description, project, scope;
  std::optional<Json> properties;
  TakenBack back;
  std::vector<float> vector;
  EmbedderName vectors;
};
RECORD(NodeSetRequest,
       FIELD(id, "The node", {.required = true, .positional = true}),
       FIELD(type, "TASK, LABEL, …; a new node must have one"),
       FIELD(state, "OPEN is a task to be ranked, and what a TASK has without one; IN_PROGRESS, "
             "BLOCKED, DEFERRED, CLOSED"),
       FIELD(name, "A line"),
       FIELD(description, "Any text"),
       FIELD(project, "What it belongs to"),
       FIELD(scope, "The scope to which it belongs"),
       OBJECT_FIELD(properties, "A JSON object"),
       FIELDS_OF_BASE(Said),
       FIELDS_OF(back),
       FIELD(vector, "Its vector, used instead of an embedder's", {.from_file = true}),
       FIELDS_OF(vectors))

struct NodeSetResult {
  Node node;
  bool created = false;
};
RECORD(NodeSetResult,
       FIELD(node, "The node as it is now"),
       FIELD(created, "False: it was there and is changed"))

namespace {

std::string note_of_state(const std::string& state) {
  return fmt::format(
      "\"{}\" is no state that hebb knows: only what is OPEN is ranked, and what this node blocks "
      "waits until it is CLOSED",
      state);
}

}  // namespace

static NodeSetResult node_set(Session& session, const NodeSetRequest& request) {
  require_name(request.id, "id");
  if (request.type) require_name(*request.type, "type");
  if (request.state) require_name(*request.state, "state");
  for (const auto& [text, name] : {std::pair{&request.name, "name"},
                                   {&request.description, "description"},
                                   {&request.project, "project"},
                                   {&request.scope, "scope"}}) {
    if (*text) require_text(**text, name);
  }
  NodeUpsert upsert;
  upsert.type = request.type;
  upsert.state = request.state;
  upsert.name = request.name;
  upsert.description = request.description;
  upsert.project = request.project;
  upsert.scope = request.scope;
  if (request.properties)
    upsert.properties = canonical_properties(*request.properties, "properties");
  say(request, request.back, upsert);
  if (!request.vector.empty()) {
    upsert.vector = request.vector;
    if (auto refusal = check_vector(upsert.vector, "vector")) throw Refused(std::move(*refusal));
    upsert.embedder = "external";
  }
  const auto embedder = embedder_of(request.vectors);
  Event event;
  event.at = session.now();
  event.subject = request.id;
  event.payload = std::move(upsert);
  Engine& engine = session.engine(Access::write);
  NodeSetResult result;
  result.created = !engine.state().exists(request.id);
  MissingVectors missing;
  AppendOptions options;
  options.embedder = embedder.get();
  options.missing = &missing;
  engine.append(std::move(event), options);
  for (const auto& note : notes_of(missing)) session.note(note);
  if (request.state && !is_known_state(*request.state) && !reward::is_over(*request.state))
    session.note(note_of_state(*request.state));
  result.node = node_of(engine, request.id);
  return result;
}

// --- get -----------------------------------------------------------------------------------------

struct NodeGetRequest {
  std::string id;
  bool recall = true;
};
RECORD(NodeGetRequest,
       NODE_FIELD(id, "The node", {.required = true, .positional = true}),
       FIELD(recall, kRecallWords, {.hidden = true}))

struct NodeGetResult {
  Node node;
};
RECORD(NodeGetResult,
       FIELD(node, "The node"))

static NodeGetResult node_get(Session& session, const NodeGetRequest& request) {
  Engine& engine = session.engine(Access::read);
  NodeGetResult result{node_of(engine, request.id)};
  engine.try_sync();
  if (const auto claim = claim_of(engine, request.id); claim && claim->active(session.now())) {
    result.node.claimed_by = claim->agent;
    if (result.node.state == kOpen) result.node.state = "IN_PROGRESS";
  }
  // The result has the count before this one.
  const auto counted_at = request.recall ? std::optional(session.now()) : std::nullopt;
  if (const auto found = recall::get_node(session.tables(Access::read), request.id, counted_at)) {
    result.node.recall_count = found->recall_count;
    if (found->last_recalled_at) result.node.last_recalled_at = Time{*found->last_recalled_at};
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
  std::int64_t edges = 0;  // edges of the node, which no longer count
};
RECORD(NodeDeleteResult,
       FIELD(id, "The node"),
       FIELD(edges, "How many of its edges no longer count"))

static NodeDeleteResult node_delete(Session& session, const NodeDeleteRequest& request) {
  Engine& engine = session.engine(Access::write);
  const State& s = engine.state();
  const auto n = require_node(s, request.id);
  const auto edges = s.graph().in_edges(n).size() + s.graph().out_edges(n).size();
  Event event;
  event.at = session.now();
  event.subject = request.id;
  event.payload = NodeDelete{};
  engine.append(std::move(event));
  return {request.id, static_cast<std::int64_t>(edges)};
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
  };
}

}  // namespace hebb::api
