#include "graph/names.h"

#include <stdexcept>

#include "graph/column.h"

namespace hebb::graph {

Names::Names() { intern(""); }

TypeId Names::intern(std::string_view name) {
  if (const auto known = find(name)) return *known;
  if (names_.size() == kMax) {
    throw std::length_error("graph: no room for another name of a type or state: " +
                            std::string(name));
  }
  const auto id = static_cast<TypeId>(names_.size());
  ids_.emplace(name, id);
  names_.emplace_back(name);
  return id;
}

std::optional<TypeId> Names::find(std::string_view name) const {
  const auto at = ids_.find(name);
  if (at == ids_.end()) return std::nullopt;
  return at->second;
}

const std::string& Names::name(TypeId id) const {
  if (id >= names_.size()) throw_damaged();
  return names_[id];
}

std::size_t Names::size() const { return names_.size(); }

}  // namespace hebb::graph
