// Queries of a ranking.
#include <algorithm>
#include <cmath>
#include <compare>

#include "reward/ranking.h"

namespace hebb::reward {

using graph::NodeId;

const Candidate* Ranking::find(NodeId n) const {
  if (n >= row_of_.size() || row_of_[n] == kNoIndex) return nullptr;
  return &rows_[row_of_[n]];
}

void Ranking::compare_to_focus(const Focus& focus, Moved moved, NodeId n,
                               std::span<const NodeId> contexts, Evidence& out) const {
  if (moved.anchor) {
    out.anchor = focus.anchor;
    out.completed_at = focus.completed_at;
  }
  if (moved.order) out.filed_between = least_between(focus, n);
  if (moved.anchor || moved.order) set_near(out);
  if (moved.contexts) out.overlap = overlap(contexts, focus.contexts);
  if (contexts.empty()) out.general = general();
}

Evidence Ranking::evidence_of(const View& view, const Focus& focus, NodeId n) const {
  constexpr Moved kAll{true, true, true, true};
  Evidence evidence;
  if (const Candidate* row = find(n); row != nullptr && row->is_blocked == 0) {
    evidence = row->evidence;
    evidence.distance = distance(focus.vector, view.vectors.row(n));
    compare_to_focus(focus, kAll, n, contexts_of(*row), evidence);
    common(view).apply(evidence);
    return evidence;
  }
  std::vector<NodeId> contexts;
  const KnownNames kinds(view.graph);
  Readiness readiness(view, times());
  gather_own(view, kinds, n, times(), readiness, contexts, evidence);
  evidence.distance = distance(focus.vector, view.vectors.row(n));
  compare_to_focus(focus, kAll, n, contexts, evidence);
  sum_contexts(view, contexts, evidence);
  common(view).apply(evidence);
  return evidence;
}

Common Ranking::common(const View& view) const {
  return Common(view, KnownNames(view.graph), times(), usual_days());
}

ContextEvidence Ranking::context(const View& view, NodeId context) const {
  if (context < slot_of_.size() && slot_of_[context] != kNoIndex)
    return contexts_[slot_of_[context]].seen;
  return context_evidence(view, KnownNames(view.graph), context, key_[0].stamp);
}

std::vector<Ranked> Ranking::first(const graph::Graph& g, std::size_t count) const {
  struct Key {
    RankKey key;
    std::uint32_t row;
  };
  std::vector<Key> keys;
  keys.reserve(candidates());
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].is_blocked == 0) {
      keys.push_back({{factors_[i].tier, factors_[i].priority}, i});
    }
  }
  const auto ranked = [&](const Key& key) {
    return Ranked{rows_[key.row].node, factors_[key.row]};
  };
  const auto before = [&](const Key& a, const Key& b) {
    const auto order = a.key <=> b.key;
    return order != 0 ? order > 0 : goes_first(g, ranked(a), ranked(b));
  };
  count = std::min(count, keys.size());
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(count);
  if (count < keys.size()) std::nth_element(keys.begin(), end, keys.end(), before);
  std::sort(keys.begin(), end, before);
  std::vector<Ranked> first;
  first.reserve(count);
  for (auto key = keys.begin(); key != end; ++key) first.push_back(ranked(*key));
  return first;
}

std::vector<NodeId> Ranking::open_nodes() const {
  std::vector<NodeId> nodes;
  nodes.reserve(rows_.size());
  for (const Candidate& row : rows_) nodes.push_back(row.node);
  return nodes;
}

std::vector<Ranked> Ranking::score(const View& view, const Focus& focus) const {
  std::vector<Ranked> out;
  out.reserve(candidates());
  const std::vector<double> apart = distances_of(view, focus, open_nodes());
  const Common common = this->common(view);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Candidate& row = rows_[i];
    if (row.is_blocked != 0) continue;
    Evidence before = row.evidence;
    common.apply(before);
    Evidence evidence = before;
    evidence.distance = apart[i];
    compare_to_focus(focus, {true, true, true, true}, row.node, contexts_of(row), evidence);
    Ranked& ranked = out.emplace_back(Ranked{row.node, factors_[i]});
    multiply(view.policy, evidence, &before, ranked.factors);
  }
  return out;
}

}  // namespace hebb::reward
