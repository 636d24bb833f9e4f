// add, edit, show: tasks as people write them, with their labels and what blocks them.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "api/common.h"
#include "api/new_id.h"
#include "api/operation.h"
#include "engine/look/look.h"
#include "engine/rank/node_filter.h"
#include "text/ascii.h"

namespace hebb {

RECORD(LinkedTask, FIELD(id, "The node"), FIELD(name, "Its name", {.may_be_absent = true}),
       FIELD(state, "Its state", {.may_be_absent = true}))

RECORD(ShownTask, FIELD(id, "The node"), FIELD(name, "What is to be done"),
       FIELD(type, "TASK, ISSUE, …"),
       FIELD(state, "OPEN is a task to be ranked", {.may_be_absent = true}),
       FIELD(claimed_by, "Who has claimed it", {.may_be_absent = true}),
       FIELD_AS(Time, claimed_until, "Until when", {.may_be_absent = true}),
       FIELD(description, "Any text", {.may_be_absent = true}),
       FIELD(project, "What it belongs to", {.may_be_absent = true}),
       FIELD(number, "How its tracker calls it", {.may_be_absent = true}),
       FIELD(url, "Where its tracker shows it", {.may_be_absent = true}),
       FIELD(labels, "Its labels", {.may_be_absent = true}),
       FIELD(assignees, "Who is to do it", {.may_be_absent = true}),
       field("priority", self.set_priority, "Set by people: 0 (most urgent) to 4"),
       FIELD_AS(Time, due_at, "When it is due", {.may_be_absent = true}),
       FIELD_AS(Time, snoozed_until, "Not ranked before that time", {.may_be_absent = true}),
       FIELD(because, "Why it is snoozed", {.may_be_absent = true}),
       FIELD(estimate, "How long they say it takes", {.unit = "ms"}),
       FIELD(pinned, "Above everything that is not"),
       FIELD(part_of, "What it is a part of", {.may_be_absent = true}),
       FIELD(not_ready, "Why it cannot be done now", {.may_be_absent = true}),
       FIELD(blocked_by, "What has to be finished before it", {.may_be_absent = true}),
       FIELD(unblocks, "What waits for it", {.may_be_absent = true}),
       FIELD(outcomes, "How it came out so far, the latest first; at most five",
             {.may_be_absent = true}),
       FIELD_AS(Time, created_at, "When it was first set", {.may_be_absent = true}),
       FIELD_AS(Time, updated_at, "When it was last set or changed its state",
                {.may_be_absent = true}))

}  // namespace hebb

namespace hebb::api {

// The links of a task, besides the fields of its node.
struct Links {
  std::vector<std::string> labels;
  std::string assignee;
  std::vector<NodeId> part_of, blocked_by;
};
RECORD(Links,
       FIELD(labels, "A label, by its name; created if there is none", {.option = "--label"}),
       FIELD(assignee, "Who is to do it, by name; created if there is none"),
       FIELD(part_of, "What it is a part of"),
       FIELD(blocked_by, "What has to be finished before it"))

struct TaskResult {
  ShownTask task;
};
RECORD(TaskResult, FIELD(task, "The task as it is now"))

struct EachTaskResult : TaskResult {
  std::vector<ShownTask> also;
};
RECORD(EachTaskResult, part<TaskResult>(self),
       FIELD(also, "The other tasks, in their order", {.may_be_absent = true}))

namespace {

ShownTask task_now(Session& session, Engine& engine, const std::string& id) {
  ShownTask task = shown_task(engine, require_node(engine.state(), id), session.now());
  const auto claim = claim_of(engine, id);
  if (claim && claim->stuck(session.now())) task.not_ready.emplace_back(kStuck);
  return task;
}

// Calls one() with the id of each task of the request, all of which are nodes.
EachTaskResult for_each_task(Engine& engine, const EachTask& request,
                             const std::vector<std::string>& ids,
                             const std::function<ShownTask(const std::string& id)>& one) {
  EachTaskResult result;
  for (const std::string& id : ids) {
    require_node(engine.state(), id, field_of(request, id));
    ShownTask task = one(id);
    if (id == request.id) {
      result.task = std::move(task);
    } else {
      result.also.push_back(std::move(task));
    }
  }
  return result;
}

// Within a write transaction of the engine.
class TaskWriter {
 public:
  TaskWriter(Session& session, Engine& engine, std::string id, TimeMs now)
      : session_(session), engine_(engine), id_(std::move(id)), now_(now) {}

  void set(NodeUpsert upsert) { add(id_, std::move(upsert)); }

  void link_all(const Links& links) {
    // "bug,ci" are two labels, unless one label has that name.
    std::vector<std::string> labels, listed;
    for (const auto& label : links.labels)
      (label.find(',') == label.npos ? labels : listed).push_back(label);
    const auto ids = ids_named(engine_, listed);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const std::string& label = listed[i];
      for (std::size_t from = 0; from <= label.size();) {
        const std::size_t to =
            ids[i].empty() ? std::min(label.find(',', from), label.size()) : label.size();
        labels.push_back(label.substr(from, to - from));
        from = to + 1;
      }
    }
    add_to(labels, "labels", "LABEL", "LABELED_AS");
    if (!links.assignee.empty()) add_to({links.assignee}, "assignee", "USER", "ASSIGNED_TO");
    for (const auto& whole : links.part_of) add_from(whole, "PARENT_OF");
    for (const auto& blocker : links.blocked_by) add_from(blocker, "BLOCKS");
  }
  // A label of the task, or a category, which is shown as a label: by its id, else its name, else
  // its name in any case if that is unique.
  void unlabel(const std::string& label) {
    const State& s = engine_.state();
    const auto& g = s.graph();
    std::array<std::map<std::string, std::string>, 3> fitting;  // ids, with the type of the link
    for (const graph::EdgeId e : g.out_edges(*s.find(id_))) {
      const std::string type = g.edge_types().name(g.type(e)), id(g.id(g.target(e)));
      if (type != "LABELED_AS" && type != "IN_CATEGORY") continue;
      const std::string name = engine_.content(id).name.value_or("");
      if (id == label) fitting[0].emplace(id, type);
      if (name == label) fitting[1].emplace(id, type);
      if (same_name(name, label)) fitting[2].emplace(id, type);
    }
    const auto fits = std::ranges::find_if(fitting, [](const auto& ids) { return !ids.empty(); });
    if (fits == fitting.end()) throw invalid("remove_labels", "{} has no label \"{}\"", id_, label);
    if (fits->size() > 1) {
      throw invalid("remove_labels", "{} has {} labels \"{}\": give the id of one, such as {}", id_,
                    fits->size(), label, fits->begin()->first);
    }
    add(id_, Unlink{fits->begin()->first, fits->begin()->second});
  }
  void unblock(const std::string& blocker) {
    if (!engine_.state().find_edge({blocker, id_, "BLOCKS"})) {
      throw invalid("unblock", "{} does not block {}", blocker, id_);
    }
    add(blocker, Unlink{id_, "BLOCKS"});
  }

  ShownTask append(MissingVectors& missing) {
    if (!events_.empty()) engine_.append(std::move(events_), {.missing = &missing});
    return task_now(session_, engine_, id_);
  }

 private:
  // The whole request is one transaction, during which nobody else can write.
  void add(const std::string& subject, Payload payload) {
    constexpr std::size_t kMost = 1000;
    if (events_.size() == kMost) {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("this is more than {} new labels and links at once: add some, and "
                                "the rest with `hebb edit`, or all of them with `hebb import`",
                                kMost));
    }
    Event& event = events_.emplace_back();
    event.at = now_;
    event.subject = subject;
    event.payload = std::move(payload);
  }

  // Precondition: there is or was such a node.
  bool has_type(const std::string& id, std::string_view type) const {
    const auto& g = engine_.state().graph();
    return g.node_types().name(g.nodes().type[*engine_.state().find(id)]) == type;
  }
  bool is_there(const std::string& id, std::string_view type) const {
    return engine_.state().exists(id) && has_type(id, type);
  }

  // The ids of labels or people: those that imports make, else existing ones by id or name.
  std::vector<std::string> nodes_named(const std::vector<std::string>& names,
                                       std::string_view type) const {
    std::vector<std::string> ids, others;
    for (const std::string& name : names) {
      ids.push_back((type == "LABEL" ? "label-" : "user-") + name);
      if (!is_there(ids.back(), type)) others.push_back(name);
    }
    const auto named = ids_named(engine_, others);
    for (std::size_t i = 0, other = 0; i < ids.size(); ++i) {
      if (is_there(ids[i], type)) continue;
      const auto found = std::ranges::find_if(
          named[other], [&](const std::string& id) { return is_there(id, type); });
      if (found != named[other].end()) ids[i] = *found;
      ++other;
    }
    return ids;
  }

  void add_to(const std::vector<std::string>& names, const std::string& field, const char* type,
              const char* edge) {
    for (const std::string& name : names) require_name(name, field);
    const auto ids = nodes_named(names, type);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (engine_.state().find(ids[i]) && !has_type(ids[i], type)) {
        throw invalid(field, "\"{}\" would be {}, which is the id of something else", names[i],
                      ids[i]);
      }
      if (!engine_.state().exists(ids[i]) && made_.insert(ids[i]).second) {
        NodeUpsert upsert;
        upsert.type = type;
        upsert.name = names[i];
        add(ids[i], std::move(upsert));
      }
      link(id_, ids[i], edge);
    }
  }

  void add_from(const std::string& source, const char* edge) {
    require_node(engine_.state(), source);
    link(source, id_, edge);
  }

  // Repeating an existing link, or one of the same request, does not strengthen it.
  void link(const std::string& source, const std::string& target, const char* type) {
    const State& s = engine_.state();
    const auto there = s.find_edge({source, target, type});
    if (there && !edge_now(s, *there, session_.now()).dormant) return;
    if (made_.insert(fmt::format("{}\n{}\n{}", source, target, type)).second)
      add(source, Link{target, type, 1, {}});
  }

  Session& session_;
  Engine& engine_;
  const std::string id_;
  const TimeMs now_;
  std::vector<Event> events_;
  std::set<std::string> made_;  // nodes and edges of this request
};

}  // namespace

// --- add -----------------------------------------------------------------------------------------

struct AddRequest : PeopleFields {
  std::string name;
  std::optional<std::string> description, project;
  Links links;
  std::optional<std::string> id;
};
RECORD(AddRequest,
       FIELD(name, "What is to be done, in a line",
             {.required = true, .positional = true, .joined = true}),
       FIELD(description, "More about it"), FIELD(project, "What it belongs to"), part(self.links),
       part<PeopleFields>(self), FIELD(id, "Its id; else a short one is created"))

static void require_task_name(const std::string& name) {
  if (trim(name).empty())
    throw invalid("name", "{} is empty: say what is to be done", named("name"));
}

static TaskResult add(Session& session, const AddRequest& request) {
  if (request.id) require_name(*request.id, "id");
  require_task_name(request.name);
  NodeUpsert upsert;
  upsert.type = "TASK";
  upsert.name = request.name;
  upsert.description = request.description;
  upsert.project = request.project;
  require_texts(upsert);
  set_people_fields(request, {}, upsert);
  MissingVectors missing;
  TaskResult result = write(session, [&](Engine& engine) {
    const State& s = engine.state();
    const TimeMs now = session.now();  // also the event's time: see is_generated_id()
    const std::string id = request.id ? *request.id : new_id(s, request.name, now);
    if (s.find(id)) {
      throw Problem(ProblemType::conflict,
                    s.exists(id)
                        ? fmt::format("there is {0} already; `hebb edit {0}` changes it", id)
                        : fmt::format("{0} was deleted; `hebb node set {0}` brings it back", id),
                    "id");
    }
    TaskWriter writer(session, engine, id, now);
    writer.set(upsert);
    writer.link_all(request.links);
    return TaskResult{writer.append(missing)};
  });
  for (const auto& note : notes_of(missing)) session.note(note);
  return result;
}

// --- edit ----------------------------------------------------------------------------------------

struct EditRequest : EachTask, PeopleFields {
  std::optional<std::string> name, description, comment, state, project;
  Links links;
  std::vector<std::string> remove_labels;
  std::vector<NodeId> unblock;
  ClearedFields cleared;
};
RECORD(EditRequest, part<EachTask>(self), FIELD(name, "What is to be done, in a line"),
       FIELD(description, "More about it", {.empty_clears = true}),
       FIELD(comment, "A line to add to its description"), FIELD(state, kStateWords),
       FIELD(project, "What it belongs to", {.empty_clears = true}), part(self.links),
       FIELD(remove_labels, "A label that it no longer has", {.option = "--remove-label"}),
       FIELD(unblock, "What no longer has to be finished before it"), part<PeopleFields>(self),
       part(self.cleared))

// When a snooze ended, or ends now because it is cleared: the task counts as touched at that time.
// kNever: it was not snoozed.
static TimeMs woken_at(Session& session, Engine& engine, const std::string& id) {
  const graph::Graph& g = engine.state().graph();
  return std::min(g.nodes().snoozed_until[*g.find_node(id)], session.now());
}

// The description with the comment as its last line.
static std::string with_comment(std::string description, const std::string& comment) {
  if (!description.empty() && description.back() != '\n') description += '\n';
  return description + comment;
}

static EachTaskResult edit(Session& session, const EditRequest& request) {
  const std::vector<std::string> ids = ids_of(request, request.name ? "name" : "");
  require_state(request.state);
  if (request.name) require_task_name(*request.name);
  if (request.comment) require_text(*request.comment, "comment");
  NodeUpsert upsert;
  upsert.name = request.name;
  upsert.description = request.description;
  upsert.state = request.state;
  upsert.project = request.project;
  require_texts(upsert);
  set_people_fields(request, request.cleared, upsert);
  const bool says_something = upsert.name || upsert.description || request.comment ||
                              upsert.state || upsert.project || upsert.priority || upsert.due_at ||
                              upsert.snoozed_until || upsert.because || upsert.estimate ||
                              upsert.pinned;
  const Links& links = request.links;
  const bool links_something = !links.labels.empty() || !links.assignee.empty() ||
                               !links.part_of.empty() || !links.blocked_by.empty() ||
                               !request.remove_labels.empty() || !request.unblock.empty();
  if (!says_something && !links_something)
    throw Problem(ProblemType::invalid_argument, "nothing to change is given");
  std::vector<std::string> notes;
  EachTaskResult result = write(session, [&](Engine& engine) {
    return for_each_task(engine, request, ids, [&](const std::string& id) {
      NodeUpsert own = upsert;
      if (own.snoozed_until == graph::kNever) own.snoozed_until = woken_at(session, engine, id);
      if (request.comment) {
        own.description =
            with_comment(own.description.value_or(engine.content(id).description.value_or("")),
                         *request.comment);
      }
      TaskWriter writer(session, engine, id, session.now());
      if (says_something) writer.set(own);
      writer.link_all(links);
      for (const auto& label : request.remove_labels) writer.unlabel(label);
      for (const auto& blocker : request.unblock) writer.unblock(blocker);
      MissingVectors missing;
      ShownTask task = writer.append(missing);
      for (std::string& note : notes_of(missing)) notes.push_back(std::move(note));
      return task;
    });
  });
  for (const auto& note : notes) session.note(note);
  note_unknown_state(session, request.state);
  return result;
}

// --- show ----------------------------------------------------------------------------------------

struct ShowRequest : EachTask {};
RECORD(ShowRequest, part<EachTask>(self))

static EachTaskResult show(Session& session, const ShowRequest& request) {
  Engine& engine = session.engine(Access::read);
  return for_each_task(engine, request, ids_of(request),
                       [&](const std::string& id) { return task_now(session, engine, id); });
}

Operations tasks_operations() {
  return {
      operation({.name = "add",
                 .summary = "Add a task",
                 .example = "  hebb add \"Call plumber\" --due friday --label home\n"
                            "  hebb add \"Release 2.1\" --priority 0 --blocked-by fix-login",
                 .route = "POST /tasks",
                 .tool = Tool::core,
                 .problems = {ProblemType::refused, ProblemType::conflict}},
                add),
      operation({.name = "edit",
                 .summary = "Change a task: its name, labels, dates, what blocks it",
                 .example = "  hebb edit k3f9 --name \"Call the plumber\" --label urgent\n"
                            "  hebb edit k3f9 --priority 0 --due \"friday 17:00\"\n"
                            "  hebb edit k3f9 --remove-label home --unset due_at\n"
                            "  hebb edit k3f9 vjf6 --label urgent --comment \"see the minutes\"",
                 .route = "POST /tasks/{id}",
                 .tool = Tool::all,
                 .problems = {ProblemType::refused, ProblemType::not_found}},
                edit),
      operation({.name = "show",
                 .summary = "A task: its fields, what it waits for, how it came out",
                 .example = "  hebb show k3f9\n  hebb show k3f9 vjf6",
                 .route = "GET /tasks/{id}",
                 .tool = Tool::core,
                 .problems = {ProblemType::not_found}},
                show),
  };
}

}  // namespace hebb::api
