#include "graph/id_index.h"

#include <algorithm>
#include <vector>

namespace hebb::graph {
namespace {

// At most three quarters full: an unsuccessful search then looks at nine tags on average, which
// are mostly in one cache line.
std::size_t slots_for(std::size_t count) { return count + count / 3 + 2; }

}  // namespace

void IdIndex::reserve(std::size_t count, const HashOf& hash_of) {
  if (slots_for(count) > tags_.size()) resize(slots_for(count), hash_of);
}

void IdIndex::insert(std::uint32_t id, const HashOf& hash_of) {
  if (slots_for(count_ + 1) > tags_.size()) resize(tags_.size() + tags_.size() / 2, hash_of);
  place(id, hash_of(id));
  ++count_;
}

void IdIndex::erase(std::uint32_t id, const HashOf& hash_of) {
  const std::uint32_t hash = hash_of(id);
  std::size_t hole = slot_of(hash, [id](std::uint32_t other) { return other == id; });
  if (hole == kNone) throw_damaged();
  // Close the gap: an id whose home is not after the hole moves into it and leaves a new hole.
  const auto distance = [this](std::size_t from, std::size_t to) {
    return to >= from ? to - from : to + tags_.size() - from;
  };
  const std::size_t end = empty_from(hole);
  for (std::size_t slot = after(hole); slot != end; slot = after(slot)) {
    if (distance(home(hash_of(ids_[slot])), slot) >= distance(hole, slot)) {
      ids_[hole] = ids_[slot];
      tags_[hole] = tags_[slot];
      hole = slot;
    }
  }
  tags_[hole] = kEmpty;
  --count_;
}

std::size_t IdIndex::memory_bytes() const {
  return ids_.capacity() * sizeof(std::uint32_t) + tags_.capacity();
}

void IdIndex::pack(Packing& packing) {
  packing.columns.insert(packing.columns.end(), {&ids_, &tags_});
  packing.counts.push_back(&count_);
}

void IdIndex::place(std::uint32_t id, std::uint32_t hash) {
  const std::size_t slot = empty_from(home(hash));
  ids_[slot] = id;
  tags_[slot] = tag(hash);
}

// Inserts by ascending id, so that hash_of reads the columns in order.
void IdIndex::resize(std::size_t slots, const HashOf& hash_of) {
  std::vector<bool> present;
  for (std::size_t slot = 0; slot < tags_.size(); ++slot) {
    if (tags_[slot] == kEmpty) continue;
    if (ids_[slot] >= present.size()) present.resize(std::size_t{ids_[slot]} * 2 + 1);
    present[ids_[slot]] = true;
  }
  ids_ = {};  // frees the old ones first: both at once are not needed
  ids_.resize(slots);
  tags_ = {};
  tags_.resize(slots, kEmpty);
  for (std::size_t id = 0; id < present.size(); ++id) {
    if (present[id]) place(static_cast<std::uint32_t>(id), hash_of(static_cast<std::uint32_t>(id)));
  }
}

}  // namespace hebb::graph
