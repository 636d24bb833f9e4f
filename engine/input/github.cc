// Issues as `gh issue list --json
// number,title,body,state,labels,createdAt,closedAt,updatedAt,stateReason` prints them.
//
// Keys come from what an event is about, so that a later export adds only what is new: an issue is
// made once, its texts are set again whenever it was updated, each closing counts once. An export
// does not show labels that were taken away, nor closings that were undone before it.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/input/items.h"
#include "engine/input/outcome.h"
#include "engine/ledger/canonical_json.h"
#include "engine/ledger/validate.h"

namespace hebb {

namespace {

using namespace input;

constexpr std::size_t kDescriptionBytes = 4096;

struct Sourced {
  Event event;
  RawItem raw;
};

struct Issue {
  std::string id;  // issue-N
  std::string title, description;
  std::string state, reason;
  std::string closed_at_text;
  TimeMs created_at = 0, updated_at = 0, closed_at = 0;
  std::vector<std::string> labels;
};

// At most `bytes`, not cutting a character in two. Precondition: valid UTF-8.
std::string_view first_part(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::vector<std::string> parse_labels(Object object) {
  std::vector<std::string> labels;
  const auto value = find(object, "labels");
  if (!value) return labels;
  for (const Element label : as_array(*value, "labels")) {
    const Object fields = as_object(label, fmt::format("labels[{}]", labels.size()));
    const std::string path = fmt::format("labels[{}].name", labels.size());
    labels.push_back(fmt::format("label-{}", as_text(need(fields, "name", path), path)));
    if (auto refusal = check_name(labels.back(), path)) throw Refused{std::move(*refusal)};
  }
  return labels;
}

void parse_closing(Object object, Issue& issue) {
  if (issue.state == "OPEN") return;
  if (issue.state != "CLOSED") {
    refuse(refusal::kBadValue,
           fmt::format("state: \"{}\"; allowed are OPEN and CLOSED", issue.state));
  }
  const Element time = need(object, "closedAt");
  issue.closed_at = as_time(time, "closedAt");
  issue.closed_at_text = as_text(time, "closedAt");
}

Issue parse_issue(JsonReader& reader, std::string_view text) {
  const Object object = reader.parse_object(text);
  reader.canonical(object);  // no key twice
  Issue issue;
  const Element number = need(object, "number");
  std::uint64_t n = 0;
  if (number.get(n) != simdjson::SUCCESS || n == 0) {
    refuse(number.is_number() ? refusal::kOutOfRange : refusal::kWrongType,
           "number: must be a whole number of at least 1");
  }
  issue.id = fmt::format("issue-{}", n);
  issue.title = as_text(need(object, "title"), "title");
  issue.description = first_part(find_text(object, "body").value_or(""), kDescriptionBytes);
  issue.state = as_text(need(object, "state"), "state");
  issue.reason = find_text(object, "stateReason").value_or("");
  issue.created_at = as_time(need(object, "createdAt"), "createdAt");
  issue.updated_at = issue.created_at;
  if (const auto value = find(object, "updatedAt")) {
    issue.updated_at = std::max(issue.created_at, as_time(*value, "updatedAt"));
  }
  parse_closing(object, issue);
  issue.labels = parse_labels(object);
  return issue;
}

Event make_event(TimeMs at, std::string subject, Payload payload, std::string_view identity) {
  Event event;
  event.at = at;
  event.subject = std::move(subject);
  event.key = event_key(payload, content_hash(identity));
  event.payload = std::move(payload);
  event.may_differ = true;  // a later export may have another title: its update is an own event
  return event;
}

NodeUpsert texts(const Issue& issue) {
  NodeUpsert node;
  node.type = "ISSUE";
  node.name = issue.title;
  node.description = issue.description;
  return node;
}

Event outcome_event(JsonReader& reader, const Issue& issue, std::string_view outcome) {
  std::string text = "{\"id\":";
  append_json_string(text, fmt::format("{}/closed/{}", issue.id, issue.closed_at_text));
  text += fmt::format(R"(,"outcome":"{}","taskId":"{}","timestamp":{}}})", outcome, issue.id,
                      issue.closed_at);
  return parse_outcome(reader, reader.parse_object(text), {});
}

void append_closing(JsonReader& reader, const Issue& issue, std::vector<Event>& events) {
  // Issues closed before GitHub kept reasons have none; they count as completed, as GitHub shows
  // them.
  if (issue.reason.empty() || issue.reason == "COMPLETED") {
    events.push_back(outcome_event(reader, issue, "success"));
    return;
  }
  // Only a success closes its task, so the closing is an event of its own here. NOT_PLANNED is also
  // a failure; other reasons (DUPLICATE) say nothing about the work.
  events.push_back(make_event(issue.closed_at, issue.id, StateChange{"CLOSED"},
                              fmt::format("github/{}/closed/{}", issue.id, issue.closed_at)));
  if (issue.reason == "NOT_PLANNED") events.push_back(outcome_event(reader, issue, "failure"));
}

std::vector<Event> issue_events(JsonReader& reader, const Issue& issue) {
  std::vector<Event> events;
  NodeUpsert created = texts(issue);
  created.state = "OPEN";
  events.push_back(make_event(issue.created_at, issue.id, std::move(created),
                              fmt::format("github/{}/created", issue.id)));
  if (issue.updated_at != issue.created_at) {
    // The key contains the time, because a title may be changed and changed back.
    events.push_back(make_event(issue.updated_at, issue.id, texts(issue),
                                fmt::format("github/{}/updated/{}/{}/{}", issue.id,
                                            issue.updated_at, issue.title, issue.description)));
  }
  for (const std::string& label : issue.labels) {
    events.push_back(make_event(issue.created_at, issue.id, Link{label, "LABELED_AS", 1.0, {}},
                                fmt::format("github/{}/labeled/{}", issue.id, label)));
  }
  if (issue.state == "CLOSED") append_closing(reader, issue, events);
  if (issue.state == "OPEN" && issue.reason == "REOPENED") {
    events.push_back(make_event(issue.updated_at, issue.id, StateChange{"OPEN"},
                                fmt::format("github/{}/reopened/{}", issue.id, issue.updated_at)));
  }
  return events;
}

struct FirstUse {
  TimeMs at;
  RawItem raw;
};
using Labels = std::map<std::string, FirstUse>;

void append_labels(const Labels& labels, std::vector<Sourced>& out) {
  constexpr std::string_view kPrefix = "label-";
  for (const auto& [id, first] : labels) {
    NodeUpsert node;
    node.type = "LABEL";
    node.name = id.substr(kPrefix.size());
    out.push_back(
        {make_event(first.at, id, std::move(node), fmt::format("github/{}", id)), first.raw});
  }
}

}  // namespace

void read_github(Input& input, const ReadOptions& /*options*/, const ItemSink& sink) {
  JsonReader reader;
  Labels labels;  // a label is made with the first issue that has it
  std::vector<Sourced> all;
  const auto parse = [&](std::string_view text) {
    const Issue issue = parse_issue(reader, text);
    return std::pair{issue, issue_events(reader, issue)};
  };
  split_document(input, [&](const RawItem& raw) {
    auto parsed = attempt(raw, parse);
    if (auto* refusal = std::get_if<Refusal>(&parsed)) {
      sink(as_item(raw, std::move(*refusal)));
      return;
    }
    auto& [issue, events] = std::get<std::pair<Issue, std::vector<Event>>>(parsed);
    for (const std::string& label : issue.labels) {
      const auto [entry, fresh] = labels.try_emplace(label, FirstUse{issue.created_at, raw});
      if (!fresh && issue.created_at < entry->second.at) entry->second = {issue.created_at, raw};
    }
    for (Event& event : events) all.push_back({std::move(event), raw});
  });
  append_labels(labels, all);
  std::stable_sort(all.begin(), all.end(), [](const Sourced& a, const Sourced& b) {
    return std::tie(a.event.at, a.event.key) < std::tie(b.event.at, b.event.key);
  });
  for (Sourced& item : all) sink(as_item(item.raw, std::move(item.event)));
}

}  // namespace hebb
