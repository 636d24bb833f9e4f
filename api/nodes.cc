#include "api/nodes.h"

#include <fmt/format.h>

#include "api/common.h"
#include "api/recall.h"
#include "engine/ledger/validate.h"
#include "recall/recall.h"
#include "reward/states.h"

namespace hebb::api {

const Fields& Node::fields() {
  static const Fields kFields{
      field("id", &Node::id, "Its id"),
      field("type", &Node::type, "TASK, LABEL, …"),
      field("state", &Node::state,
            "OPEN is a task to be ranked; IN_PROGRESS, one that an agent has claimed"),
      field("claimed_by", &Node::claimed_by, "The agent that has claimed it"),
      field("name", &Node::name, "A line"),
      field("description", &Node::description, "Any text"),
      field("project", &Node::project, "What it belongs to"),
      field("scope", &Node::scope, "The scope to which it belongs"),
      object_field("properties", &Node::properties, "Its properties, as they were given"),
      field("created_at", &Node::created_at, "When it was first set"),
      field("updated_at", &Node::updated_at, "When it was last set or changed its state"),
      field("reopened_at", &Node::reopened_at, "When it last became OPEN again, or left CLOSED"),
      field("outcome_at", &Node::outcome_at, "Its last outcome that was no failure"),
      field("completed_at", &Node::completed_at, "Its last success"),
      field("priority", &Node::priority, "How urgent people say it is: 0 (most) to 4"),
      field("due_at", &Node::due_at, "When they say it is due"),
      field("snoozed_until", &Node::snoozed_until, "No candidate before that time"),
      field("estimate", &Node::estimate, "How long they say it takes", {.unit = "ms"}),
      field("pinned", &Node::pinned, "Above everything that is not"),
      field("vector", &Node::vector, "What it is near to; empty: none"),
      field("recall_count", &Node::recall_count, "How often it was asked for before this"),
      field("last_recalled_at", &Node::last_recalled_at, "When it was last asked for"),
  };
  return kFields;
}

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

const Fields& NodeSetRequest::fields() {
  using R = NodeSetRequest;
  static const Fields kFields = with_presets<R>({
      field("id", &R::id, "The node", {.required = true, .positional = true}),
      field("type", &R::type, "TASK, LABEL, …; a new node must have one"),
      field("state", &R::state,
            "OPEN is a task to be ranked, and what a TASK has without one; IN_PROGRESS, BLOCKED, "
            "DEFERRED, CLOSED"),
      field("name", &R::name, "A line"),
      field("description", &R::description, "Any text"),
      field("project", &R::project, "What it belongs to"),
      field("scope", &R::scope, "The scope to which it belongs"),
      object_field("properties", &R::properties, "A JSON object"),
      field("priority", &R::priority, "How urgent it is: 0 (most) to 4",
            {.min = 0, .max = kLastPriority}),
      field("due_at", &R::due_at, "When it is due"),
      field("snoozed_until", &R::snoozed_until, "Not ranked before that time"),
      field("estimate", &R::estimate, "How long it takes", {.unit = "ms"}),
      field("pinned", &R::pinned, "Ranked above everything that is not, whatever its failures"),
      field("unset", &R::unset, "Takes back what was said",
            {.choices = {"priority", "due_at", "snoozed_until", "estimate", "pinned"}}),
      field("vector", &R::vector, "Its vector, used instead of one made by an embedder",
            {.hidden = true}),
      embedder_field(&R::embedder),
      model_field(&R::model),
  });
  return kFields;
}

const Fields& NodeSetResult::fields() {
  static const Fields kFields{
      field("node", &NodeSetResult::node, "The node as it is now"),
      field("created", &NodeSetResult::created, "False: it was there and is changed"),
  };
  return kFields;
}

namespace {

// What people say, and what they take back.
void say(const NodeSetRequest& request, NodeUpsert& upsert) {
  if (request.priority) upsert.priority = static_cast<int>(*request.priority);
  if (request.due_at) upsert.due_at = request.due_at->ms;
  if (request.snoozed_until) upsert.snoozed_until = request.snoozed_until->ms;
  if (request.estimate) upsert.estimate = request.estimate->ms;
  if (request.pinned) upsert.pinned = true;
  const auto take_back = [](const std::string& field, auto& said, auto nothing) {
    if (said) {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("{} is both set and unset; give one", named(field)), "unset");
    }
    said = nothing;
  };
  for (const auto& field : request.unset) {
    if (field == "priority") take_back(field, upsert.priority, int{graph::kNoPriority});
    if (field == "due_at") take_back(field, upsert.due_at, graph::kNever);
    if (field == "snoozed_until") take_back(field, upsert.snoozed_until, graph::kNever);
    if (field == "estimate") take_back(field, upsert.estimate, graph::kNever);
    if (field == "pinned") take_back(field, upsert.pinned, false);
  }
}

std::string note_of_state(const std::string& state) {
  return fmt::format(
      "\"{}\" is no state that hebb knows: only what is OPEN is ranked, and what this node blocks "
      "waits until it is CLOSED",
      state);
}

}  // namespace

NodeSetResult node_set(Session& session, const NodeSetRequest& request) {
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
  say(request, upsert);
  if (!request.vector.empty()) {
    upsert.vector = request.vector;
    if (auto refusal = check_vector(upsert.vector, "vector")) throw Refused(std::move(*refusal));
    upsert.embedder = "external";
  }
  const auto embedder = embedder_of(request.embedder, request.model);
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

Operation node_set_operation() {
  return operation<NodeSetRequest, NodeSetResult>(
      {.name = "node_set",
       .command = "node set",
       .summary = "Create a node, or change the fields that are given",
       .example = "  hebb node set task-7 --type TASK --state OPEN --name \"Fix login\"\n"
                  "  hebb node set task-7 --properties '{\"estimate\": 3}'\n"
                  "  hebb node set task-7 --priority 0 --due-at 2026-12-01T12:00:00Z\n"
                  "  hebb node set task-7 --unset priority --pinned",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/nodes/{id}",
       .method = "PUT",
       .problems = {ProblemType::refused, ProblemType::read_only},
       .idempotent = true},
      node_set);
}

// --- get -----------------------------------------------------------------------------------------

const Fields& NodeGetRequest::fields() {
  using R = NodeGetRequest;
  static const Fields kFields =
      with_presets<R>({field("id", &R::id, "The node", {.required = true, .positional = true}),
                       recall_field(&R::recall)});
  return kFields;
}

const Fields& NodeGetResult::fields() {
  static const Fields kFields{field("node", &NodeGetResult::node, "The node")};
  return kFields;
}

NodeGetResult node_get(Session& session, const NodeGetRequest& request) {
  Engine& engine = session.engine(Access::read);
  NodeGetResult result{node_of(engine, request.id)};
  engine.try_sync();
  for (const ClaimRow& claim : engine.claims()) {
    if (claim.task != request.id || !claim.active(session.now())) continue;
    result.node.claimed_by = claim.agent;
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

Operation node_get_operation() {
  return operation<NodeGetRequest, NodeGetResult>(
      {.name = "node_get",
       .command = "node get",
       .summary = "All fields of a node (counts as recall)",
       .example = "  hebb node get task-7\n  hebb node get task-7 --json",
       .effect = Effect::reads,
       .path = "/nodes/{id}",
       .problems = {ProblemType::not_found}},
      node_get);
}

// --- delete --------------------------------------------------------------------------------------

const Fields& NodeDeleteRequest::fields() {
  static const Fields kFields{
      field("id", &NodeDeleteRequest::id, "The node", {.required = true, .positional = true})};
  return kFields;
}

const Fields& NodeDeleteResult::fields() {
  static const Fields kFields{
      field("id", &NodeDeleteResult::id, "The node"),
      field("edges", &NodeDeleteResult::edges, "How many of its edges no longer count"),
  };
  return kFields;
}

NodeDeleteResult node_delete(Session& session, const NodeDeleteRequest& request) {
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

Operation node_delete_operation() {
  return operation<NodeDeleteRequest, NodeDeleteResult>(
      {.name = "node_delete",
       .command = "node delete",
       .summary = "Delete a node; the ledger keeps it, and setting it brings it back",
       .example = "  hebb node delete task-7",
       .effect = Effect::writes,
       .path = "/nodes/{id}",
       .method = "DELETE",
       .problems = {ProblemType::not_found, ProblemType::read_only},
       .destructive = true},
      node_delete);
}

}  // namespace hebb::api
