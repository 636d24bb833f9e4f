// The policies that were in force, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ledger/event.h"
#include "graph/names.h"
#include "reward/policy.h"
#include "reward/view.h"

namespace hebb {

// The place of an event in the order of the fold: by time, then by key.
struct EventOrder {
  TimeMs at = graph::kNever;
  std::string key;
  auto operator<=>(const EventOrder&) const = default;
};

class Policies {
 public:
  // A policy in force from `from` on, with its settings of edge types: the last one has all edge
  // types, the others have those that were looked up.
  struct Era {
    EventOrder from;
    reward::Policy policy;
    reward::TypeTable types;
    const reward::TypePolicy& of(graph::TypeId type, const graph::Names& edge_types);
  };

  explicit Policies(const graph::Names& edge_types);  // the default one, from before all events on

  // Precondition: it comes after all that were added before.
  void add(const Event& policy_event, const graph::Names& edge_types);
  // To be called when there are new edge types, so that const methods need not add them.
  void cover(const graph::Names& edge_types);
  const Era& last() const { return eras_.back(); }
  Era& era_at(const EventOrder& order) { return eras_[index_at(order)]; }
  const reward::Policy& at(const EventOrder& order) const { return eras_[index_at(order)].policy; }
  bool hold() const;   // whether each of them keeps its bounds
  void check() const;  // throws reward::BadPolicy if one does not

 private:
  std::size_t index_at(const EventOrder& order) const;

  std::vector<Era> eras_;  // sorted by `from`
};

// A number for the rules by which a mirror or a graph cache was folded: this program's default
// policy, and kFoldRules in policies.cc. What was folded by other rules is not used but made anew
// from the ledger. Never 0.
std::int64_t fold_rules();

}  // namespace hebb
