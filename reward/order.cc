#include "reward/order.h"

#include <cmath>

namespace hebb::reward {

std::weak_ordering operator<=>(const RankKey& a, const RankKey& b) {
  return a.tier != b.tier ? a.tier <=> b.tier : std::weak_order(a.priority, b.priority);
}

namespace {

// Above 0: the first goes first.
std::weak_ordering by_duration(const Standing& a, const Standing& b) {
  // A failure counts 1 at least until the next success.
  if (std::abs(a.factors.test_failures) >= 1) return std::weak_ordering::equivalent;
  const bool is_known_a = a.duration_ms != graph::kNever;
  const bool is_known_b = b.duration_ms != graph::kNever;
  return is_known_a && is_known_b ? b.duration_ms <=> a.duration_ms : is_known_a <=> is_known_b;
}

}  // namespace

bool goes_first(const Standing& a, const Standing& b) {
  auto order = RankKey{a.factors.tier, a.priority} <=> RankKey{b.factors.tier, b.priority};
  if (order == 0) order = std::weak_order(b.change, a.change);
  if (order == 0) order = std::weak_order(a.factors.base, b.factors.base);
  if (order == 0) order = std::weak_order(a.factors.test_failures, b.factors.test_failures);
  if (order == 0) order = by_duration(a, b);
  if (order != 0) return order > 0;
  const bool is_new_a = a.created_at == graph::kNever, is_new_b = b.created_at == graph::kNever;
  if (is_new_a != is_new_b) return is_new_b;
  return a.created_at != b.created_at ? a.created_at < b.created_at : a.id < b.id;
}

bool goes_first(const graph::Graph& g, const Ranked& a, const Ranked& b) {
  const auto standing = [&](const Ranked& r) {
    const graph::NodeColumns& c = g.nodes();
    return Standing{r.factors,   r.factors.priority, 1, c.duration_ms[r.node], c.created_at[r.node],
                    g.id(r.node)};
  };
  return goes_first(standing(a), standing(b));
}

}  // namespace hebb::reward
