// Issues as gh prints them: `gh issue list --json …`, `gh issue view N --json …`, and what `gh api`
// fetches from REST (pages one after the other, or in an array with --slurp).
//
// A field that was not asked for says nothing: without "labels" no label is taken away. A closing
// that was undone before the export is not to be seen in one.
#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/completions.h"
#include "engine/input/tickets.h"
#include "engine/ledger/validate.h"

namespace hebb {

namespace {

using namespace input;

// By either of its names: gh's own, and that of the REST interface.
struct Name {
  std::string_view gh, rest;
};
std::optional<Element> find_either(Object object, Name name) {
  const auto value = find(object, name.gh);
  return value ? value : find(object, name.rest);
}
// It was asked for, though it may be null.
bool tells(Object object, Name name) {
  Element ignored;
  return object[name.gh].get(ignored) == simdjson::SUCCESS ||
         object[name.rest].get(ignored) == simdjson::SUCCESS;
}

// A list, as it is or wrapped as GraphQL has it: {"nodes": […]}.
std::vector<Element> list_of(Element value, std::string_view path) {
  std::vector<Element> all;
  if (value.is_object()) {
    const auto nodes = find(as_object(value, path), "nodes");
    if (!nodes) return all;
    value = *nodes;
  }
  for (const Element e : as_array(value, path)) all.push_back(e);
  return all;
}

std::uint64_t number_of(Element value, std::string_view path) {
  std::uint64_t n = 0;
  if (value.get(n) != simdjson::SUCCESS || n == 0) {
    refuse(value.is_number() ? refusal::kOutOfRange : refusal::kWrongType,
           fmt::format("{}: must be a whole number of at least 1", path));
  }
  return n;
}

std::string id_of(std::uint64_t number) { return fmt::format("issue-{}", number); }

// Of labels {"name": …} or texts, of assignees {"login": …}.
void add_contexts(Object object, Name name, std::string_view part, TicketContexts kind,
                  Ticket& ticket) {
  if (!tells(object, name)) return;
  const auto take = [&](Element element, std::string path) {
    Element text = element;
    if (!element.is_string()) {
      const Object fields = as_object(element, path);
      path += fmt::format(".{}", part);
      text = need(fields, part, path);
    }
    const std::string_view given = as_text(text, path);
    check_id(kind.prefix + std::string(given), path);
    kind.names.emplace_back(given);
  };
  const bool readable = take_field(ticket, [&] {
    const auto value = find_either(object, name);
    if (!value) return;
    std::size_t index = 0;
    for (const Element element : list_of(*value, name.gh)) {
      const std::string path = fmt::format("{}[{}]", name.gh, index++);
      take_field(ticket, [&] { take(element, path); });
    }
  });
  if (readable) ticket.contexts.push_back(std::move(kind));
}

void add_milestone(Object object, Ticket& ticket) {
  if (!tells(object, {"milestone", "milestone"})) return;
  TicketContexts kind{"milestone-", "MILESTONE", "IN_CATEGORY", {}};
  const bool readable = take_field(ticket, [&] {
    const auto value = find(object, "milestone");
    if (!value) return;
    const Object fields = as_object(*value, "milestone");
    const auto title = as_text(need(fields, "title", "milestone.title"), "milestone.title");
    check_id(kind.prefix + std::string(title), "milestone.title");
    kind.names.emplace_back(title);
    if (const auto due = find_either(fields, {"dueOn", "due_on"}))
      ticket.said.due_at = as_time(*due, "milestone.dueOn");
  });
  ticket.said.has_due = readable;
  if (readable || !kind.names.empty()) ticket.contexts.push_back(std::move(kind));
}

// The repository in the address of an issue: what stands before "/issues/".
std::string_view repository_of(Object object) {
  for (const auto key : {"url", "html_url"}) {
    const auto value = find(object, key);
    if (!value || !value->is_string()) continue;
    const std::string_view url = as_text(*value, key);
    return url.substr(0, url.rfind("/issues/"));
  }
  return {};
}

// The id of another issue: that of its own repository says which, and stands where the task must
// wait for it. Nothing: the relation is not kept.
std::optional<std::string> id_of_other(Object other, std::string_view repository,
                                       const TicketRelations& kind, std::string_view path) {
  const auto number = find(other, "number");
  if (!number) return std::nullopt;
  const std::string id = id_of(number_of(*number, path));
  std::string_view theirs = repository_of(other);
  if (repository.empty() || theirs.empty() || repository == theirs) return id;
  if (!kind.inbound || kind.edge_type != "BLOCKS") return std::nullopt;
  for (const std::string_view start : {"https://", "http://"}) {
    if (theirs.starts_with(start)) theirs.remove_prefix(start.size());
  }
  const std::string full = fmt::format("{}/{}", theirs, id);
  check_id(full, path);
  return full;
}

bool is_closed(Object other) {
  const auto state = find(other, "state");
  return state && state->is_string() && upper(as_text(*state, "state")) == "CLOSED";
}

void add_relations(Object object, Name name, TicketRelations kind, Ticket& ticket) {
  if (!tells(object, name)) return;
  std::vector<Element> others;
  const bool readable = take_field(ticket, [&] {
    const auto value = find_either(object, name);
    if (!value) return;
    if (value->is_object() && !find(as_object(*value, name.gh), "nodes")) {
      others.push_back(*value);  // the parent
    } else {
      others = list_of(*value, name.gh);
    }
  });
  const std::string_view repository = repository_of(object);
  for (const Element element : others) {
    take_field(ticket, [&] {
      const Object other = as_object(element, name.gh);
      auto id = id_of_other(other, repository, kind, fmt::format("{}.number", name.gh));
      if (id) kind.others.push_back({std::move(*id), std::nullopt, is_closed(other)});
    });
  }
  if (readable) ticket.relations.push_back(std::move(kind));
}

void add_parent_address(Object object, Ticket& ticket) {
  const auto value = find(object, "parent_issue_url");
  if (!value || tells(object, {"parent", "parent"})) return;
  if (!value->is_string()) return;
  const std::string_view url = as_text(*value, "parent_issue_url");
  const std::string number(url.substr(std::min(url.rfind('/') + 1, url.size())));
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return;
  ticket.relations.push_back({"PARENT_OF", true, {{"issue-" + number, std::nullopt}}});
}

std::uint64_t count_in(Object summary, std::string_view name) {
  const auto value = find(summary, name);
  std::uint64_t n = 0;
  return value && value->get(n) == simdjson::SUCCESS ? n : 0;
}

// Where the lists themselves were not asked for, how many there are: without their names, what the
// issue waits for is not known, but that it waits is.
void add_summaries(Object object, Ticket& ticket) {
  const auto add = [&](Name list, Name summary, std::string_view of, TicketRelations kind,
                       std::uint64_t (*open)(Object)) {
    if (tells(object, list)) return;
    take_field(ticket, [&] {
      const auto value = find_either(object, summary);
      if (!value) return;
      kind.prefix = of;
      if (open(as_object(*value, summary.gh)) > 0)
        kind.others.push_back({fmt::format("{}-of-{}", of, ticket.id), std::nullopt});
      ticket.relations.push_back(std::move(kind));
    });
  };
  add({"blockedBy", "blocked_by"}, {"issueDependenciesSummary", "issue_dependencies_summary"},
      "blockers", {"BLOCKS", true, {}}, [](Object summary) {
        return count_in(summary, "blocked_by") + count_in(summary, "blockedBy");
      });
  add({"subIssues", "sub_issues"}, {"subIssuesSummary", "sub_issues_summary"}, "sub-issues",
      {"PARENT_OF", false, {}}, [](Object summary) {
        const auto total = count_in(summary, "total"), done = count_in(summary, "completed");
        return total > done ? total - done : 0;
      });
}

void parse_relations(Object object, Ticket& ticket) {
  struct Kind {
    Name name;
    std::string_view edge_type;
    bool inbound;
  };
  constexpr Kind kKinds[] = {
      {{"parent", "parent"}, "PARENT_OF", true},
      {{"subIssues", "sub_issues"}, "PARENT_OF", false},
      {{"blockedBy", "blocked_by"}, "BLOCKS", true},
      {{"blocking", "blocking"}, "BLOCKS", false},
  };
  for (const Kind& kind : kKinds) {
    add_relations(object, kind.name, {std::string(kind.edge_type), kind.inbound, {}}, ticket);
  }
  add_parent_address(object, ticket);
  add_summaries(object, ticket);
}

void parse_issue_contexts(Object object, Ticket& ticket) {
  add_contexts(object, {"labels", "labels"}, "name", {"label-", "LABEL", "LABELED_AS", {}}, ticket);
  add_contexts(object, {"assignees", "assignees"}, "login", {"user-", "USER", "ASSIGNED_TO", {}},
               ticket);
  add_milestone(object, ticket);
}

constexpr Name kClosedAt{"closedAt", "closed_at"};

// A time that the task can do without.
std::optional<TimeMs> date_of(Object object, Name name, Ticket& ticket) {
  std::optional<TimeMs> time;
  take_field(ticket, [&] {
    if (const auto value = find_either(object, name)) time = as_time(*value, name.gh);
  });
  return time;
}

void parse_issue_state(Object object, Ticket& ticket) {
  const std::string_view given = as_text(need(object, "state"), "state");
  const std::string state = upper(given);
  std::string reason;
  if (const auto value = find_either(object, {"stateReason", "state_reason"})) {
    reason = upper(as_text(*value, "stateReason"));
  }
  ticket.reopened = state == "OPEN" && reason == "REOPENED";
  if (state == "OPEN") return;
  if (state != "CLOSED") {
    refuse(refusal::kBadValue, fmt::format("state: \"{}\"; allowed are OPEN and CLOSED", given));
  }
  Closing closing;
  const auto closed_at = date_of(object, kClosedAt, ticket);
  closing.is_dated = closed_at.has_value();
  closing.at = closed_at.value_or(std::max(ticket.created_at, ticket.updated_at.value_or(0)));
  name_closing(ticket.id, closing);
  if (closed_at) {
    const Element written = *find_either(object, kClosedAt);
    if (written.is_string()) closing.identity = closing_id(ticket.id, as_text(written, "closedAt"));
  }
  // Issues closed before GitHub kept reasons have none; they count as completed, as GitHub shows
  // them. NOT_PLANNED is a failure, and any further reason (DUPLICATE) says nothing about the work.
  if (reason.empty() || reason == "COMPLETED") closing.outcome = OutcomeKind::success;
  if (reason == "NOT_PLANNED") closing.outcome = OutcomeKind::failure;
  ticket.state = "CLOSED";
  ticket.closing = std::move(closing);
}

std::optional<Ticket> parse_issue(JsonReader& reader, std::string_view text,
                                  const ReadOptions& options) {
  const Object object = reader.parse_object(text);
  reader.canonical(object);  // no key twice
  // REST lists pull requests among the issues.
  if (find(object, "pull_request")) return std::nullopt;
  Ticket ticket;
  ticket.type = "ISSUE";
  ticket.id = id_of(number_of(need(object, "number"), "number"));
  ticket.name = as_text(need(object, "title"), "title");
  take_field(ticket, [&] {
    const std::string text = find_text(object, "body").value_or("");
    ticket.description = first_part(text, kDescriptionBytes);
  });
  ticket.updated_at = date_of(object, {"updatedAt", "updated_at"}, ticket);
  std::optional<TimeMs> first = date_of(object, {"createdAt", "created_at"}, ticket);
  if (!first) first = ticket.updated_at;
  if (!first) first = date_of(object, kClosedAt, ticket);
  ticket.created_at = first.value_or(options.now);
  parse_issue_state(object, ticket);
  parse_issue_contexts(object, ticket);
  parse_relations(object, ticket);
  return ticket;
}

}  // namespace

void read_github(Input& input, const ReadOptions& options, const ItemSink& sink) {
  Tickets tickets("github", options, sink);
  const bool list = split_pages(input, [&](const RawItem& raw) { tickets.take(raw, parse_issue); });
  tickets.finish(list);
}

}  // namespace hebb
