// The sources of a kept ranking's focus: the tasks completed last, and the order in which tasks
// were filed.
#include <algorithm>
#include <iterator>

#include "reward/ranking.h"

namespace hebb::reward {

using graph::kNever;
using graph::NodeId;

namespace {

// Assigns, and says whether it differs.
template <class T>
bool take(graph::Column<T>& to, std::span<const T> from) {
  if (to.size() == from.size() && std::equal(from.begin(), from.end(), to.begin())) return false;
  to.clear();
  to.append(from);
  return true;
}

}  // namespace

void Ranking::keep_completed(const View& view, const std::vector<NodeId>& nodes) {
  const auto later = [&](const Completed& a, const Completed& b) {
    if (a.at != b.at) return a.at > b.at;
    return view.graph.id(static_cast<NodeId>(a.node)) < view.graph.id(static_cast<NodeId>(b.node));
  };
  const KnownNames kinds(view.graph);
  const std::size_t count = completed_for_focus(view.policy);
  std::vector<Completed> last(completed_.begin(), completed_.end());
  const bool full = last.size() == count;  // or there are no others
  const Completed least = full ? last.back() : Completed{};
  std::erase_if(last, [&](const Completed& c) {
    return std::binary_search(nodes.begin(), nodes.end(), static_cast<NodeId>(c.node));
  });
  for (const NodeId n : nodes) {
    const Completed c{view.graph.nodes().completed_at[n], n};
    if (!is_completed(view, kinds, n)) continue;
    if (full && later(least, c)) continue;
    last.insert(std::upper_bound(last.begin(), last.end(), c, later), c);
  }
  if (full && last.size() < count) {  // one left: any node may take its place
    last.clear();
    for (const NodeId n : completed_last(view, count))
      last.push_back({view.graph.nodes().completed_at[n], n});
  }
  if (last.size() > count) last.resize(count);
  completed_.clear();
  completed_.append(last);
}

// The order of filing with the nodes where they belong now. O(nodes given) where they are the last
// filed or stay where they are, else O(nodes).
bool Ranking::refile(const View& view, const std::vector<NodeId>& nodes) {
  if (view.policy.order_proximity_exponent <= 0) return false;
  const auto before = [&](NodeId a, NodeId b) { return filed_before(view.graph, a, b); };
  const KnownNames kinds(view.graph);
  std::vector<NodeId> added;
  bool in_order = true;
  for (const NodeId n : nodes) {
    const std::uint32_t place = place_of_[n];
    if (place == kNoIndex) {
      if (is_filed(view, kinds, n)) added.push_back(n);
      continue;
    }
    in_order = in_order && is_filed(view, kinds, n) &&
               (place == 0 || before(filed_[place - 1], n)) &&
               (place + 1 == filed_.size() || before(n, filed_[place + 1]));
  }
  std::sort(added.begin(), added.end(), before);
  if (in_order && (added.empty() || filed_.empty() || before(filed_.back(), added.front()))) {
    bool completed = false;  // then all are as near to it as it says now
    for (const NodeId n : added) {
      place_of_[n] = static_cast<std::uint32_t>(filed_.size());
      filed_.push_back(n);
      completed = completed || view.graph.nodes().completed_at[n] != kNever;
    }
    return completed;
  }
  for (const NodeId n : nodes) {  // any of them may be out of order
    if (place_of_[n] == kNoIndex) continue;
    place_of_[n] = kNoIndex;
    if (is_filed(view, kinds, n)) added.push_back(n);
  }
  remerge(view, added);
  return true;
}

// Merges the nodes that have a place, in their order, with the moved ones.
void Ranking::remerge(const View& view, std::vector<NodeId>& moved) {
  const auto before = [&](NodeId a, NodeId b) { return filed_before(view.graph, a, b); };
  if (!std::is_sorted(moved.begin(), moved.end(), before))
    std::sort(moved.begin(), moved.end(), before);
  std::vector<NodeId> rest, all;
  for (const NodeId n : filed_) {
    if (place_of_[n] != kNoIndex) rest.push_back(n);
  }
  std::merge(rest.begin(), rest.end(), moved.begin(), moved.end(), std::back_inserter(all), before);
  filed_.clear();
  filed_.append(all);
  for (std::size_t i = 0; i < all.size(); ++i) place_of_[all[i]] = static_cast<std::uint32_t>(i);
}

std::span<const std::uint32_t> Ranking::places() const {
  if (filed_.empty()) return {};
  return {place_of_.data(), place_of_.size()};
}

Ranking::Moved Ranking::take_focus(const Focus& focus) {
  Moved moved;
  RankingKey& key = key_[0];
  moved.anchor = key.anchor != focus.anchor || key.completed_at != focus.completed_at;
  if (moved.anchor) {
    key.anchor = focus.anchor;
    key.completed_at = focus.completed_at;
  }
  moved.vector = take(focus_vector_, std::span<const double>(focus.vector));
  moved.order = take(focus_completed_, std::span<const NodeId>(focus.completed));
  moved.contexts = take(focus_contexts_, std::span<const NodeId>(focus.contexts));
  return moved;
}

std::vector<NodeId> Ranking::completed() const {
  std::vector<NodeId> nodes;
  for (const Completed& c : completed_) nodes.push_back(static_cast<NodeId>(c.node));
  return nodes;
}

Focus Ranking::focus_after(const View& view, NodeId own) const {
  std::vector<NodeId> nodes = completed();
  const auto at = std::find(nodes.begin(), nodes.end(), own);
  if (at == nodes.end()) graph::throw_damaged();
  std::rotate(nodes.begin(), at, at + 1);
  return focus_from(view, times().stamp, std::move(nodes), places());
}

Focus Ranking::focus() const {
  Focus focus;
  if (completed_.empty()) return focus;
  if (focus_completed_.empty()) graph::throw_damaged();
  focus.vector.assign(focus_vector_.begin(), focus_vector_.end());
  focus.anchor = key_[0].anchor;
  focus.completed_at = key_[0].completed_at;
  focus.completed.assign(focus_completed_.begin(), focus_completed_.end());
  focus.contexts.assign(focus_contexts_.begin(), focus_contexts_.end());
  focus.filed = places();
  return focus;
}

}  // namespace hebb::reward
