// A hash index that stores nothing but ids: open addressing, linear probing, no tombstones.
//
// The keys are in the owner's columns. The owner therefore compares keys itself while it probes,
// and gives the index a function from id to hash for moving ids. Each slot also has one byte of the
// hash, which settles nearly all comparisons without reading the columns (a likely cache miss):
//
//   for (auto slot = index.first(hash); slot != IdIndex::kNone; slot = index.next(slot, hash))
//     if (/* the key of index.at(slot) is the one sought */) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "graph/column.h"

namespace hebb::graph {

class IdIndex {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  using HashOf = std::function<std::uint32_t(std::uint32_t id)>;

  // The slots that may hold a key of this hash, one after the other, then kNone.
  std::size_t first(std::uint32_t hash) const { return seek(home(hash), tag(hash)); }
  std::size_t next(std::size_t slot, std::uint32_t hash) const {
    return seek(after(slot), tag(hash));
  }
  std::uint32_t at(std::size_t slot) const { return ids_[slot]; }

  void reserve(std::size_t count, const HashOf& hash_of);
  void insert(std::uint32_t id, const HashOf& hash_of);  // precondition: its key is not present
  void erase(std::uint32_t id, const HashOf& hash_of);   // precondition: present
  std::size_t memory_bytes() const;
  void pack(Packing& packing);

 private:
  static constexpr std::size_t kSlotsMin = 8;
  static constexpr std::uint8_t kEmpty = 0;  // the tag of an empty slot

  static std::uint8_t tag(std::uint32_t hash) {  // from the low bits; the high ones choose the home
    return static_cast<std::uint8_t>(hash) == kEmpty ? 1 : static_cast<std::uint8_t>(hash);
  }
  std::size_t home(std::uint32_t hash) const {  // scales the hash to the slots, of any number
    return static_cast<std::size_t>((std::uint64_t{hash} * tags_.size()) >> 32);
  }
  std::size_t after(std::size_t slot) const { return slot + 1 == tags_.size() ? 0 : slot + 1; }
  std::size_t seek(std::size_t slot, std::uint8_t tag) const {
    for (; tags_[slot] != tag; slot = after(slot)) {
      if (tags_[slot] == kEmpty) return kNone;
    }
    return slot;
  }
  void place(std::uint32_t id, std::uint32_t hash);
  void resize(std::size_t slots, const HashOf& hash_of);

  Column<std::uint32_t> ids_ = Column<std::uint32_t>(kSlotsMin);
  Column<std::uint8_t> tags_ = Column<std::uint8_t>(kSlotsMin, kEmpty);
  std::size_t count_ = 0;
};

}  // namespace hebb::graph
