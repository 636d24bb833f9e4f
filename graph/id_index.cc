#include "graph/id_index.h"

#include <cassert>
#include <utility>

namespace hebb::graph {
namespace {

// At most two thirds full: an unsuccessful search then looks at five slots on average.
std::size_t slots_for(std::size_t count) { return count + count / 2 + 2; }

}  // namespace

void IdIndex::reserve(std::size_t count, const HashOf& hash_of) {
  if (slots_for(count) > slots_.size()) resize(slots_for(count), hash_of);
}

void IdIndex::insert(std::uint32_t id, const HashOf& hash_of) {
  if (slots_for(count_ + 1) > slots_.size()) resize(slots_.size() + slots_.size() / 2, hash_of);
  place(id, hash_of(id));
  ++count_;
}

void IdIndex::erase(std::uint32_t id, const HashOf& hash_of) {
  std::size_t hole = home(hash_of(id));
  while (slots_[hole] != id) {
    assert(slots_[hole] != kEmpty);
    hole = next(hole);
  }
  // Close the gap: whoever could stand in the hole, because its home is not after it, moves there.
  const auto distance = [this](std::size_t from, std::size_t to) {
    return to >= from ? to - from : to + slots_.size() - from;
  };
  for (std::size_t slot = next(hole); slots_[slot] != kEmpty; slot = next(slot)) {
    if (distance(home(hash_of(slots_[slot])), slot) >= distance(hole, slot)) {
      slots_[hole] = slots_[slot];
      hole = slot;
    }
  }
  slots_[hole] = kEmpty;
  --count_;
}

void IdIndex::place(std::uint32_t id, std::uint32_t hash) {
  std::size_t slot = home(hash);
  while (slots_[slot] != kEmpty) slot = next(slot);
  slots_[slot] = id;
}

void IdIndex::resize(std::size_t slots, const HashOf& hash_of) {
  const std::vector<std::uint32_t> old =
      std::exchange(slots_, std::vector<std::uint32_t>(slots, kEmpty));
  for (const std::uint32_t id : old) {
    if (id != kEmpty) place(id, hash_of(id));
  }
}

}  // namespace hebb::graph
