#include "engine/input/tickets.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/completions.h"
#include "engine/fold/states.h"
#include "engine/input/outcome.h"
#include "engine/ledger/canonical_json.h"

namespace hebb::input {

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string_view first_part(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

bool take_field(Ticket& ticket, const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (ItemRefused& refused) {
    ticket.left_out.push_back(std::move(refused.refusal.detail));
    return false;
  }
}

bool take_each(Ticket& ticket, Object object, std::string_view name,
               const std::function<void(Element element)>& read) {
  return take_field(ticket, [&] {
    const auto value = find(object, name);
    if (!value) return;
    for (const Element element : as_array(*value, name)) take_field(ticket, [&] { read(element); });
  });
}

void name_closing(std::string_view task, Closing& closing) {
  const std::string when = fmt::format("{}", closing.at);
  closing.identity = closing.is_dated ? closing_id(task, when) : undated_closing_id(task, when);
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

void Tickets::take(const RawItem& raw, Parse parse) {
  std::optional<Event> outcome;
  auto parsed = attempt(raw, [&](std::string_view text) {
    auto ticket = parse(reader_, text, options_);
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
  const auto updated = [](const Ticket& t) { return t.updated_at.value_or(t.created_at); };
  Taken& other = tickets_[place->second];
  if (updated(taken.ticket) >= updated(other.ticket)) other = std::move(taken);
}

TimeMs Tickets::seen_at(const Taken& taken) const {
  const Ticket& t = taken.ticket;
  if (t.updated_at) return std::max(t.created_at, *t.updated_at);
  return taken.before ? std::max(t.created_at, options_.now) : t.created_at;
}

TimeMs Tickets::after_own(TimeMs seen, const std::string& subject, const Identity& identity) const {
  if (!options_.before) return seen;
  for (const Event& e : options_.before->events_of(subject)) {
    const std::string own = e.at >= seen ? identity(e) : "";
    if (!own.empty() && is_own(e, own)) seen = e.at + 1;
  }
  return seen;
}

bool Tickets::is_own(const Event& e, const std::string& identity) const {
  return e.key == event_key(e.payload, content_hash(identity));
}

Tickets::Told Tickets::told(const Ticket& ticket) const {
  Told told;
  if (!options_.before) return told;
  const std::string of_task = fmt::format("{}/{}/", source_, ticket.id);
  const auto says = [&](const std::string& state, bool reopened = false) {
    told.state = state;
    told.reopened = reopened;
  };
  for (const Event& e : options_.before->events_of(ticket.id)) {
    if (is_closing(e)) {
      says("CLOSED");
    } else if (const auto* change = std::get_if<StateChange>(&e.payload)) {
      const auto own = [&](const std::string& what) {
        return is_own(e, fmt::format("{}{}/{}", of_task, what, e.at));
      };
      if (own("reopened")) {
        says(change->state, true);
      } else if (own("closed") || own("pruned") || own("state/" + change->state)) {
        says(change->state);
      }
    } else if (std::holds_alternative<NodeUpsert>(e.payload)) {
      if (is_own(e, of_task + "created")) says("OPEN");
    }
  }
  return told;
}

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
  NodeUpsert texts;
  texts.type = t.type;
  texts.name = t.name;
  texts.description = t.description;
  texts.project = t.project;
  const TicketSaid& said = t.said;
  NodeUpsert created = texts;
  created.priority = said.priority;
  created.due_at = said.due_at;
  created.snoozed_until = said.snoozed_until;
  created.state = "OPEN";
  created.opens = false;  // it may have been made and completed here before
  created.properties = fmt::format(R"({{"source":"{}"}})", source_);
  add(taken.raw, t.created_at, t.id, std::move(created),
      fmt::format("{}/{}/created", source_, t.id));
  TimeMs seen = seen_at(taken);
  const bool renamed = taken.before && taken.before->name != t.name;
  if (!renamed && (!t.updated_at || seen == t.created_at)) return;
  // A text may be changed without a later time.
  const auto updated = [&](TimeMs at, const std::string& name, const std::string& description) {
    return fmt::format("{}/{}/updated/{}/{}/{}", source_, t.id, at, name, description);
  };
  seen = after_own(seen, t.id, [&](const Event& e) {
    const auto* said_then = std::get_if<NodeUpsert>(&e.payload);
    if (!said_then || !said_then->name || !said_then->description) return std::string();
    if (*said_then->name == t.name && *said_then->description == t.description)
      return std::string();
    return updated(e.at, *said_then->name, *said_then->description);
  });
  // What is no longer said is taken back.
  if (said.has_priority) texts.priority = said.priority.value_or(graph::kNoPriority);
  if (said.has_due) texts.due_at = said.due_at.value_or(graph::kNever);
  if (said.has_snoozed) texts.snoozed_until = said.snoozed_until.value_or(graph::kNever);
  // With the time in its identity, because a title may be changed and changed back.
  add(taken.raw, seen, t.id, std::move(texts), updated(seen, t.name, t.description));
}

std::optional<Event> Tickets::outcome_of(const Ticket& t) {
  if (!t.closing || !t.closing->outcome) return std::nullopt;
  std::string text = "{\"id\":";
  append_json_string(text, t.closing->identity);
  const bool success = t.closing->outcome == OutcomeKind::success;
  text += fmt::format(R"(,"outcome":"{}","taskId":)", success ? "success" : "failure");
  append_json_string(text, t.id);
  text += fmt::format(R"(,"timestamp":{}}})", t.closing->at);
  return parse_outcome(reader_, reader_.parse_object(text), {});
}

void Tickets::add_closing(const Taken& taken) {
  const Ticket& t = taken.ticket;
  const bool is_new = taken.before && !options_.before->has_outcome(t.closing->identity);
  // Each change of a closed task would be another closing.
  if (is_new && !t.closing->is_dated && told(t).state == "CLOSED") return;
  // A success closes its task; other closings say so themselves. What was completed already by an
  // outcome that somebody else reported is one success all the same: engine/fold/completions.h.
  if (t.closing->outcome != OutcomeKind::success) {
    add(taken.raw, t.closing->at, t.id, StateChange{"CLOSED"},
        fmt::format("{}/{}/closed/{}", source_, t.id, t.closing->at));
  }
  if (taken.outcome) out_.push_back({*taken.outcome, taken.raw});
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
  // It may have been closed because an earlier snapshot did not list it (--prune).
  const TimeMs at = after_own(seen, t.id, [&](const Event& e) {
    const auto* change = std::get_if<StateChange>(&e.payload);
    const bool pruned = change && change->state == "CLOSED";
    return pruned ? fmt::format("{}/{}/pruned/{}", source_, t.id, e.at) : "";
  });
  add(taken.raw, at, t.id, StateChange{t.state, before.state == "CLOSED"},
      fmt::format("{}/{}/state/{}/{}", source_, t.id, t.state, at));
}

void Tickets::tell_left_out() const {
  constexpr std::size_t kShown = 3;
  if (!options_.note) return;
  std::size_t count = 0;
  std::string first;
  for (const Taken& taken : tickets_) {
    for (const std::string& why : taken.ticket.left_out) {
      if (count++ < kShown)
        first += fmt::format("{}{}: {}", first.empty() ? "" : "; ", taken.ticket.id, why);
    }
  }
  if (count == 0) return;
  options_.note(fmt::format("{} left out, the rest of their tasks was taken: {}{}",
                            count == 1 ? "1 field was" : fmt::format("{} fields were", count),
                            first, count > kShown ? "; …" : ""));
}

// A context is made with the first task that has it.
void Tickets::add_context_nodes() {
  struct FirstUse {
    const Taken* task;
    const TicketContexts* kind;
    std::string name;
  };
  std::map<std::string, FirstUse> first;
  for (const Taken& taken : tickets_) {
    if (!taken.chosen) continue;
    for (const TicketContexts& kind : taken.ticket.contexts) {
      for (const std::string& name : kind.names) {
        const auto [entry, fresh] =
            first.try_emplace(kind.prefix + name, FirstUse{&taken, &kind, name});
        if (!fresh && taken.ticket.created_at < entry->second.task->ticket.created_at) {
          entry->second = {&taken, &kind, name};
        }
      }
    }
  }
  for (const auto& [id, use] : first) {
    NodeUpsert node;
    node.type = use.kind->node_type;
    node.name = use.name;
    add(use.task->raw, use.task->ticket.created_at, id, std::move(node),
        fmt::format("{}/{}", source_, id));
  }
}

void Tickets::finish(bool listed) {
  choose();
  for (const Taken& taken : tickets_) {
    if (!taken.chosen) continue;
    add_texts(taken);
    for (const auto& kind : taken.ticket.contexts) add_contexts(taken, kind);
    for (const auto& kind : taken.ticket.relations) add_relations(taken, kind);
    add_state(taken);
    if (options_.listed) options_.listed(taken.ticket.id, listed);
  }
  add_context_nodes();
  add_unlisted();
  tell_left_out();
  tell_unlisted();
  std::stable_sort(out_.begin(), out_.end(), [](const Sourced& a, const Sourced& b) {
    return std::tie(a.event.at, a.event.key) < std::tie(b.event.at, b.event.key);
  });
  for (Sourced& item : out_) sink_(as_item(item.raw, std::move(item.event)));
}

}  // namespace hebb::input
