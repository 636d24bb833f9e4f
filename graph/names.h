// Interned names: each distinct text gets a small number, in order of first use; 0 is "".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hebb::graph {

using TypeId = std::uint16_t;

class Names {
 public:
  Names();
  TypeId intern(std::string_view name);  // throws std::length_error past 65 535 names
  std::optional<TypeId> find(std::string_view name) const;
  const std::string& name(TypeId id) const;
  std::size_t size() const;  // ids are 0 … size() - 1

 private:
};

}  // namespace hebb::graph
