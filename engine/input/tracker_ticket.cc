// One item of a tracker as a ticket, as the mapping says.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/closing_reasons.h"
#include "engine/input/tracker.h"
#include "engine/ledger/event_fields.h"
#include "engine/values/future.h"
#include "text/ascii.h"

namespace hebb::input {

namespace {

std::uint64_t count_in(Object object, const Setting& names) {
  std::uint64_t sum = 0, n = 0;
  for (const std::string& name : names.texts)
    if (object[name].get(n) == simdjson::SUCCESS) sum += n;
  return sum;
}

std::string upper(std::string text) {  // of ASCII letters
  for (char& c : text)
    if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
  return text;
}

using ReadPlace = std::function<void(const Place&)>;

class TicketReader {
 public:
  TicketReader(const Mapping& mapping, Element whole, Element item, const ReadOptions& options,
               const ListHomes& homes)
      : m_(mapping), whole_(whole), item_(item), options_(options), homes_(homes) {}

  Ticket read(TimeMs now) {
    Origin origin = origin_of(m_, whole_, item_);
    ticket_.url = origin.url;
    ids_.emplace(m_, options_, std::string(home()), homes_);
    const std::string_view path = m_["id"].text();
    const std::string id = id_in_tracker(m_, needed(whole_, "id"), path);
    std::optional<TimeMs> made_at;
    take_time(item_, m_["created_at"], made_at);
    ticket_.id = ids_->own(id, path, made_at);
    read_kind();
    ticket_.fields.name = as_text(needed(item_, "name"), m_["name"].text());
    read_description();
    read_times(now);
    ticket_.origin = origin_json(m_, origin, options_.prefix, ticket_.is_dated);
    if (m_["template_states"].has(state_)) return std::move(ticket_);
    read_state();
    for (const Mapping& edge : m_.inner) read_edge(edge);
    return std::move(ticket_);
  }

 private:
  // Reads an optional field, or a part of one: if it is refused, it is left out and the rest of the
  // task is taken. False: it was left out, so the snapshot does not cover it.
  template <class Read>
  bool take_field(const Read& read) {
    try {
      read();
      return true;
    } catch (ItemRefused& refused) {
      if (m_["strict_fields"]) throw;
      auto& all = ticket_.left_out;
      std::string& why = refused.refusal.detail;
      if (std::find(all.begin(), all.end(), why) == all.end()) all.push_back(std::move(why));
      return false;
    }
  }

  Element needed(Element item, Key key) const {
    if (const auto value = value_of(item, m_[key])) return *value;
    refuse(refusal::kMissingField, fmt::format("{}: is required", m_[key].text()));
  }

  std::string folded(std::string text) const { return m_["any_case"] ? upper(text) : text; }

  void read_kind() {
    const std::string type = text_of(item_, m_["type"], m_["default_type"]);
    check_id(type, m_["type"].text());
    state_ = text_of(item_, m_["state"], m_["default_state"]);
    if (!m_["default_state"]) needed(item_, "state");
    if (!m_["states"]) check_id(state_, m_["state"].text());
    const auto& flags = m_["record_flags"].texts;
    const auto is_set = [&](const std::string& flag) {
      const auto value = find(as_object(item_, flag), flag);
      bool is = false;
      return value && value->get(is) == simdjson::SUCCESS && is;
    };
    const auto flag = std::find_if(flags.begin(), flags.end(), is_set);
    const bool is_record_type = m_["records"].has(type), is_flagged = flag != flags.end();
    const bool is_record = is_record_type || m_["record_states"].has(state_) || is_flagged;
    const bool is_template = m_["template_states"].has(state_);
    if (is_record_type || m_["no_tasks"].has(type)) {
      ticket_.no_task = "of type " + type;
    } else if (is_record || is_template || m_["no_task_states"].has(state_)) {
      ticket_.no_task =
          is_flagged ? "with " + *flag : fmt::format("{} {}", m_["state"].text(), state_);
    }
    ticket_.blocks = !is_template && !m_["idle_states"].has(state_);
    ticket_.fields.type = is_record ? "RECORD" : upper(type);
  }

  void read_description() {
    std::string text;
    const HeldBefore::Node* node = options_.before ? options_.before->find(ticket_.id) : nullptr;
    if (node && !is_covered(m_["description"])) {
      ticket_.fields.description = node->description;
      return;
    }
    take_field([&] {
      each_of(m_["description"], false, [&](const Place& place) {
        const std::string_view part = as_text(place.value, place.path);
        if (!text.empty()) text += '\n';
        text += part;
      });
    });
    constexpr std::size_t kMost = 4096;  // bytes
    text.resize(cut(text, kMost).size());
    ticket_.fields.description = std::move(text);
  }

  // An optional time. False: the value there is no time.
  bool take_time(Element item, const Setting& field, std::optional<TimeMs>& time) {
    return take_field([&] {
      if (const auto read = time_in(m_, item, field)) time = read;
    });
  }

  // Refuses a new task, or a field of it, whose time is still to come.
  void check_past(const Setting& field, std::optional<TimeMs> time) const {
    if (options_.before && options_.before->find(ticket_.id)) return;
    if (auto why = time ? refuse_future(*time, options_.latest) : std::nullopt)
      refuse(why->reason, fmt::format("{}: {}", field.text(), why->detail));
  }

  // An optional time in the past.
  void take_past(const Setting& field, std::optional<TimeMs>& time) {
    take_field([&] {
      std::optional<TimeMs> read;
      if (!take_time(item_, field, read)) return;
      check_past(field, read);
      if (read) time = read;
    });
  }

  bool is_covered(const Setting& field) const {
    return field && (!m_["partial"] || has_member(item_, field));
  }

  void read_times(TimeMs now) {
    take_past(m_["updated_at"], ticket_.updated_at);
    std::optional<TimeMs> first = ticket_.updated_at, made;
    if (!first) take_past(m_["closed_at"], first);
    take_time(item_, m_["created_at"], made);
    check_past(m_["created_at"], made);
    ticket_.is_dated = made.has_value();
    ticket_.created_at = made.value_or(first.value_or(now));
    take_latest(m_["due_at"], ticket_.fields.due_at);
    ticket_.fields.due_at = end_of_due_day(ticket_.fields.due_at);
    take_latest(m_["snoozed_until"], ticket_.fields.snoozed_until);
    if (is_covered(m_["estimate"])) take_field([&] { read_estimate(); });
  }

  std::optional<TimeMs> end_of_due_day(std::optional<TimeMs> time) const {
    constexpr TimeMs kDay = 86'400'000, kMinute = 60'000;
    if (!time || *time == graph::kNever || !m_["due_days"]) return time;
    return *time - *time % kDay + kDay - kMinute;  // 23:59, as for a day that people give hebb
  }

  // Takes the latest of the times in the fields; none, where one cannot be read.
  void take_latest(const Setting& fields, std::optional<TimeMs>& value) {
    if (!is_covered(fields)) return;
    std::optional<TimeMs> latest;
    for (const Path& path : fields.paths) {
      std::optional<TimeMs> time;
      if (!take_time(item_, {{path.whole}, {path}}, time)) return;
      latest = std::max(latest, time);
    }
    value = latest.value_or(graph::kNever);
  }

  void read_estimate() {
    const Setting& field = m_["estimate"];
    const auto value = value_of(item_, field);
    const double unit = static_cast<double>(unit_ms(m_["estimate_in"].text()));
    const double ms = value ? as_number(*value, field.text()) * unit : 0;
    const auto estimate = static_cast<TimeMs>(std::clamp(ms, -1.0, 1e15));
    if (ms != 0) throw_if(check_estimate(estimate, field.text()));
    ticket_.fields.estimate = ms != 0 ? estimate : graph::kNever;
  }

  std::optional<OutcomeKind> outcome_of(std::string reason) {
    const bool has_reason = !reason.empty() || !m_["reason_else"];
    if (!has_reason) reason = text_of(item_, m_["reason_else"]);
    const reward::Policy* policy = options_.policy;
    if (policy && policy->is_failure(reason)) return OutcomeKind::failure;
    if (policy && policy->is_success(reason)) return OutcomeKind::success;
    switch (m_["reason_is_text"] || !has_reason ? reason_of_text(reason)
                                                : reason_of_field(reason)) {
      case ClosingReason::done:
        return OutcomeKind::success;
      case ClosingReason::failed:
        return OutcomeKind::failure;
      case ClosingReason::not_done:
        break;
      case ClosingReason::unknown:
        ticket_.unknown_reason = reason;
    }
    return std::nullopt;
  }

  void read_state() {
    if (!is_covered(m_["state"])) return ticket_.state.clear();
    const std::string state = folded(state_);
    std::optional<std::string> reason;  // nothing: it cannot be read
    take_field([&] { reason = text_of(item_, m_["reason"]); });
    const auto& states = m_["states"].texts;
    if (!states.empty() && !m_["states"].has(state)) {
      refuse(refusal::kBadValue,
             fmt::format("{}: \"{}\"; allowed are {} and {}", m_["state"].text(), state_,
                         fmt::join(states.begin(), states.end() - 1, ", "), states.back()));
    }
    if (!m_["closed"].has(state)) {
      ticket_.reopened = reason && m_["reopened"].has(folded(*reason));
      const bool is_begun = m_["in_progress"].has(state) || value_of(item_, m_["begun"]);
      ticket_.state = is_begun ? "IN_PROGRESS" : states.empty() ? upper(state) : "OPEN";
      return;
    }
    ticket_.state = "CLOSED";
    const auto& field = m_["deleted"].has(state) ? m_["deleted_at"] : m_["closed_at"];
    std::optional<TimeMs> at;
    take_past(field, at);
    Closing closing;
    closing.is_dated = at.has_value();
    closing.at = std::max(ticket_.created_at, at.value_or(ticket_.updated_at.value_or(0)));
    const bool as_written = at && m_["closed_as_written"];
    if (as_written) closing.at = *at;
    name_closing(ticket_.id, closing);
    if (as_written && value_of(item_, field)->is_string())
      closing.identity = closing_id(ticket_.id, text_of(item_, field));
    if (ticket_.is_task() && reason) closing.outcome = outcome_of(*reason);
    ticket_.closing = std::move(closing);
  }

  // Of several elements a refused one is left out; a single one throws. False: the list has more
  // elements than were read.
  bool each_of(const Setting& field, bool or_text, const ReadPlace& read) {
    bool all = true;
    for (const Part& part : parts_of(item_, field, m_["wrapped"], or_text)) {
      const auto read_part = [&] {
        if (const auto place = place_at(part)) read(*place);
      };
      if (!part.of_list) read_part();
      if (part.of_list) all = take_field(read_part) && all;
    }
    return take_field([&] { check_whole(item_, field, m_["wrapped"]); }) && all;
  }

  std::string_view home() const { return home_of(m_, ticket_.url); }

  // The id of another task. One of another home stands where this one must wait for it, or where
  // the list has that home, too; else nothing.
  std::optional<std::string> task_of(const Mapping& e, const Place& place) const {
    const std::string_view here = home();
    std::string_view there = here;
    std::string url;
    if (place.holder) url = origin_of(m_, *place.holder, *place.holder).url;
    if (const auto other = home_of(m_, url); !here.empty() && !other.empty()) there = other;
    if (here != there && !homes_.are_several && e["in"].text() != "BLOCKS") return std::nullopt;
    return ids_->other(id_in_tracker(m_, place.value, place.path), there, place.path);
  }

  // The name of a context; priorities may be numbers.
  std::string name_of(const Mapping& e, const Place& place) const {
    const auto& priorities = e["priority"];
    if (!priorities.has("0")) return std::string(as_text(place.value, place.path));
    std::int64_t n = -1;
    const bool is_number = place.value.get(n) == simdjson::SUCCESS;
    if (!is_number || !priorities.has(std::to_string(n))) {
      refuse(refusal::kOutOfRange, fmt::format("{}: must be a whole number from 0 to {}",
                                               place.path, priorities.texts.back()));
    }
    return std::to_string(n);
  }

  // The other end of an edge; nothing: there is no such edge.
  std::optional<std::string> other_of(const Mapping& e, const Place& place) const {
    const std::string to(e["to"].text());
    if (e["count"]) {
      const Object summary = as_object(place.value, place.path);
      const bool some = count_in(summary, e["count"]) > count_in(summary, e["less"]);
      return some ? std::optional(to + ticket_.id) : std::nullopt;
    }
    if (e["address"]) return ids_->at_end(as_text(place.value, place.path), place.path);
    if (e["only"]) {
      const bool is_it = as_text(place.value, place.path) == e["only"].text();
      return is_it ? std::optional(to) : std::nullopt;
    }
    if (!e["node"]) return task_of(e, place);
    const std::string name = name_of(e, place);
    const bool is_alone = !place.holder && !e["from"].paths[0].each;
    if (is_alone && name.empty()) return std::nullopt;
    check_id(to + name, place.path);
    return to + name;
  }

  // Which of the kinds; their number: none of them.
  static std::size_t kind_of(const Mapping& e, Element element) {
    const auto value = e["by"] ? value_of(element, e["by"]) : std::nullopt;
    if (!value) return 0;
    const std::string_view text = as_text(*value, e["by"].text());
    const auto fits = [&](const Mapping& kind) {
      if (kind["is"] && !kind["is"].has(text)) return false;
      const auto& has = kind["has"].texts;
      if (has.empty()) return true;
      const auto hint = find(as_object(element, has[0]), has[0]);
      return hint && simdjson::minify(*hint).find(has[1]) != std::string::npos;
    };
    const auto kind = std::find_if(e.inner.begin(), e.inner.end(), fits);
    return static_cast<std::size_t>(kind - e.inner.begin());
  }

  bool is_closed(Element other) const {
    const auto within = m_["within"] ? value_of(other, m_["within"]) : other;
    const auto state = within ? value_of(*within, m_["state"]) : within;
    return state && state->is_string() && m_["closed"].has(folded(text_of(*within, m_["state"])));
  }

  void add_edge(const Mapping& e, const Place& place, std::vector<TicketEdges>& kinds) {
    auto other = other_of(e, place);
    const std::size_t kind = other ? kind_of(e, place.whole) : kinds.size();
    if (kind == kinds.size()) return;
    std::optional<TimeMs> at;
    if (e["at"]) take_time(place.whole, e["at"], at);
    if (std::optional<TimeMs> due; e["due"]) {
      const bool is_read = take_time(place.whole, e["due"], due);
      ticket_.fields.due_at =
          is_read ? end_of_due_day(due.value_or(graph::kNever)) : std::optional<TimeMs>();
    }
    const bool is_over = !e["node"] && place.holder && is_closed(*place.holder);
    kinds[kind].others.push_back({std::move(*other), at, is_over});
  }

  // False: the task may have more of them.
  bool read_values(const Mapping& e, std::vector<TicketEdges>& kinds) {
    const auto value = e["split"] || e["otherwise"] ? value_of(item_, e["from"]) : std::nullopt;
    const std::string prefix(e["to"].text());
    if (e["otherwise"] && !value) {
      kinds[0].others.push_back({prefix + std::string(e["otherwise"].text()), {}});
      return true;
    }
    if (!e["split"] || !value || !value->is_string())
      return each_of(e["from"], bool(e["or_text"]), [&](const Place& p) { add_edge(e, p, kinds); });
    for (const std::string& id : split(as_text(*value, e["from"].text()), e["split"].text())) {
      if (id.empty()) continue;
      kinds[0].others.push_back({ids_->other(id, home(), e["from"].text()), std::nullopt});
    }
    return true;
  }

  // Whether a count says that there is something in a list that the item lacks.
  bool is_unlisted(const Mapping& e) {
    const auto value = value_of(item_, e["how_many"]);
    std::uint64_t n = 0;
    if (!value || value->get(n) != simdjson::SUCCESS || n == 0 || has_member(item_, e["from"]))
      return false;
    return !take_field([&] {
      refuse(refusal::kBadValue, fmt::format("{}: none of {} is in the file, and this may wait for "
                                             "them",
                                             e["from"].paths[0].shown, n));
    });
  }

  // Merges relations of the same kind.
  void speak_of(TicketEdges edges) {
    const auto is_same = [&](const TicketEdges& known) {
      return !edges.of_contexts() && known.edge_type == edges.edge_type &&
             known.inbound == edges.inbound;
    };
    const auto known = std::find_if(ticket_.edges.begin(), ticket_.edges.end(), is_same);
    if (known == ticket_.edges.end()) return ticket_.edges.push_back(std::move(edges));
    known->others.insert(known->others.end(), edges.others.begin(), edges.others.end());
    known->is_complete = known->is_complete && edges.is_complete;
    if (edges.prefix.empty()) known->prefix.clear();
  }

  void read_edge(const Mapping& e) {
    if (e["node"] && !ticket_.is_task()) return;
    if (e["instead_of"] ? has_member(item_, e["instead_of"]) || !value_of(item_, e["from"])
                        : !is_covered(e["from"]) || is_unlisted(e))
      return;
    NodeUpsert& fields = ticket_.fields;
    if (e["due"]) fields.due_at = graph::kNever;
    std::vector<TicketEdges> kinds;
    for (const Mapping& kind : e.inner)
      kinds.push_back({std::string(kind[kind["in"] ? Key("in") : Key("out")].text()),
                       bool(kind["in"]),
                       std::string(e["to"].text()),
                       std::string(e["node"].text()),
                       {}});
    bool all = true;
    if (!take_field([&] { all = read_values(e, kinds); })) {
      if (e["due"]) fields.due_at.reset();
      return;
    }
    const auto& others = kinds[0].others;
    const std::string name = others.empty() ? "" : others[0].id.substr(kinds[0].prefix.size());
    if (e["node"].text() == "PROJECT") fields.project = name;
    if (e["priority"]) {
      const std::size_t place = place_in(e["priority"], name);
      const bool is_known = !name.empty() && place < e["priority"].texts.size();
      fields.priority = is_known ? static_cast<int>(place) : graph::kNoPriority;
    }
    for (TicketEdges& edges : kinds) {
      edges.is_complete = all && !e["adds"];
      speak_of(std::move(edges));
    }
  }

  const Mapping& m_;
  Element whole_, item_;
  const ReadOptions& options_;
  const ListHomes& homes_;
  std::optional<TaskIds> ids_;
  std::string state_;
  Ticket ticket_;
};

}  // namespace

Ticket read_ticket(const Mapping& mapping, Element whole, const ReadOptions& options,
                   const ListHomes& homes) {
  const std::string_view within = mapping["within"].text();
  const Element item = within.empty() ? whole : need(as_object(whole, within), within);
  as_object(item, within);
  return TicketReader(mapping, whole, item, options, homes).read(options.now);
}

}  // namespace hebb::input
