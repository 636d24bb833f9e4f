#include "graph/graph.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <stdexcept>

#include <xxhash.h>

namespace hebb::graph {
namespace {

// Calls f for every column with its default value.
template <class F>
void each_column(NodeColumns& c, F f) {
  std::apply([&](const auto&... column) { (f(c.*column.values, column.initial), ...); },
             kNodeColumns);
}

template <class F>
void each_column(EdgeColumns& c, F f) {
  f(c.weight, 0.0);
  f(c.touched_at, TimeMs{0});
  f(c.gained, 0.0);
}

void copy_row(const NodeColumns& from, NodeId row, NodeColumns& to, NodeId at) {
  std::apply(
      [&](const auto&... column) { (((to.*column.values)[at] = (from.*column.values)[row]), ...); },
      kNodeColumns);
}

void copy_row(const EdgeColumns& from, EdgeId row, EdgeColumns& to, EdgeId at) {
  to.weight[at] = from.weight[row];
  to.touched_at[at] = from.touched_at[row];
  to.gained[at] = from.gained[row];
}

constexpr auto kPushRow = [](auto& column, auto initial) { column.push_back(initial); };

// The finaliser of MurmurHash3: every bit of the key changes every bit of the result.
std::uint32_t mix(std::uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  return static_cast<std::uint32_t>(key >> 32);
}

// Stored in packed graphs, like the hash of edges: do not change.
std::uint32_t hash(std::string_view id) {
  return static_cast<std::uint32_t>(XXH3_64bits(id.data(), id.size()) >> 32);
}

std::uint32_t hash(NodeId source, NodeId target, TypeId type) {
  const std::uint64_t ends = (std::uint64_t{source} << 32) | target;
  return mix(ends + type * 0x9e3779b97f4a7c15ULL);
}

std::size_t bytes(const AnyColumn& column) { return column.capacity() * column.value_bytes(); }

std::uint32_t next_id(std::size_t bound) {
  if (bound >= kNoNode) throw std::length_error("graph: all 2^32 - 1 ids are in use");
  return static_cast<std::uint32_t>(bound);
}

// Keeps the names that are in `ids`, and gives these their new ids.
void keep_used(Names& names, Column<TypeId>& ids) {
  std::vector<TypeId> renamed(names.size(), 0);
  for (const TypeId id : ids) {
    if (id >= renamed.size()) throw_damaged();
    renamed[id] = 1;
  }
  Names kept;
  for (std::size_t id = 1; id < renamed.size(); ++id) {
    if (renamed[id] != 0) renamed[id] = kept.intern(names.name(static_cast<TypeId>(id)));
  }
  renamed[0] = 0;
  for (TypeId& id : ids) id = renamed[id];
  names = std::move(kept);
}

}  // namespace

void Graph::drop_unused_names() {
  keep_used(node_types_, nodes_.type);
  keep_used(states_, nodes_.state);
}

void Graph::reserve(std::size_t nodes, std::size_t edges) {
  ids_.reserve(nodes);
  each_column(nodes_, [&](auto& column, auto) { column.reserve(nodes); });
  node_index_.reserve(nodes, [this](NodeId n) { return hash_of_node(n); });
  sources_.reserve(edges);
  targets_.reserve(edges);
  types_.reserve(edges);
  each_column(edges_, [&](auto& column, auto) { column.reserve(edges); });
  edge_index_.reserve(edges, [this](EdgeId e) { return hash_of_edge(e); });
  out_.reserve(nodes, edges);
  in_.reserve(nodes, edges);
}

NodeId Graph::add_node(std::string_view id) {
  assert(!find_node(id));
  const NodeId n = next_id(ids_.size());
  ids_.push_back(id);
  out_.add_node();
  in_.add_node();
  each_column(nodes_, kPushRow);
  node_index_.insert(n, [this](NodeId other) { return hash_of_node(other); });
  return n;
}

std::vector<NodeId> Graph::remove_nodes(const std::vector<bool>& is_removed) {
  assert(is_removed.size() == node_bound());
  std::vector<NodeId> ids(node_bound(), kNoNode);
  const auto removed = std::count(is_removed.begin(), is_removed.end(), true);
  Graph kept;
  kept.reserve(num_nodes() - static_cast<std::size_t>(removed), num_edges());
  for (NodeId n = 0; n < node_bound(); ++n) {
    assert(!is_removed[n] || (out_edges(n).empty() && in_edges(n).empty()));
    if (is_removed[n]) continue;
    if (kept.find_node(id(n))) throw_damaged();
    ids[n] = kept.add_node(id(n));
    copy_row(nodes_, n, kept.nodes_, ids[n]);
  }
  std::vector<EdgeId> edge_ids(edge_bound(), kNoNode);
  for (EdgeId e = 0; e < edge_bound(); ++e) {
    if (!is_live_edge(e)) continue;
    const NodeId from = checked(ids[source(e)], kept.node_bound());
    edge_ids[e] = kept.add_edge_row(from, checked(ids[target(e)], kept.node_bound()), type(e));
    copy_row(edges_, e, kept.edges_, edge_ids[e]);
  }
  for (NodeId n = 0; n < node_bound(); ++n) {  // the lists keep their order
    for (const EdgeId e : out_edges(n))
      kept.out_.append(ids[n], edge_ids[checked(e, edge_bound())]);
    for (const EdgeId e : in_edges(n)) kept.in_.append(ids[n], edge_ids[checked(e, edge_bound())]);
  }
  kept.node_types_ = std::move(node_types_);
  kept.states_ = std::move(states_);
  kept.edge_types_ = std::move(edge_types_);
  *this = std::move(kept);
  return ids;
}

std::optional<NodeId> Graph::find_node(std::string_view id) const {
  return node_index_.find(hash(id), [&](NodeId n) { return ids_[n] == id; });
}

EdgeId Graph::add_edge(NodeId source, NodeId target, TypeId type) {
  assert(source < node_bound() && target < node_bound() && !find_edge(source, target, type));
  const EdgeId e = add_edge_row(source, target, type);
  out_.append(source, e);
  in_.append(target, e);
  return e;
}

EdgeId Graph::add_edge_row(NodeId source, NodeId target, TypeId type) {
  const bool reuses = !free_edges_.empty();
  const EdgeId e = reuses ? free_edges_.back() : next_id(sources_.size());
  if (reuses) {
    free_edges_.pop_back();
    sources_[e] = source;
    targets_[e] = target;
    types_[e] = type;
    reset_edge_row(e);
  } else {
    sources_.push_back(source);
    targets_.push_back(target);
    types_.push_back(type);
    each_column(edges_, kPushRow);
  }
  edge_index_.insert(e, [this](EdgeId other) { return hash_of_edge(other); });
  return e;
}

void Graph::remove_edge(EdgeId e) {
  assert(is_live_edge(e));
  edge_index_.erase(e, [this](EdgeId other) { return hash_of_edge(other); });
  out_.remove(sources_[e], e);
  in_.remove(targets_[e], e);
  sources_[e] = targets_[e] = kNoNode;
  types_[e] = 0;
  reset_edge_row(e);
  free_edges_.push_back(e);
}

std::optional<EdgeId> Graph::find_edge(NodeId source, NodeId target, TypeId type) const {
  return edge_index_.find(hash(source, target, type), [&](EdgeId e) {
    return sources_[e] == source && targets_[e] == target && types_[e] == type;
  });
}

std::size_t Graph::memory_bytes() const {
  std::size_t total = bytes(free_edges_) + bytes(sources_) + bytes(targets_) + bytes(types_) +
                      out_.memory_bytes() + in_.memory_bytes() + edge_index_.memory_bytes();
  std::apply([&](const auto&... column) { total += (bytes(nodes_.*column.values) + ...); },
             kNodeColumns);
  total += bytes(edges_.weight) + bytes(edges_.touched_at) + bytes(edges_.gained);
  return total;
}

Packing Graph::pack() {
  node_index_.reserve(num_nodes() + num_nodes() / 8, [this](NodeId n) { return hash_of_node(n); });
  edge_index_.reserve(num_edges() + num_edges() / 8, [this](EdgeId e) { return hash_of_edge(e); });
  if (ids_.is_packed()) return packing(ids_);
  const auto packed_ids = std::make_shared<Texts>(ids_);
  Packing packing = this->packing(*packed_ids);
  packing.kept = packed_ids;
  return packing;
}

Packing Graph::unpack() { return packing(ids_); }

Packing Graph::packing(Texts& ids) {
  Packing packing;
  ids.pack(packing);
  node_index_.pack(packing);
  out_.pack(packing);
  in_.pack(packing);
  edge_index_.pack(packing);
  packing.columns.insert(packing.columns.end(), {&sources_, &targets_, &types_, &free_edges_});
  const auto take = [&](AnyColumn& column, auto) { packing.columns.push_back(&column); };
  each_column(nodes_, take);
  each_column(edges_, take);
  return packing;
}

std::uint32_t Graph::hash_of_node(NodeId n) const { return hash(ids_[n]); }

std::uint32_t Graph::hash_of_edge(EdgeId e) const {
  return hash(sources_[e], targets_[e], types_[e]);
}

void Graph::reset_node(NodeId n) {
  each_column(nodes_, [n](auto& column, auto initial) { column[n] = initial; });
}

void Graph::reset_edge_row(EdgeId e) {
  each_column(edges_, [e](auto& column, auto initial) { column[e] = initial; });
}

}  // namespace hebb::graph
