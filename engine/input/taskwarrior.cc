// Taskwarrior: what `task export` prints, an array of tasks or, from older versions, a task a line.
//
// Recurrence templates (status "recurring") are no tasks; those made from them are. Fields that are
// empty are left out, so what is missing is none. What its report "ready" leaves out is no
// candidate here: docs/trackers.md.
#include <algorithm>

#include <fmt/format.h>

#include "engine/input/tickets.h"
#include "engine/ledger/validate.h"

namespace hebb {

namespace {

using namespace input;

// 20261201T130500Z
TimeMs as_stamp(Element value, std::string_view path) {
  const std::string_view t = as_text(value, path);
  if (t.size() == 16 && t[8] == 'T' && t[15] == 'Z') {
    const auto part = [&](std::size_t at, std::size_t size) { return t.substr(at, size); };
    const auto time = parse_rfc3339(fmt::format("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 2),
                                                part(6, 2), part(9, 2), part(11, 2), part(13, 2)));
    if (time && *time >= Limits::kEarliestTime) return *time;
  }
  return as_time(value, path);
}

// A time that the task can do without. False: what stands there is none.
bool take_stamp(Ticket& ticket, Object object, std::string_view name, std::optional<TimeMs>& time) {
  return take_field(ticket, [&] {
    if (const auto value = find(object, name)) time = as_stamp(*value, name);
  });
}

void parse_task_contexts(Object object, Ticket& ticket) {
  TicketContexts tags{"label-", "LABEL", "LABELED_AS", {}};
  const bool has_tags = take_each(ticket, object, "tags", [&](Element tag) {
    const std::string_view name = as_text(tag, "tags[]");
    check_id(tags.prefix + std::string(name), "tags[]");
    tags.names.emplace_back(name);
  });
  if (has_tags) ticket.contexts.push_back(std::move(tags));
  TicketContexts project{"project-", "PROJECT", "IN_CATEGORY", {}};
  const bool has_project = take_field(ticket, [&] {
    const std::string name = find_text(object, "project").value_or("");
    if (!name.empty()) {
      check_id(project.prefix + name, "project");
      project.names.push_back(name);
    }
    ticket.project = name;
  });
  if (has_project) ticket.contexts.push_back(std::move(project));
  TicketContexts priority{"prio-", "LABEL", "LABELED_AS", {}};
  ticket.said.has_priority = take_field(ticket, [&] {
    const auto name = find_text(object, "priority");
    if (!name || name->empty()) return;
    check_id(priority.prefix + *name, "priority");
    priority.names.push_back(*name);
    // Taskwarrior's own three; others are names that its user has made.
    if (*name == "H") ticket.said.priority = 1;
    if (*name == "M") ticket.said.priority = 2;
    if (*name == "L") ticket.said.priority = 3;
  });
  if (ticket.said.has_priority) ticket.contexts.push_back(std::move(priority));
}

// An array, or from older versions one text with commas.
void parse_depends(Object object, Ticket& ticket) {
  TicketRelations blocks{"BLOCKS", true, {}};
  const auto add = [&](std::string_view uuid) {
    if (uuid.empty()) return;
    check_id(uuid, "depends[]");
    blocks.others.push_back({std::string(uuid), std::nullopt});
  };
  const auto value = find(object, "depends");
  bool has_depends = true;
  if (value && value->is_string()) {
    has_depends = take_field(ticket, [&] {
      std::string_view rest = as_text(*value, "depends");
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        add(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    });
  } else {
    has_depends = take_each(ticket, object, "depends",
                            [&](Element uuid) { add(as_name(uuid, "depends[]")); });
  }
  if (has_depends) ticket.relations.push_back(std::move(blocks));
}

void parse_task_state(Object object, std::string_view status, Ticket& ticket) {
  if (status != "completed" && status != "deleted") {
    if (status != "pending" && status != "waiting") {
      refuse(refusal::kBadValue,
             fmt::format("status: \"{}\"; allowed are pending, waiting, recurring, completed and "
                         "deleted",
                         status));
    }
    ticket.state = find(object, "start") ? "IN_PROGRESS" : "OPEN";
    return;
  }
  Closing closing;
  std::optional<TimeMs> end = ticket.updated_at;
  closing.is_dated = find(object, "end") && take_stamp(ticket, object, "end", end);
  closing.at = std::max(ticket.created_at, end.value_or(0));
  name_closing(ticket.id, closing);
  if (status == "completed") closing.outcome = OutcomeKind::success;
  ticket.state = "CLOSED";
  ticket.closing = std::move(closing);
}

std::string annotations_of(Object object, Ticket& ticket) {
  std::string text;
  take_each(ticket, object, "annotations", [&](Element annotation) {
    const auto words = find_text(as_object(annotation, "annotations[]"), "description");
    if (!words) return;
    if (!text.empty()) text += '\n';
    text += *words;
  });
  return std::string(first_part(text, kDescriptionBytes));
}

std::optional<Ticket> parse_task(JsonReader& reader, std::string_view text,
                                 const ReadOptions& options) {
  const Object object = reader.parse_object(text);
  reader.canonical(object);  // no key twice
  const std::string_view status = as_text(need(object, "status"), "status");
  Ticket ticket;
  ticket.is_task = ticket.blocks = status != "recurring";
  ticket.type = "TASK";
  ticket.id = as_name(need(object, "uuid"), "uuid");
  ticket.name = as_text(need(object, "description"), "description");
  ticket.description = annotations_of(object, ticket);
  take_stamp(ticket, object, "modified", ticket.updated_at);
  std::optional<TimeMs> first = ticket.updated_at;
  if (!first) take_stamp(ticket, object, "end", first);
  take_stamp(ticket, object, "entry", first);
  ticket.created_at = first.value_or(options.now);
  TicketSaid& said = ticket.said;
  said.has_due = take_stamp(ticket, object, "due", said.due_at);
  // Before either of these it is not to be begun.
  std::optional<TimeMs> scheduled;
  said.has_snoozed = take_stamp(ticket, object, "wait", said.snoozed_until);
  said.has_snoozed = take_stamp(ticket, object, "scheduled", scheduled) && said.has_snoozed;
  said.snoozed_until = std::max(said.snoozed_until, scheduled);
  if (!ticket.is_task) return ticket;
  parse_task_state(object, status, ticket);
  parse_task_contexts(object, ticket);
  parse_depends(object, ticket);
  return ticket;
}

}  // namespace

void read_taskwarrior(Input& input, const ReadOptions& options, const ItemSink& sink) {
  Input items(input.rest(Limits::kDocumentBytes));
  Tickets tickets("taskwarrior", options, sink);
  split_items(items, [&](const RawItem& raw) { tickets.take(raw, parse_task); });
  tickets.finish(true);
}

}  // namespace hebb
