// The edges of a snapshot's tasks to their contexts and to one another, and the nodes that are made
// for unknown tasks that a task waits for.
#include <algorithm>

#include <fmt/format.h>

#include "engine/input/tickets.h"
#include "engine/values/counted.h"

namespace hebb::input {

namespace {

// The task cannot be taken while the others are unfinished.
bool keeps_waiting(const TicketEdges& kind) {
  if (!kind.inbound) return kind.edge_type == "PARENT_OF";
  return kind.edge_type == "BLOCKS" || kind.edge_type == "WAITS_FOR" ||
         kind.edge_type == "WAITS_FOR_ANY";
}

}  // namespace

// Whether an event links (Link) or unlinks (Unlink) the edge. `identity`: that of the tracker's
// events of this kind, without their time.
template <class Payload>
Tickets::IsContrary Tickets::changes_edge(EdgeName edge, std::string identity) {
  return [edge = std::move(edge), identity = std::move(identity)](const Event& e) {
    const auto* edge_event = std::get_if<Payload>(&e.payload);
    return edge_event && edge_event->target == edge.target && edge_event->type == edge.type &&
           has_identity(e, fmt::format("{}/{}", identity, e.at));
  };
}

// In the identity of an event that links by that edge, or with the prefix "un" unlinks. Stored, in
// hashes: do not change.
std::string Tickets::edge_identity(std::string_view prefix, const EdgeName& edge,
                                   bool of_context) const {
  const auto& [from, to, type] = edge;
  if (!of_context) return fmt::format("{}/{}{}/{}/{}", source_, prefix, type, from, to);
  const std::string_view verb = type == "LABELED_AS" ? "labeled" : std::string_view(type);
  return fmt::format("{}/{}/{}{}/{}", source_, from, prefix, verb, to);
}

// Whether the node to link to exists, or will: a node that neither the snapshot nor the graph holds
// is made where the task waits for it.
bool Tickets::can_link(const Entry& entry, const TicketEdges& kind, const std::string& other) {
  if (kind.of_contexts() || listed(other) || find(other)) return true;
  const bool waits = keeps_waiting(kind) && !entry.ticket.closing;
  if (!waits || (options_.before && options_.before->was_deleted(other)))
    return options_.single_item;
  waiting_.emplace_back(entry.ticket.id, other);
  return true;
}

namespace {

EdgeName name_of(const Ticket& t, const TicketEdges& kind, const std::string& other) {
  return kind.inbound ? EdgeName{other, t.id, kind.edge_type}
                      : EdgeName{t.id, other, kind.edge_type};
}

// nullptr: the task is new.
const std::vector<HeldBefore::Edge>* edges_of(const HeldBefore::Node* before,
                                              const TicketEdges& kind) {
  if (!before) return nullptr;
  return kind.inbound ? &before->in : &before->out;
}

}  // namespace

void Tickets::add_links(const Entry& entry, const TicketEdges& kind) {
  const Ticket& t = entry.ticket;
  const TimeMs seen = seen_at(entry);
  const auto identity_of = [&](std::string_view prefix, const EdgeName& edge) {
    return edge_identity(prefix, edge, kind.of_contexts());
  };
  const std::vector<HeldBefore::Edge>* edges = edges_of(entry.before, kind);
  for (const auto& [other, given_at, is_over] : kind.others) {
    if (kind.of_contexts()) note_node(contexts_, other, {t.created_at, &entry, &kind});
    const auto place = places_.find(other);
    const bool holds_up = place == places_.end() || entries_[place->second].ticket.blocks;
    const Entry* there = kind.of_contexts() ? nullptr : listed(other);
    if (keeps_waiting(kind) && (!holds_up || (is_over && !there))) continue;
    const EdgeName edge = name_of(t, kind, other);
    if (other == t.id && !kind.of_contexts()) continue;
    if (!can_link(entry, kind, other) || !linked_.insert(edge).second) continue;
    TimeMs at = there ? std::max(t.created_at, there->ticket.created_at) : t.created_at;
    const bool is_unlisted = !kind.of_contexts() && !there && !find_named(other);
    if (is_unlisted && !options_.single_item) at = std::max(at, seen);
    std::string identity = identity_of("", edge);
    const HeldBefore::Edge held_as{kind.edge_type, other};
    const bool held = edges && std::find(edges->begin(), edges->end(), held_as) != edges->end();
    if (held && !given_at) continue;
    if (given_at || edges) {
      const TimeMs from = given_at.value_or(seen);
      const auto unlinks = changes_edge<Unlink>(edge, identity_of("un", edge));
      const TimeMs since = held ? from : after_contrary(from, edge.source, unlinks);
      at = std::max(at, since);
      identity += fmt::format("/{}", since);
    }
    add(entry.raw, at, edge.source, Link{edge.target, edge.type, 1.0, {}}, identity);
    if (is_unlisted) note_node(unlisted_, other, {at, &entry});
  }
}

// Unlinks edges that are here and not in the list. An edge that one of its two tasks lists stays.
void Tickets::add_unlinks(const Entry& entry, const TicketEdges& kind) {
  const std::vector<HeldBefore::Edge>* edges = edges_of(entry.before, kind);
  if (!edges || !kind.is_complete) return;
  for (const auto& edge : *edges) {
    if (edge.type != kind.edge_type || !edge.other.starts_with(kind.prefix)) continue;
    const EdgeName gone = name_of(entry.ticket, kind, edge.other);
    if (linked_.contains(gone)) continue;
    const auto identity_of = [&](std::string_view prefix) {
      return edge_identity(prefix, gone, kind.of_contexts());
    };
    const TimeMs at =
        after_contrary(seen_at(entry), gone.source, changes_edge<Link>(gone, identity_of("")));
    add(entry.raw, at, gone.source, Unlink{gone.target, gone.type},
        fmt::format("{}/{}", identity_of("un"), at));
  }
}

void Tickets::note_node(std::map<std::string, NodeToMake>& all, const std::string& id,
                        const NodeToMake& node) {
  NodeToMake& first = all.try_emplace(id, node).first->second;
  if (node.at < first.at) first = node;
}

void Tickets::add_nodes() {
  for (const auto* all : {&contexts_, &unlisted_}) {
    for (const auto& [id, node] : *all) {
      NodeUpsert fields;
      if (node.kind) fields.type = node.kind->node_type;
      if (node.kind) fields.name = id.substr(node.kind->prefix.size());
      add(node.task->raw, node.at, id, std::move(fields),
          fmt::format("{}/{}{}", source_, id, node.kind ? "" : "/named"));
    }
  }
}

// Chooses all tasks, and those records of the tracker that they depend on or are parts of, and so
// on. Refuses a task that has the id of a context of the list: it would be that context.
void Tickets::choose() {
  std::vector<std::size_t> chosen;
  const auto take = [&](std::size_t i) {
    if (!entries_[i].chosen) chosen.push_back(i);
    entries_[i].chosen = true;
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].ticket.is_task() || find_named(entries_[i].ticket.id)) take(i);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const TicketEdges& kind : entries_[chosen[i]].ticket.edges) {
      if (kind.of_contexts() || kind.edge_type == "CROSS_REFERENCES") continue;
      for (const auto& other : kind.others) {
        const auto place = places_.find(other.id);
        if (place != places_.end() && entries_[place->second].ticket.blocks) take(place->second);
      }
    }
  }
  std::map<std::string_view, const TicketEdges*> contexts;
  for (const Entry& entry : entries_)
    for (const TicketEdges& kind : entry.ticket.edges)
      for (const TicketEdges::Other& other : kind.others)
        if (entry.chosen && kind.of_contexts()) contexts.emplace(other.id, &kind);
  for (Entry& entry : entries_) {
    const auto context = contexts.find(entry.ticket.id);
    if (!entry.chosen || context == contexts.end()) continue;
    entry.chosen = false;
    sink_(as_item(entry.raw, Refusal{std::string(refusal::kConflict),
                                     fmt::format("the id {} is that of a {} of the same list; give "
                                                 "these ids a beginning, as --prefix web- does",
                                                 entry.ticket.id, context->second->node_type)}));
  }
}

}  // namespace hebb::input
