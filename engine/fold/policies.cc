#include "engine/fold/policies.h"

#include <cassert>
#include <utility>

#include <xxhash.h>

#include "reward/policy.h"

namespace hebb {

const reward::TypePolicy& Policies::Era::of(graph::TypeId type, const graph::Names& edge_types) {
  if (type >= types.size()) types.cover(policy, edge_types);
  return types[type];
}

Policies::Policies(const graph::Names& edge_types) {
  eras_.push_back({EventOrder{}, reward::Policy::learned(), {}});
  cover(edge_types);
}

void Policies::add(const Event& e, const graph::Names& edge_types) {
  const auto& change = std::get<PolicyChange>(e.payload);
  assert((EventOrder{e.at, e.key} > last().from));
  reward::Policy policy = change.replace ? reward::Policy::learned() : last().policy;
  for (const auto& [key, value] : change.settings) reward::set(policy, key, value);
  reward::TypeTable types(policy, edge_types);
  eras_.push_back({EventOrder{e.at, e.key}, std::move(policy), std::move(types)});
}

void Policies::cover(const graph::Names& edge_types) {
  Era& last = eras_.back();
  if (last.types.size() < edge_types.size()) last.types.cover(last.policy, edge_types);
}

std::size_t Policies::index_at(const EventOrder& order) const {
  std::size_t i = eras_.size() - 1;
  while (i > 0 && order < eras_[i].from) --i;
  return i;
}

void Policies::check() const {
  for (const Era& era : eras_) reward::check(era.policy);
}

bool Policies::hold() const {
  try {
    check();
    return true;
  } catch (const reward::BadPolicy&) {
    return false;
  }
}

namespace {

// Increase it when the same events and the same policy fold to something else than before.
constexpr unsigned kFoldRules = 9;

}  // namespace

std::int64_t fold_rules() {
  static const std::int64_t kRules = [] {
    std::string policy;
    for (const auto& [key, value] : reward::settings(reward::Policy::learned()))
      policy += key + "=" + value + "\n";
    return static_cast<std::int64_t>(
        XXH3_64bits_withSeed(policy.data(), policy.size(), kFoldRules) | 1);
  }();
  return kRules;
}

}  // namespace hebb
