// The memory of a kept ranking: its notes of the graph, its columns, its policy.
#include <fmt/format.h>

#include "reward/ranking.h"

namespace hebb::reward {

using graph::NodeId;

namespace {

std::string text_of(const Policy& policy) {
  std::string text;
  for (const auto& [key, value] : settings(policy)) text += key + "=" + value + "\n";
  return text + fmt::format("base_rate={}\n", policy.base_rate);
}

}  // namespace

void Ranking::note_node(NodeId n) {
  if (!keeps()) return;
  noted_nodes_.push_back(n);
  bound_notes();
}

void Ranking::note_edge(NodeId source, NodeId target, graph::TypeId type) {
  if (!keeps()) return;
  noted_edges_.push_back({source, target, type});
  bound_notes();
}

// With so many notes, making all anew costs less.
void Ranking::bound_notes() {
  if (noted_nodes_.size() + noted_edges_.size() > 10'000 + rows_.size()) clear();
}

std::vector<graph::AnyColumn*> Ranking::columns() {
  return {&key_,           &policy_,   &seen_,         &rows_,         &factors_,
          &row_of_,        &days_,     &context_pool_, &contexts_,     &slot_of_,
          &filed_,         &place_of_, &completed_,    &focus_vector_, &focus_completed_,
          &focus_contexts_};
}

void Ranking::clear() {
  for (graph::AnyColumn* column : columns()) column->clear();
  policy_known_.reset();
  blocked_ = pool_live_ = 0;
  noted_nodes_.clear();
  noted_edges_.clear();
}

void Ranking::pack(graph::Packing& packing) {
  if (policy_known_ && policy_.empty()) policy_.append(text_of(*policy_known_));
  const auto all = columns();
  packing.columns.insert(packing.columns.end(), all.begin(), all.end());
  packing.counts.insert(packing.counts.end(), {&blocked_, &pool_live_});
}

// The text is what a graph cache holds: printing a policy takes longer than comparing it.
bool Ranking::is_of(const Policy& policy) {
  if (policy_known_) return *policy_known_ == policy;
  if (std::string_view(policy_.data(), policy_.size()) != text_of(policy)) return false;
  policy_known_ = policy;
  return true;
}

}  // namespace hebb::reward
