// The order in which the items of an input are taken.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/input/input.h"

namespace hebb {

// First the refused items in the order of the input, then the events by (at, key). Events without a
// key come last among those of the same time, in the order of the input. now: the time of events
// that have none. O(n log n), O(n) where they are in order.
void sort_items(std::vector<Item>& items, TimeMs now);

std::size_t memory_of(const Item& item);  // about how many bytes it needs

}  // namespace hebb
