// Which nodes and edges a fold is about.
#include <algorithm>

#include "engine/fold/state.h"

namespace hebb {

using graph::NodeId;

bool Scope::meets(const Scope& other) const {
  if (nodes.size() + edges.size() < other.nodes.size() + other.edges.size()) {
    return other.meets(*this);
  }
  if (everything || other.everything) return true;
  return std::any_of(other.nodes.begin(), other.nodes.end(),
                     [&](NodeId n) { return nodes.contains(n); }) ||
         std::any_of(other.edges.begin(), other.edges.end(),
                     [&](const EdgeKey& e) { return edges.contains(e); });
}

void Scope::add(const Scope& other) {
  nodes.insert(other.nodes.begin(), other.nodes.end());
  edges.insert(other.edges.begin(), other.edges.end());
  everything = everything || other.everything;
}

}  // namespace hebb
