// A hash index that stores nothing but ids: open addressing, linear probing, no tombstones.
//
// The keys are in the owner's columns. The owner therefore compares keys itself, and gives the
// index a function from id to hash for moving ids. Each slot also has one byte of the hash, which
// settles nearly all comparisons without reading the columns (a likely cache miss).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "graph/column.h"

namespace hebb::graph {

class IdIndex {
 public:
  using HashOf = std::function<std::uint32_t(std::uint32_t id)>;

  // The id of this hash of which is(id) says that its key is the one sought. Ends after one round,
  // whatever the slots hold.
  template <class Is>
  std::optional<std::uint32_t> find(std::uint32_t hash, const Is& is) const {
    const auto slot = slot_of(hash, is);
    return slot == kNone ? std::nullopt : std::optional(ids_[slot]);
  }

  void reserve(std::size_t count, const HashOf& hash_of);
  void insert(std::uint32_t id, const HashOf& hash_of);  // precondition: its key is not present
  void erase(std::uint32_t id, const HashOf& hash_of);   // precondition: present
  std::size_t memory_bytes() const;
  void pack(Packing& packing);

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kSlotsMin = 8;
  static constexpr std::uint8_t kEmpty = 0;  // the tag of an empty slot

  static std::uint8_t tag(std::uint32_t hash) {  // from the low bits; the high ones choose the home
    return static_cast<std::uint8_t>(hash) == kEmpty ? 1 : static_cast<std::uint8_t>(hash);
  }
  std::size_t home(std::uint32_t hash) const {  // scales the hash to the slots, of any number
    return static_cast<std::size_t>((std::uint64_t{hash} * tags_.size()) >> 32);
  }
  std::size_t after(std::size_t slot) const { return slot + 1 == tags_.size() ? 0 : slot + 1; }
  template <class Is>
  std::size_t slot_of(std::uint32_t hash, const Is& is) const {
    std::size_t slot = home(hash);
    for (std::size_t left = tags_.size(); left != 0 && tags_[slot] != kEmpty; --left) {
      if (tags_[slot] == tag(hash) && is(ids_[slot])) return slot;
      slot = after(slot);
    }
    return kNone;
  }
  // The first empty slot from there on.
  std::size_t empty_from(std::size_t slot) const {
    for (std::size_t left = tags_.size(); left != 0; --left, slot = after(slot)) {
      if (tags_[slot] == kEmpty) return slot;
    }
    throw_damaged();
  }
  void place(std::uint32_t id, std::uint32_t hash);
  void resize(std::size_t slots, const HashOf& hash_of);

  Column<std::uint32_t> ids_ = Column<std::uint32_t>(kSlotsMin);
  Column<std::uint8_t> tags_ = Column<std::uint8_t>(kSlotsMin, kEmpty);
  std::size_t count_ = 0;
};

}  // namespace hebb::graph
