// Interned names: each distinct text gets a small number, in order of first use; 0 is "".
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hebb::graph {

using TypeId = std::uint16_t;

class Names {
 public:
  static constexpr std::size_t kMax = std::numeric_limits<TypeId>::max() + std::size_t{1};

  Names();
  TypeId intern(std::string_view name);  // throws std::length_error past kMax names, "" included
  std::optional<TypeId> find(std::string_view name) const;
  const std::string& name(TypeId id) const;  // valid as long as this is; precondition: id < size()
  std::size_t size() const;                  // ids are 0 … size() - 1

 private:
  std::deque<std::string> names_;  // a deque, so that adding does not move the texts
  std::map<std::string, TypeId, std::less<>> ids_;
};

}  // namespace hebb::graph
