#include "engine/input/tickets.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/states.h"
#include "engine/input/recognise.h"
#include "engine/input/tracker.h"
#include "engine/ledger/event_fields.h"
#include "engine/values/canonical_json.h"
#include "engine/values/counted.h"

namespace hebb::input {

namespace {

constexpr std::string_view kClosing = "/closed/";
constexpr std::string_view kUndated = "undated/";

}  // namespace

std::string closing_id(std::string_view task, std::string_view when, bool is_dated) {
  return fmt::format("{}{}{}{}", task, kClosing, is_dated ? "" : kUndated, when);
}

bool is_closing(const Event& e) {
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  return outcome && outcome->outcome == OutcomeKind::success &&
         e.key.starts_with(event_key(e.payload, fmt::format("{}{}", e.subject, kClosing)));
}

void name_closing(std::string_view task, Closing& closing) {
  const std::string when = fmt::format("{}", closing.at);
  closing.identity = closing_id(task, when, closing.is_dated);
}

const HeldBefore::Node* Tickets::find_named(const std::string& id) const {
  return options_.before ? options_.before->find(id) : nullptr;
}

const HeldBefore::Node* Tickets::find(const std::string& id) const {
  const HeldBefore::Node* node = find_named(id);
  return node && !node->is_unknown ? node : nullptr;
}

const Tickets::Taken* Tickets::listed(const std::string& id) const {
  const auto place = places_.find(id);
  return place != places_.end() && tickets_[place->second].chosen ? &tickets_[place->second]
                                                                  : nullptr;
}

Tickets::Tickets(const Mapping& mapping, const ReadOptions& options, const ItemSink& sink)
    : mapping_(mapping), source_(mapping.name), options_(options), sink_(sink) {}

void Tickets::take(const RawItem& raw) {
  std::optional<Event> outcome;
  auto parsed = attempt(raw, [&](std::string_view text) {
    const Element item = reader_.parse(text);
    reader_.canonical(as_object(item, "the item"));  // no key twice
    auto ticket = read_ticket(mapping_, item, options_);
    if (ticket) outcome = outcome_of(*ticket);
    return ticket;
  });
  if (auto* refusal = std::get_if<Refusal>(&parsed)) {
    sink_(as_item(raw, std::move(*refusal)));
    return;
  }
  auto& ticket = std::get<std::optional<Ticket>>(parsed);
  if (!ticket) return;
  const HeldBefore::Node* before = find(ticket->id);
  Taken taken{std::move(*ticket), raw, before, std::move(outcome)};
  const auto [place, fresh] = places_.try_emplace(taken.ticket.id, tickets_.size());
  if (fresh) {
    tickets_.push_back(std::move(taken));
    return;
  }
  // A merge of two files may put the older line last. Where one of two lines lacks its time, or
  // both have the same, their order cannot be known: the last one holds.
  Taken& other = tickets_[place->second];
  const auto &now = taken.ticket.updated_at, &then = other.ticket.updated_at;
  if (!now || !then || *now >= *then) other = std::move(taken);
}

TimeMs Tickets::seen_at(const Taken& taken) const {
  const Ticket& t = taken.ticket;
  if (t.updated_at) return std::max(t.created_at, *t.updated_at);
  return taken.before ? std::max(t.created_at, options_.now) : t.created_at;
}

TimeMs Tickets::after_own(TimeMs seen, const std::string& subject, const Against& against) const {
  if (!options_.before) return seen;
  for (const Event& e : options_.before->events_of(subject)) {
    if (against(e) && e.at >= seen) seen = e.at + 1;
  }
  return seen;
}

bool Tickets::is_own(const Event& e, const std::string& identity) {
  return e.key == event_key(e.payload, content_hash(identity));
}

namespace {

// With the time in it, because a title may be changed and changed back. Stored, in hashes: do not
// change.
std::string updated_identity(std::string_view source, std::string_view task, TimeMs at,
                             std::string_view name, std::string_view description) {
  return fmt::format("{}/{}/updated/{}/{}/{}", source, task, at, name, description);
}

bool is_text(std::string_view own) { return own == "created" || own == "updated"; }

}  // namespace

Tickets::Told Tickets::told(const Ticket& ticket) const {
  Told told;
  if (!options_.before) return told;
  for (const Event& e : options_.before->events_of(ticket.id)) {
    Own said = own(e, ticket);
    if (is_text(said.what)) told.updated_at = e.at;
    const bool stays = told.state == "CLOSED" && said.change && !said.change->opens;
    if (said.state.empty() || stays) continue;
    told.state = std::move(said.state);
    told.closed_at = told.state == "CLOSED" && said.what != "pruned" ? e.at : graph::kNever;
    told.reopened = said.what == "reopened";
  }
  return told;
}

Tickets::Own Tickets::own(const Event& e, const Ticket& ticket) const {
  const std::string of_task = fmt::format("{}/{}/", source_, ticket.id);
  if (const auto* change = std::get_if<StateChange>(&e.payload)) {
    for (const std::string_view what : {"reopened", "closed", "pruned"})
      if (is_own(e, fmt::format("{}{}/{}", of_task, what, e.at)))
        return {what, change->state, change};
    if (!is_own(e, fmt::format("{}state/{}/{}", of_task, change->state, e.at))) return {};
    return {"state", change->state, change};
  }
  if (is_closing(e)) return {"outcome", "CLOSED"};
  const auto* said = std::get_if<NodeUpsert>(&e.payload);
  if (!said) return {};
  if (is_own(e, of_task + "created")) return {"created", "OPEN"};
  const bool is_update =
      said->name && said->description &&
      is_own(e, updated_identity(source_, ticket.id, e.at, *said->name, *said->description));
  return {is_update ? "updated" : "", ""};
}

namespace {

// Calls f for each field that a tracker can say, with the members of two.
template <class F>
void each_said(NodeUpsert& a, const NodeUpsert& b, const F& f) {
  each_field<NodeUpsert>([&](const auto& field) {
    if constexpr (requires { (a.*field.member).reset(); })
      f(field, a.*field.member, b.*field.member);
  });
}

// Whether what it says now is something else than before. A text that was not said was empty.
bool says_else(NodeUpsert& now, const NodeUpsert& told) {
  bool differs = false;
  each_said(now, told, [&](const auto& field, const auto& said, const auto& before) {
    if (!said) return;
    if constexpr (std::decay_t<decltype(field)>::kSaid) {
      differs = differs || (before ? *said != *before : !is_taken_back(field, *said));
    } else {
      differs = differs || *said != before.value_or("");
    }
  });
  return differs;
}

}  // namespace

void Tickets::add(const RawItem& raw, TimeMs at, const std::string& subject, Payload payload,
                  const std::string& identity) {
  Event event;
  event.at = at;
  event.subject = subject;
  event.key = event_key(payload, content_hash(identity));
  event.payload = std::move(payload);
  event.may_differ = true;  // titles are edited: the first stays, and an update is a further event
  out_.push_back({std::move(event), raw});
}

void Tickets::add_texts(const Taken& taken) {
  const Ticket& t = taken.ticket;
  NodeUpsert created = t.said, texts = t.said;
  if (created.project == "") created.project.reset();
  each_said(created, {}, [](const auto& field, auto& said, const auto& /*none*/) {
    if (said && is_taken_back(field, *said)) said.reset();
  });
  created.state = "OPEN";
  created.opens = false;  // it may have been made and completed here before
  created.properties = t.origin;
  add(taken.raw, t.created_at, t.id, std::move(created),
      fmt::format("{}/{}/created", source_, t.id));
  const TimeMs seen = seen_at(taken);
  NodeUpsert told;
  bool differs = false;  // from what the tracker said last, if anything
  const TimeMs at = after_own(seen, t.id, [&](const Event& e) {
    if (!is_text(own(e, t).what)) return false;
    each_said(told, std::get<NodeUpsert>(e.payload),
              [](const auto&, auto& before, const auto& now) {
                if (now) before = now;
              });
    return differs = says_else(texts, told);
  });
  const auto none = [](const auto& said, const auto& value) {
    return said.value_or(value) == value;
  };
  const bool renamed = taken.before && taken.before->name != t.said.name;
  if (!renamed && !differs && (!t.updated_at || seen == t.created_at)) return;
  // What never had a project or an estimate is not given an empty one.
  if (none(texts.project, "") && none(told.project, "")) texts.project.reset();
  if (none(texts.estimate, graph::kNever) && none(told.estimate, graph::kNever))
    texts.estimate.reset();
  add(taken.raw, at, t.id, std::move(texts),
      updated_identity(source_, t.id, at, *t.said.name, *t.said.description));
}

std::optional<Event> Tickets::outcome_of(const Ticket& t) {
  if (!t.closing || !t.closing->outcome) return std::nullopt;
  const std::string text = fmt::format(
      R"({{"id":{},"outcome":"{}","taskId":{},"timestamp":{}}})", json_text(t.closing->identity),
      outcome_name(*t.closing->outcome), json_text(t.id), t.closing->at);
  return parse_outcome(reader_, reader_.parse_object(text), 0);
}

void Tickets::add_closing(const Taken& taken) {
  const Ticket& t = taken.ticket;
  const bool is_new = taken.before && !options_.before->has_outcome(t.closing->identity);
  const bool told_closed = taken.before && told(t).state == "CLOSED";
  // Each change of a closed task would be another closing.
  if (is_new && !t.closing->is_dated && told_closed) return;
  TimeMs closed = t.closing->at;
  const auto opens = [&](const Event& e) {
    const Own said = own(e, t);
    return said.change && said.change->opens && said.state != "CLOSED";
  };
  if (!told_closed) closed = after_own(closed, t.id, opens);
  std::optional<Event> outcome = taken.outcome;
  bool says_state = t.closing->outcome != OutcomeKind::success;
  if (closed > t.closing->at) {  // it was opened again under the same time
    if (t.closing->is_dated) {
      says_state = true;  // the closing itself was taken before that
    } else {
      Ticket again = t;
      again.closing->at = closed;
      name_closing(t.id, *again.closing);
      outcome = outcome_of(again);
    }
  }
  // A success closes its task; other closings say so themselves. What was completed already by an
  // outcome that somebody else reported stays one success all the same: the second counts nothing.
  if (says_state) {
    add(taken.raw, closed, t.id, StateChange{"CLOSED"},
        fmt::format("{}/{}/closed/{}", source_, t.id, closed));
  }
  if (outcome) out_.push_back({std::move(*outcome), taken.raw});
}

// The state changes where the tracker says another one than last. It opens only what it has closed
// itself: of what was completed here it may not have heard.
void Tickets::add_state(const Taken& taken) {
  const Ticket& t = taken.ticket;
  if (t.closing) return add_closing(taken);
  const TimeMs seen = seen_at(taken);
  Told before;
  if (taken.before) before = told(t);
  const bool is_first = before.state.empty();
  if (is_first) before.state = "OPEN";
  if (t.reopened) {
    if (before.state == t.state && before.reopened) return;
    add(taken.raw, seen, t.id, StateChange{t.state, !is_first},
        fmt::format("{}/{}/reopened/{}", source_, t.id, seen));
    return;
  }
  if (kept_state(t.state) == kept_state(before.state)) return;
  // A list from before the closing, such as one of another branch, does not take it back.
  constexpr TimeMs kSecond = 1000;  // after_own() may have put what was said before behind it
  if (t.updated_at && *t.updated_at < before.closed_at &&
      *t.updated_at + kSecond < before.updated_at)
    return;
  // It may have been closed because an earlier snapshot did not list it (--prune).
  const TimeMs at = after_own(seen, t.id, [&](const Event& e) {
    const std::string state = own(e, t).state;
    return !state.empty() && kept_state(state) != kept_state(t.state);
  });
  add(taken.raw, at, t.id, StateChange{t.state, before.state == "CLOSED"},
      fmt::format("{}/{}/state/{}/{}", source_, t.id, t.state, at));
}

void Tickets::tell_left_out() const {
  constexpr std::int64_t kShown = 3;
  Examples fields;
  for (const Taken& taken : tickets_)
    for (const std::string& why : taken.ticket.left_out)
      fields.add(fmt::format("{}: {}", taken.ticket.id, why), kShown);
  if (!options_.note || fields.count == 0) return;
  options_.note(fmt::format("{} left out, the rest of their tasks was taken: {}{}",
                            counted(fields.count, "field was", "fields were"), fields.first,
                            fields.count > kShown ? "; …" : ""));
}

void Tickets::finish(bool listed) {
  choose();
  for (const Taken& taken : tickets_) {
    if (!taken.chosen) continue;
    add_texts(taken);
    for (const TicketEdges& kind : taken.ticket.edges) add_edges(taken, kind);
    add_state(taken);
    if (options_.listed) options_.listed(taken.ticket.id, listed);
  }
  add_made();
  tell_left_out();
  tell_unlisted();
  std::stable_sort(out_.begin(), out_.end(), [](const Sourced& a, const Sourced& b) {
    return std::tie(a.event.at, a.event.key) < std::tie(b.event.at, b.event.key);
  });
  for (Sourced& item : out_) sink_(as_item(item.raw, std::move(item.event)));
}

namespace {

// The list of a document that has it in an object; else the document.
std::string_view list_in(std::string_view document, const Setting& list) {
  const std::string_view found = value_in_first(document, list.text());
  const bool is_object = document.find_first_of("{[") == document.find('{');
  return is_object && found.starts_with('[') ? value_at(found) : document;
}

}  // namespace

void read_tracker(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink) {
  Tickets tickets(mapping, options, sink);
  std::int64_t lines_before = 0;
  const RawSink take = [&](RawItem raw) {
    raw.line += lines_before;
    tickets.take(raw);
  };
  if (mapping["pages"]) return tickets.finish(split_pages(input, take));
  const std::string_view document = input.rest(Limits::kDocumentBytes);
  const std::string_view list = mapping["list"] ? list_in(document, mapping["list"]) : document;
  lines_before = std::count(document.data(), list.data(), '\n');
  Input items(list);
  split_items(items, take);
  tickets.finish(true);
}

}  // namespace hebb::input
