#include "graph/graph.h"

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

// A removed id if there is one, else the next new one.
std::uint32_t take_id(Column<std::uint32_t>& free, std::size_t bound) {
  if (!free.empty()) {
    const std::uint32_t id = free.back();
    free.pop_back();
    return id;
  }
  if (bound >= kNoNode) throw std::length_error("graph: all 2^32 - 1 ids are in use");
  return static_cast<std::uint32_t>(bound);
}

// Keeps the names that are in `ids`, and gives these their new ids.
void keep_used(Names& names, Column<TypeId>& ids) {
  std::vector<TypeId> renamed(names.size(), 0);
  for (const TypeId id : ids) renamed[id] = 1;
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
  const NodeId n = take_id(free_nodes_, ids_.size());
  if (n == ids_.size()) {
    ids_.push_back(id);
    out_.add_node();
    in_.add_node();
    each_column(nodes_, kPushRow);
  } else {
    ids_.set(n, id);
    reset_node(n);  // the owner may have written to the columns of a dead row
  }
  node_index_.insert(n, [this](NodeId other) { return hash_of_node(other); });
  return n;
}

void Graph::remove_node(NodeId n) {
  assert(is_live_node(n) && out_edges(n).empty() && in_edges(n).empty());
  node_index_.erase(n, [this](NodeId other) { return hash_of_node(other); });
  ids_.clear(n);
  reset_node(n);
  free_nodes_.push_back(n);
}

std::optional<NodeId> Graph::find_node(std::string_view id) const {
  const std::uint32_t wanted = hash(id);
  for (auto slot = node_index_.first(wanted); slot != IdIndex::kNone;
       slot = node_index_.next(slot, wanted)) {
    const NodeId n = node_index_.at(slot);
    if (ids_[n] == id) return n;
  }
  return std::nullopt;
}

std::string_view Graph::id(NodeId n) const {
  assert(is_live_node(n));
  return ids_[n];
}

EdgeId Graph::add_edge(NodeId source, NodeId target, TypeId type) {
  assert(is_live_node(source) && is_live_node(target) && !find_edge(source, target, type));
  const EdgeId e = take_id(free_edges_, sources_.size());
  if (e == sources_.size()) {
    sources_.push_back(source);
    targets_.push_back(target);
    types_.push_back(type);
    each_column(edges_, kPushRow);
  } else {
    sources_[e] = source;
    targets_[e] = target;
    types_[e] = type;
    reset_edge_row(e);
  }
  out_.append(source, e);
  in_.append(target, e);
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
  const std::uint32_t wanted = hash(source, target, type);
  for (auto slot = edge_index_.first(wanted); slot != IdIndex::kNone;
       slot = edge_index_.next(slot, wanted)) {
    const EdgeId e = edge_index_.at(slot);
    if (sources_[e] == source && targets_[e] == target && types_[e] == type) return e;
  }
  return std::nullopt;
}

std::size_t Graph::memory_bytes() const {
  std::size_t total = bytes(free_nodes_) + bytes(free_edges_) + bytes(sources_) + bytes(targets_) +
                      bytes(types_) + out_.memory_bytes() + in_.memory_bytes() +
                      edge_index_.memory_bytes();
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
  packing.columns.insert(packing.columns.end(),
                         {&free_nodes_, &sources_, &targets_, &types_, &free_edges_});
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
