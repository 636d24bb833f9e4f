#include "reward/view.h"

#include <cassert>

namespace hebb::reward {

void TypeTable::cover(const Policy& policy, const graph::Names& edge_types) {
  for (std::size_t id = by_id_.size(); id < edge_types.size(); ++id) {
    const auto type = static_cast<graph::TypeId>(id);
    by_id_.push_back(policy.type(edge_types.name(type)));
    if (by_id_.back().context) contexts_.push_back(type);
  }
}

const TypePolicy& TypeTable::operator[](graph::TypeId type) const {
  assert(type < by_id_.size());
  return by_id_[type];
}

}  // namespace hebb::reward
