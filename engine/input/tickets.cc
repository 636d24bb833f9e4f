#include "engine/input/tickets.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/states.h"
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

const Tickets::Entry* Tickets::listed(const std::string& id) const {
  const auto place = places_.find(id);
  return place != places_.end() && entries_[place->second].chosen ? &entries_[place->second]
                                                                  : nullptr;
}

Tickets::Tickets(const Mapping& mapping, const ReadOptions& options, const ItemSink& sink)
    : mapping_(mapping), source_(mapping.name), options_(options), sink_(sink) {}

ListHomes Tickets::homes_of(const std::vector<RawItem>& items) {
  ListHomes homes;
  homes.are_several = options_.of_several;
  if (!mapping_["home_before"] && !mapping_["url_then"]) return homes;
  std::set<std::string> all;
  for (const RawItem& raw : items) {
    attempt(raw, [&](std::string_view text) {
      const Element item = reader_.parse(text);
      const std::string home = home_in(mapping_, item);
      const auto value = value_of(item, mapping_["id"]);
      if (home.empty() || !value) return home;
      all.insert(home);
      const std::string id = id_in_tracker(mapping_, *value, "");
      const HeldBefore::Node* node = find(options_.prefix + id);
      const std::string before(node ? home_of(mapping_, node->url) : "");
      const auto within = mapping_["within"] ? value_of(item, mapping_["within"]) : item;
      const bool is_same =
          node && within && is_made_at(*node, time_in(mapping_, *within, mapping_["created_at"]));
      if (is_same && !before.empty() && before != home) homes.earlier.insert(before);
      // A task with this home in its id is here, as from another list.
      if (!is_same && find(id_with_home(options_.prefix, home, id))) homes.are_several = true;
      return home;
    });
  }
  homes.are_several = homes.are_several || all.size() > 1;
  return homes;
}

// Two tasks of one id would be one task here: the later would overwrite the earlier.
void Tickets::refuse_other(const Ticket& ticket) const {
  const auto place = places_.find(ticket.id);
  const Ticket* other = place == places_.end() ? nullptr : &entries_[place->second].ticket;
  const HeldBefore::Node* node = other ? nullptr : find(ticket.id);
  if (!other && !node) return;
  const std::string url = other ? other->url : node->url;
  const std::string name = other ? *other->fields.name : node->name;
  const bool is_same_name = name == *ticket.fields.name;
  const auto home = home_of(mapping_, ticket.url), before = home_of(mapping_, url);
  const bool is_same_home = !home.empty() && home == before;
  const bool is_elsewhere = !home.empty() && !before.empty() && home != before;
  const bool is_of_other_tracker = node && !node->source.empty() && node->source != source_;
  if (is_same_name && !is_elsewhere && !is_of_other_tracker) return;
  TimeMs made_at = graph::kNever;  // it is not known
  if (other && other->is_dated) made_at = other->created_at;
  if (node && !node->is_undated)
    for (const Event& e : options_.before->events_of(ticket.id))
      if (own_report(e, ticket).what == "created") made_at = e.at;
  const bool is_dated = made_at != graph::kNever && ticket.is_dated;
  const bool is_same_time = is_dated && is_same_second(made_at, ticket.created_at);
  // A repository that was renamed has the same tasks.
  const bool is_of_other_home = is_elsewhere && !is_same_time;
  const bool has_other_creation =
      mapping_["made_once"] && is_dated && !is_same_time && !is_same_name && !is_same_home;
  if (!is_of_other_home && !has_other_creation && !is_of_other_tracker) return;
  const auto shown = [&](const std::string& name, const std::string& url, TimeMs at) {
    if (is_elsewhere) return url;
    if (at == graph::kNever) return fmt::format("\"{}\"", name);
    return fmt::format("\"{}\", made at {}", name, format_rfc3339(at));
  };
  refuse(refusal::kConflict,
         fmt::format("this is {}, and the id {} is that of {}{}; {}",
                     shown(*ticket.fields.name, ticket.url, ticket.created_at), ticket.id,
                     shown(name, url, made_at), is_of_other_tracker ? ", of " + node->source : "",
                     other ? "one of the two needs another id, such as by an import of its own "
                             "with --prefix web-"
                           : "give these ids a beginning, as --prefix web- does, or a database of "
                             "their own"));
}

void Tickets::parse(const RawItem& raw, const ListHomes& homes) {
  std::optional<Event> outcome;
  std::string name, unique_name;  // as the tracker calls it; which no other item has
  auto parsed = attempt(raw, [&](std::string_view text) -> std::optional<Ticket> {
    const Element item = reader_.parse(text);
    if (item.is_object()) {
      Origin origin = origin_of(mapping_, item, item);
      name = std::move(origin.number);
      if (!origin.url.empty()) unique_name = std::move(origin.url);
    }
    reader_.canonical(as_object(item, "the item"));  // no key twice
    const auto why = skipped(mapping_, item);
    if (!why || !why->empty()) {
      if (why) ++skipped_[*why];
      return std::nullopt;
    }
    Ticket ticket = read_ticket(mapping_, item, options_, homes);
    refuse_other(ticket);
    outcome = outcome_of(ticket);
    return ticket;
  });
  if (options_.listed)
    options_.listed->items.insert(!unique_name.empty() ? unique_name
                                  : !name.empty()      ? name
                                                       : std::string(raw.text));
  if (auto* refusal = std::get_if<Refusal>(&parsed)) {
    const bool lacks = refusal->reason == refusal::kMissingField;
    ++refused_[lacks ? refusal->detail : ""];
    sink_(as_item(raw, std::move(*refusal), name));
    return;
  }
  auto& ticket = std::get<std::optional<Ticket>>(parsed);
  if (!ticket) return;
  const HeldBefore::Node* before = find(ticket->id);
  Entry entry{std::move(*ticket), raw, before, std::move(outcome)};
  const auto [place, fresh] = places_.try_emplace(entry.ticket.id, entries_.size());
  if (fresh) {
    entries_.push_back(std::move(entry));
    return;
  }
  // A merge of two files may put the older line last. Where one of two lines lacks its time, or
  // both have the same, their order cannot be known: the last one holds.
  Entry& other = entries_[place->second];
  const auto &now = entry.ticket.updated_at, &then = other.ticket.updated_at;
  if (!now || !then || *now >= *then) other = std::move(entry);
}

TimeMs Tickets::seen_at(const Entry& entry) const {
  const Ticket& t = entry.ticket;
  if (t.updated_at) return std::max(t.created_at, *t.updated_at);
  return entry.before ? std::max(t.created_at, options_.now) : t.created_at;
}

TimeMs Tickets::after_contrary(TimeMs seen, const std::string& subject,
                               const IsContrary& is_contrary) const {
  if (!options_.before) return seen;
  for (const Event& e : options_.before->events_of(subject)) {
    if (is_contrary(e) && e.at >= seen) seen = e.at + 1;
  }
  return seen;
}

bool Tickets::has_identity(const Event& e, const std::string& identity) {
  return e.key == event_key(e.payload, content_hash(identity));
}

namespace {

// Has the time in it, because a title may be changed and changed back. what: "updated", or
// "noticed" where the tracker does not say when. Stored, in hashes: do not change.
std::string text_identity(std::string_view source, std::string_view task, std::string_view what,
                          TimeMs at, std::string_view name, std::string_view description) {
  return fmt::format("{}/{}/{}/{}/{}/{}", source, task, what, at, name, description);
}

bool is_text(std::string_view own) {
  return own == "created" || own == "updated" || own == "noticed";
}

}  // namespace

Tickets::LastReported Tickets::last_reported(const Ticket& ticket) const {
  LastReported last;
  if (!options_.before) return last;
  for (const Event& e : options_.before->events_of(ticket.id)) {
    OwnReport report = own_report(e, ticket);
    if (report.what == "updated") last.updated_at = std::max(last.updated_at, e.at);
    const bool stays = last.state == "CLOSED" && report.change && !report.change->opens;
    if (report.state.empty() || stays) continue;
    last.state = std::move(report.state);
    last.reopened = report.what == "reopened";
  }
  return last;
}

Tickets::OwnReport Tickets::own_report(const Event& e, const Ticket& ticket) const {
  const std::string of_task = fmt::format("{}/{}/", source_, ticket.id);
  if (const auto* change = std::get_if<StateChange>(&e.payload)) {
    for (const std::string_view what : {"reopened", "closed", "pruned"})
      if (has_identity(e, fmt::format("{}{}/{}", of_task, what, e.at)))
        return {what, change->state, change};
    if (!has_identity(e, fmt::format("{}state/{}/{}", of_task, change->state, e.at))) return {};
    return {"state", change->state, change};
  }
  if (is_closing(e)) return {"outcome", "CLOSED"};
  const auto* node = std::get_if<NodeUpsert>(&e.payload);
  if (!node) return {};
  if (has_identity(e, of_task + "created")) return {"created", "OPEN"};
  for (const std::string_view what : {"updated", "noticed"})
    if (node->name && node->description &&
        has_identity(
            e, text_identity(source_, ticket.id, what, e.at, *node->name, *node->description)))
      return {what, ""};
  return {};
}

namespace {

// Calls f for each optional field, with its member of both.
template <class F>
void each_optional_field(NodeUpsert& a, const NodeUpsert& b, const F& f) {
  each_field<NodeUpsert>([&](const auto& field) {
    if constexpr (requires { (a.*field.member).reset(); })
      f(field, a.*field.member, b.*field.member);
  });
}

// Whether `now` differs from `before`. A text that was not given was empty.
bool differs_from(NodeUpsert& now, const NodeUpsert& before) {
  bool differs = false;
  each_optional_field(now, before, [&](const auto& field, const auto& value, const auto& old) {
    if (!value) return;
    if constexpr (std::decay_t<decltype(field)>::kOfUser) {
      differs = differs || (old ? *value != *old : !is_taken_back(field, *value));
    } else {
      differs = differs || *value != old.value_or("");
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

void Tickets::add_texts(const Entry& entry) {
  const Ticket& t = entry.ticket;
  NodeUpsert created = t.fields, texts = t.fields;
  if (created.project == "") created.project.reset();
  each_optional_field(created, {}, [](const auto& field, auto& value, const auto& /*none*/) {
    if (value && is_taken_back(field, *value)) value.reset();
  });
  created.state = "OPEN";
  created.opens = false;  // it may have been made and completed here before
  created.properties = t.origin;
  add(entry.raw, t.created_at, t.id, std::move(created),
      fmt::format("{}/{}/created", source_, t.id));
  const TimeMs seen = seen_at(entry);
  NodeUpsert reported;
  bool differs = false;  // from the tracker's last report, if there is one
  const bool is_moved = entry.before && !t.url.empty() &&
                        home_of(mapping_, entry.before->url) != home_of(mapping_, t.url);
  const TimeMs at = after_contrary(seen, t.id, [&](const Event& e) {
    if (!is_text(own_report(e, t).what)) return false;
    each_optional_field(reported, std::get<NodeUpsert>(e.payload),
                        [](const auto&, auto& before, const auto& now) {
                          if (now) before = now;
                        });
    differs = differs_from(texts, reported);
    return differs || is_moved;
  });
  const auto none = [](const auto& field, const auto& value) {
    return field.value_or(value) == value;
  };
  const bool renamed = entry.before && entry.before->name != t.fields.name;
  if (is_moved) texts.properties = t.origin;
  if (!renamed && !is_moved && !differs && (!t.updated_at || seen == t.created_at)) return;
  // A task that never had a project or an estimate is not given an empty one.
  if (none(texts.project, "") && none(reported.project, "")) texts.project.reset();
  if (none(texts.estimate, graph::kNever) && none(reported.estimate, graph::kNever))
    texts.estimate.reset();
  add(entry.raw, at, t.id, std::move(texts),
      text_identity(source_, t.id, t.updated_at ? "updated" : "noticed", at, *t.fields.name,
                    *t.fields.description));
}

std::optional<Event> Tickets::outcome_of(const Ticket& t) {
  if (!t.closing || !t.closing->outcome) return std::nullopt;
  OutcomeReport report;
  report.task = t.id;
  report.outcome = *t.closing->outcome;
  report.at = t.closing->at;
  report.id = t.closing->identity;
  Event event = outcome_event(std::move(report), 0);
  event.may_differ = true;  // the first import may not have asked for the reason
  return event;
}

// A closing counts as it was taken first, whatever reason is given later.
void Tickets::note_other_outcome(const Ticket& t) {
  const std::string key = event_key(OutcomeSignal{}, t.closing->identity);
  for (const Event& e : options_.before->events_of(t.id)) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || e.key != key || outcome->outcome == t.closing->outcome) continue;
    other_outcomes_.add(
        fmt::format("{} as a {}, and is {} now", t.id, outcome_name(outcome->outcome),
                    t.closing->outcome ? "a " + std::string(outcome_name(*t.closing->outcome))
                                       : "neither done nor failed"));
  }
}

void Tickets::add_closing(const Entry& entry, bool was_closed) {
  const Ticket& t = entry.ticket;
  const bool is_new = entry.before && !options_.before->has_outcome(t.closing->identity);
  if (entry.before && !is_new) note_other_outcome(t);
  // Each change of a closed task would be another closing.
  if (is_new && !t.closing->is_dated && was_closed) return;
  TimeMs closed = t.closing->at;
  // The day of a closing may begin before the task was made here.
  if (entry.before && t.closing->is_dated && closed < entry.before->made_at)
    closed = entry.before->made_at + 1;
  const auto opens = [&](const Event& e) {
    const OwnReport report = own_report(e, t);
    return report.change && report.change->opens && report.state != "CLOSED";
  };
  if (!was_closed) closed = after_contrary(closed, t.id, opens);
  std::optional<Event> outcome = entry.outcome;
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
    add(entry.raw, closed, t.id, StateChange{"CLOSED"},
        fmt::format("{}/{}/closed/{}", source_, t.id, closed));
  }
  if (outcome) out_.push_back({std::move(*outcome), entry.raw});
}

// The state changes where the tracker reports another one than last. A tracker opens only tasks
// that it has closed itself: it may not know of completions here.
void Tickets::add_state(const Entry& entry, LastReported before) {
  const Ticket& t = entry.ticket;
  if (t.closing) return add_closing(entry, before.state == "CLOSED");
  if (t.state.empty()) return;
  const TimeMs seen = seen_at(entry);
  const bool is_first = before.state.empty();
  if (is_first) before.state = "OPEN";
  if (t.reopened) {
    if (before.state == t.state && before.reopened) return;
    add(entry.raw, seen, t.id, StateChange{t.state, !is_first},
        fmt::format("{}/{}/reopened/{}", source_, t.id, seen));
    return;
  }
  if (kept_state(t.state) == kept_state(before.state)) return;
  // It may have been closed because an earlier snapshot did not list it (--prune).
  const TimeMs at = after_contrary(seen, t.id, [&](const Event& e) {
    const std::string state = own_report(e, t).state;
    return !state.empty() && kept_state(state) != kept_state(t.state);
  });
  add(entry.raw, at, t.id, StateChange{t.state, before.state == "CLOSED"},
      fmt::format("{}/{}/state/{}/{}", source_, t.id, t.state, at));
}

void Tickets::read(const std::vector<RawItem>& items) {
  const ListHomes homes = homes_of(items);
  for (const RawItem& raw : items) parse(raw, homes);
  const bool all_refused = entries_.empty() && !options_.single_item;
  const bool is_list = !items.empty() && (items.size() > 1 || items.front().place > 0);
  if (all_refused && is_list && refused_.size() == 1 && !refused_.begin()->first.empty())
    throw LacksField(fmt::format(
        "nothing was taken, since none of its {} can be read: {}; let the tracker print it, too",
        counted(refused_.begin()->second, "task"), refused_.begin()->first));
  choose();
  constexpr TimeMs kSecond = 1000;  // after_contrary() may have moved an earlier update so far
  std::vector<const Entry*> current;
  for (const Entry& entry : entries_) {
    if (!entry.chosen) continue;
    if (options_.listed) {
      options_.listed->ids.insert(entry.ticket.id);
      options_.listed->homes.emplace(home_of(mapping_, entry.ticket.url));
      // The same task may be here with an address, or that of another name of its home.
      if (entry.before && entry.ticket.is_dated && entry.before->name == *entry.ticket.fields.name)
        options_.listed->homes.emplace(home_of(mapping_, entry.before->url));
    }
    // A later change is known: the list is an older one, or one of another branch.
    const auto& updated_at = entry.ticket.updated_at;
    const LastReported before = entry.before ? last_reported(entry.ticket) : LastReported();
    if (updated_at && *updated_at + kSecond < before.updated_at) {
      stale_tasks_.add(entry.ticket.id, kShown, ", ");
      if (options_.listed) options_.listed->has_stale = true;
      continue;
    }
    current.push_back(&entry);
    add_texts(entry);
    for (const TicketEdges& kind : entry.ticket.edges) add_links(entry, kind);
    add_state(entry, before);
  }
  for (const Entry* entry : current)
    for (const TicketEdges& kind : entry->ticket.edges) add_unlinks(*entry, kind);
  add_nodes();
  if (options_.note) add_notes();
  std::stable_sort(out_.begin(), out_.end(), [](const EventOfItem& a, const EventOfItem& b) {
    return std::tie(a.event.at, a.event.key) < std::tie(b.event.at, b.event.key);
  });
  for (EventOfItem& item : out_) sink_(as_item(item.raw, std::move(item.event)));
}

}  // namespace hebb::input
