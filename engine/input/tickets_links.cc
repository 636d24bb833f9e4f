// Of the tasks of a snapshot: what links them with their contexts and with one another, and what is
// made of those that a task waits for and nobody tells of.
#include <algorithm>

#include <fmt/format.h>

#include "engine/counted.h"
#include "engine/input/tickets.h"

namespace hebb::input {

namespace {

bool has(const std::vector<HeldBefore::Edge>& edges, std::string_view type,
         std::string_view other) {
  return std::any_of(edges.begin(), edges.end(),
                     [&](const HeldBefore::Edge& e) { return e.type == type && e.other == other; });
}

// The task cannot be taken while the others are unfinished.
bool keeps_waiting(const TicketRelations& kind) {
  if (!kind.inbound) return kind.edge_type == "PARENT_OF";
  return kind.edge_type == "BLOCKS" || kind.edge_type == "WAITS_FOR" ||
         kind.edge_type == "WAITS_FOR_ANY";
}

// In the identity of an event that links by an edge of that type; stored, in hashes: do not change.
std::string_view verb(std::string_view edge_type) {
  return edge_type == "LABELED_AS" ? "labeled" : edge_type;
}

}  // namespace

// Whether an event links (Link) or unlinks (Unlink) the edge. `identity`: of such events of the
// tracker, but for their time.
template <class Payload>
Tickets::Against Tickets::if_says(EdgeName edge, std::string identity) {
  return [edge = std::move(edge), identity = std::move(identity)](const Event& e) {
    const auto* said = std::get_if<Payload>(&e.payload);
    return said && said->target == edge.target && said->type == edge.type &&
           is_own(e, fmt::format("{}/{}", identity, e.at));
  };
}

void Tickets::add_contexts(const Taken& taken, const TicketContexts& kind) {
  const Ticket& t = taken.ticket;
  const TimeMs seen = seen_at(taken);
  const auto identity_of = [&](std::string_view prefix, const std::string& id) {
    return fmt::format("{}/{}/{}{}/{}", source_, t.id, prefix, verb(kind.edge_type), id);
  };
  std::set<std::string> ids;
  for (const std::string& name : kind.names) ids.insert(kind.prefix + name);
  for (const std::string& id : ids) {
    if (taken.before && has(taken.before->out, kind.edge_type, id)) continue;
    std::string identity = identity_of("", id);
    TimeMs at = t.created_at;
    if (taken.before) {
      const EdgeName edge{t.id, id, kind.edge_type};
      at = after_own(seen, t.id, if_says<Unlink>(edge, identity_of("un", id)));
      identity += fmt::format("/{}", at);
    }
    add(taken.raw, at, t.id, Link{id, kind.edge_type, 1.0, {}}, identity);
  }
  if (!taken.before) return;
  for (const auto& edge : taken.before->out) {
    if (edge.type != kind.edge_type || !edge.other.starts_with(kind.prefix)) continue;
    if (ids.contains(edge.other)) continue;
    const EdgeName gone{t.id, edge.other, edge.type};
    const TimeMs at = after_own(seen, t.id, if_says<Link>(gone, identity_of("", edge.other)));
    add(taken.raw, at, t.id, Unlink{edge.other, edge.type},
        fmt::format("{}/{}", identity_of("un", edge.other), at));
  }
}

// Whether there is such a node to link to, or will be: what the snapshot does not hold, and nobody
// has told of, is made where the task waits for it.
bool Tickets::can_link(const Taken& taken, const TicketRelations& kind, const std::string& other) {
  if (listed(other) || find(other)) return true;
  const bool waits = keeps_waiting(kind) && !taken.ticket.closing;
  if (!waits || (options_.before && options_.before->was_deleted(other))) return options_.kept;
  waiting_.emplace_back(taken.ticket.id, other);
  return true;
}

void Tickets::add_relations(const Taken& taken, const TicketRelations& kind) {
  const Ticket& t = taken.ticket;
  const TimeMs seen = seen_at(taken);
  const auto name = [&](const std::string& other) {
    return kind.inbound ? EdgeName{other, t.id, kind.edge_type}
                        : EdgeName{t.id, other, kind.edge_type};
  };
  const auto identity_of = [&](std::string_view prefix, const EdgeName& edge) {
    return fmt::format("{}/{}{}/{}/{}", source_, prefix, edge.type, edge.source, edge.target);
  };
  const std::vector<HeldBefore::Edge>* edges = nullptr;
  if (taken.before) edges = kind.inbound ? &taken.before->in : &taken.before->out;
  std::set<std::string> others;
  for (const auto& [other, given_at, is_over] : kind.others) {
    const auto place = places_.find(other);
    const bool holds_up = place == places_.end() || tickets_[place->second].ticket.blocks;
    const Taken* there = listed(other);
    if (keeps_waiting(kind) && (!holds_up || (is_over && !there))) continue;
    others.insert(other);
    const EdgeName edge = name(other);
    if (other == t.id || !can_link(taken, kind, other) || !linked_.insert(edge).second) continue;
    TimeMs at = there ? std::max(t.created_at, there->ticket.created_at) : t.created_at;
    const bool is_unlisted = !there && !find_named(other);
    if (is_unlisted && !options_.kept) at = std::max(at, seen);
    std::string identity = identity_of("", edge);
    const bool held = edges && has(*edges, kind.edge_type, other);
    if (held && !given_at) continue;
    if (given_at || edges) {
      const TimeMs from = given_at.value_or(seen);
      const auto unlinks = if_says<Unlink>(edge, identity_of("un", edge));
      const TimeMs since = held ? from : after_own(from, edge.source, unlinks);
      at = std::max(at, since);
      identity += fmt::format("/{}", since);
    }
    add(taken.raw, at, edge.source, Link{edge.target, edge.type, 1.0, {}}, identity);
    if (!is_unlisted) continue;
    Unlisted& made = unlisted_.try_emplace(other, Unlisted{at, &taken}).first->second;
    if (at < made.at) made = {at, &taken};
  }
  if (!edges) return;
  for (const auto& edge : *edges) {
    if (edge.type != kind.edge_type || others.contains(edge.other)) continue;
    if (!edge.other.starts_with(kind.prefix)) continue;
    const EdgeName gone = name(edge.other);
    const TimeMs at = after_own(seen, gone.source, if_says<Link>(gone, identity_of("", gone)));
    add(taken.raw, at, gone.source, Unlink{gone.target, gone.type},
        fmt::format("{}/{}", identity_of("un", gone), at));
  }
}

void Tickets::tell_unlisted() const {
  constexpr std::size_t kShown = 3;
  if (!options_.note || waiting_.empty()) return;
  std::set<std::string> tasks;
  std::string examples;
  for (const auto& [task, other] : waiting_) {
    if (!tasks.insert(task).second || tasks.size() > kShown) continue;
    examples += fmt::format("{}{} for {}", examples.empty() ? "" : ", ", task, other);
  }
  const auto count = std::ssize(tasks);
  options_.note(fmt::format(
      "{} for what is neither in the list nor known here, and so {} not handed out: {}{}",
      counted(count, "task waits", "tasks wait"), count == 1 ? "is" : "are", examples,
      tasks.size() > kShown ? ", …" : ""));
}

void Tickets::add_unlisted() {
  for (const auto& [id, made] : unlisted_)
    add(made.task->raw, made.at, id, NodeUpsert{}, fmt::format("{}/{}/named", source_, id));
}

// All tasks, and of what the tracker keeps for itself what they depend on or are parts of, and so
// on.
void Tickets::choose() {
  std::vector<std::size_t> chosen;
  const auto take = [&](std::size_t i) {
    if (!tickets_[i].chosen) chosen.push_back(i);
    tickets_[i].chosen = true;
  };
  for (std::size_t i = 0; i < tickets_.size(); ++i) {
    if (tickets_[i].ticket.is_task || find_named(tickets_[i].ticket.id)) take(i);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const TicketRelations& kind : tickets_[chosen[i]].ticket.relations) {
      if (kind.edge_type == "CROSS_REFERENCES") continue;
      for (const auto& other : kind.others) {
        const auto place = places_.find(other.id);
        if (place != places_.end() && tickets_[place->second].ticket.blocks) take(place->second);
      }
    }
  }
}

}  // namespace hebb::input
