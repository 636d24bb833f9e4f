// Beads: `.beads/issues.jsonl`, an issue a line, as the tracker steveyegge/beads keeps and exports
// its issues.
//
// Fields that are empty are left out of a line, so what is missing is none. Machine-made issues
// (messages, agents, gates, …), tombstones, ephemeral and pinned ones and templates are no tasks.
// What `bd ready` leaves out is no candidate here: docs/trackers.md.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/ascii.h"
#include "engine/input/tickets.h"
#include "engine/ledger/validate.h"

namespace hebb {

namespace {

using namespace input;

constexpr std::array<std::string_view, 7> kRecords{"event",   "merge-request", "molecule", "agent",
                                                   "message", "role",          "rig"};

bool is_set(Object object, std::string_view name) {
  const auto value = find(object, name);
  bool is = false;
  return value && value->get(is) == simdjson::SUCCESS && is;
}

// What beads keeps for itself. "pinned" means there that it stays, and is no work.
bool is_record(Object object, std::string_view type, std::string_view status) {
  return std::find(kRecords.begin(), kRecords.end(), type) != kRecords.end() ||
         status == "pinned" || is_set(object, "ephemeral") || is_set(object, "pinned") ||
         is_set(object, "is_template");
}

// Of a reason that says that the work was not done, or done elsewhere. What begins by saying that
// it was done may go on with anything.
bool says_not_done(std::string_view reason) {
  const std::string lower = to_lower(reason);
  constexpr std::array<std::string_view, 11> kDone{"fix",     "done",  "complete", "implement",
                                                   "resolve", "merge", "add",      "remove",
                                                   "clean",   "ship",  "update"};
  constexpr std::array<std::string_view, 15> kNotDone{"duplicate",
                                                      "stale",
                                                      "obsolete",
                                                      "won't",
                                                      "wontfix",
                                                      "wont ",
                                                      "won’t",
                                                      "not planned",
                                                      "superseded",
                                                      "not needed",
                                                      "no longer needed",
                                                      "invalid",
                                                      "cancel",
                                                      "cannot reproduce",
                                                      "not reproducible"};
  if (std::any_of(kDone.begin(), kDone.end(),
                  [&](std::string_view word) { return lower.starts_with(word); }))
    return false;
  return std::any_of(kNotDone.begin(), kNotDone.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

void parse_bead_contexts(Object object, std::string_view type, Ticket& ticket) {
  TicketContexts labels{"label-", "LABEL", "LABELED_AS", {}};
  const bool has_labels = take_each(ticket, object, "labels", [&](Element label) {
    const std::string_view name = as_text(label, "labels[]");
    check_id(labels.prefix + std::string(name), "labels[]");
    labels.names.emplace_back(name);
  });
  if (has_labels) ticket.contexts.push_back(std::move(labels));
  ticket.contexts.push_back({"type-", "LABEL", "LABELED_AS", {std::string(type)}});
  TicketContexts priority{"prio-", "LABEL", "LABELED_AS", {}};
  ticket.said.has_priority = take_field(ticket, [&] {
    const auto value = find(object, "priority");
    if (!value) return;
    std::int64_t p = 0;
    if (value->get(p) != simdjson::SUCCESS || p < 0 || p > 4) {
      refuse(refusal::kOutOfRange, "priority: must be a whole number from 0 to 4");
    }
    ticket.said.priority = static_cast<int>(p);
    priority.names.push_back(std::to_string(p));
  });
  if (ticket.said.has_priority) ticket.contexts.push_back(std::move(priority));
  TicketContexts assignee{"user-", "USER", "ASSIGNED_TO", {}};
  const bool has_assignee = take_field(ticket, [&] {
    const auto name = find_text(object, "assignee");
    if (!name || name->empty()) return;
    check_id(assignee.prefix + *name, "assignee");
    assignee.names.push_back(*name);
  });
  if (has_assignee) ticket.contexts.push_back(std::move(assignee));
}

// A bead with this label waits for a person's decision, as for something that nobody tells of.
constexpr std::string_view kHuman = "human";
constexpr const char* kDecidedByHuman = "decision-of-human";

// Of {"gate":"any-children"}, an object or the text of one.
bool waits_for_any(Object dependency) {
  const auto metadata = find(dependency, "metadata");
  if (!metadata) return false;
  constexpr std::string_view kAny = "any-children";
  if (metadata->is_string())
    return as_text(*metadata, "metadata").find(kAny) != std::string_view::npos;
  return metadata->is_object() && find_text(as_object(*metadata, "metadata"), "gate") == kAny;
}

void parse_bead_dependencies(Object object, Ticket& ticket) {
  TicketRelations blocks{"BLOCKS", true, {}}, waits{"WAITS_FOR", true, {}},
      any{"WAITS_FOR_ANY", true, {}}, parents{"PARENT_OF", true, {}},
      others{"CROSS_REFERENCES", false, {}};
  const auto kind_of = [&](std::string type, Object fields) -> TicketRelations& {
    std::replace(type.begin(), type.end(), '_', '-');
    if (type == "blocks" || type == "conditional-blocks") return blocks;
    if (type == "waits-for") return waits_for_any(fields) ? any : waits;
    return type == "parent-child" ? parents : others;
  };
  const bool has_dependencies = take_each(ticket, object, "dependencies", [&](Element element) {
    const Object fields = as_object(element, "dependencies[]");
    const std::string id(as_name(need(fields, "depends_on_id", "dependencies[].depends_on_id"),
                                 "dependencies[].depends_on_id"));
    check_id(id, "dependencies[].depends_on_id");
    const auto type = find_text(fields, "type").value_or("blocks");
    std::optional<TimeMs> at;
    take_field(ticket, [&] {
      if (const auto time = find(fields, "created_at"))
        at = as_time(*time, "dependencies[].created_at");
    });
    kind_of(type, fields).others.push_back({id, at});
  });
  const bool has_labels = take_each(ticket, object, "labels", [&](Element label) {
    if (as_text(label, "labels[]") == kHuman) blocks.others.push_back({kDecidedByHuman, {}});
  });
  if (!has_dependencies) {
    blocks.prefix = kDecidedByHuman;
    if (has_labels) ticket.relations.push_back(std::move(blocks));
    return;
  }
  for (auto* kind : {&blocks, &waits, &any, &parents, &others})
    ticket.relations.push_back(std::move(*kind));
}

// A time that the task can do without.
std::optional<TimeMs> time_of_bead(Object object, std::string_view name, Ticket& ticket) {
  std::optional<TimeMs> time;
  take_field(ticket, [&] { time = find_time(object, name); });
  return time;
}

void parse_bead_state(Object object, std::string_view status, Ticket& ticket) {
  ticket.state = upper(status);
  const bool is_deleted = status == "tombstone";
  // What stays for good is work of nobody's, and nothing waits for it.
  const bool is_pinned = status == "pinned";
  if (status != "closed" && !is_deleted && !is_pinned) {
    check_id(ticket.state, "status");
    return;
  }
  ticket.state = "CLOSED";
  Closing closing;
  const auto closed_at = time_of_bead(object, is_deleted ? "deleted_at" : "closed_at", ticket);
  closing.is_dated = closed_at.has_value();
  closing.at = std::max(ticket.created_at, closed_at.value_or(ticket.updated_at.value_or(0)));
  name_closing(ticket.id, closing);
  std::string reason;
  take_field(ticket, [&] { reason = find_text(object, "close_reason").value_or(""); });
  if (ticket.is_task && !says_not_done(reason)) closing.outcome = OutcomeKind::success;
  ticket.closing = std::move(closing);
}

std::optional<Ticket> parse_bead(JsonReader& reader, std::string_view text,
                                 const ReadOptions& options) {
  const Object object = reader.parse_object(text);
  reader.canonical(object);                                 // no key twice
  const auto issue_type = find_name(object, "issue_type");  // `type` in newer versions
  const std::string type = issue_type ? *issue_type : find_name(object, "type").value_or("task");
  const std::string status = find_name(object, "status").value_or("open");
  const bool is_own = is_record(object, type, status);
  Ticket ticket;
  ticket.is_task = !is_own && type != "gate" && status != "tombstone";
  ticket.blocks = status != "pinned";
  ticket.id = as_name(need(object, "id"), "id");
  ticket.type = is_own ? "RECORD" : upper(type);
  ticket.name = as_text(need(object, "title"), "title");
  take_field(ticket, [&] {
    const std::string text = find_text(object, "description").value_or("");
    ticket.description = first_part(text, kDescriptionBytes);
  });
  ticket.updated_at = time_of_bead(object, "updated_at", ticket);
  std::optional<TimeMs> first = time_of_bead(object, "created_at", ticket);
  if (!first) first = ticket.updated_at;
  if (!first) first = time_of_bead(object, "closed_at", ticket);
  ticket.created_at = first.value_or(options.now);
  TicketSaid& said = ticket.said;
  said.has_due = take_field(ticket, [&] { said.due_at = find_time(object, "due_at"); });
  said.has_snoozed =
      take_field(ticket, [&] { said.snoozed_until = find_time(object, "defer_until"); });
  parse_bead_state(object, status, ticket);
  if (ticket.is_task) parse_bead_contexts(object, type, ticket);
  parse_bead_dependencies(object, ticket);
  return ticket;
}

}  // namespace

void read_beads(Input& input, const ReadOptions& options, const ItemSink& sink) {
  Input lines(input.rest(Limits::kDocumentBytes));
  Tickets tickets("beads", options, sink);
  split_items(lines, [&](const RawItem& raw) { tickets.take(raw, parse_bead); });
  tickets.finish(true);
}

}  // namespace hebb
