// A hash index that stores nothing but ids: open addressing, linear probing, no tombstones.
//
// The keys lie in the owner's columns. The owner therefore compares while it probes, and says what
// an id hashes to when the index has to move ids:
//
//   for (auto slot = index.home(hash); index.at(slot) != IdIndex::kEmpty; slot = index.next(slot))
//     if (/* the key of index.at(slot) is the one sought */) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace hebb::graph {

class IdIndex {
 public:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
  using HashOf = std::function<std::uint32_t(std::uint32_t id)>;

  std::size_t home(std::uint32_t hash) const {  // scales the hash to the slots, of any number
    return static_cast<std::size_t>((std::uint64_t{hash} * slots_.size()) >> 32);
  }
  std::size_t next(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  std::uint32_t at(std::size_t slot) const { return slots_[slot]; }

  void reserve(std::size_t count, const HashOf& hash_of);
  void insert(std::uint32_t id, const HashOf& hash_of);  // precondition: its key is not present
  void erase(std::uint32_t id, const HashOf& hash_of);   // precondition: present
  std::size_t memory_bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

 private:
  void place(std::uint32_t id, std::uint32_t hash);
  void resize(std::size_t slots, const HashOf& hash_of);

  std::vector<std::uint32_t> slots_{std::vector<std::uint32_t>(8, kEmpty)};
  std::size_t count_ = 0;
};

}  // namespace hebb::graph
