#include "engine/input/sort_items.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/values/canonical_json.h"

namespace hebb {

namespace {

constexpr std::size_t kItemBytes = 640;  // what an item needs in memory beside its texts

// Of two items with the same time and key, the second is a duplicate or is refused. Which one is
// second must not depend on their places in the input, so a hash of the text decides.
std::string tie_break(std::string_view text) { return content_hash(text).substr(0, 16); }

}  // namespace

std::size_t memory_of(const Item& item) {
  std::size_t bytes = kItemBytes + 2 * item.text.size();
  if (const auto* e = std::get_if<Event>(&item.parsed)) {
    if (const auto* upsert = std::get_if<NodeUpsert>(&e->payload))
      bytes += upsert->vector.size() * sizeof(float);
  }
  return bytes;
}

void sort_items(std::vector<Item>& items, TimeMs now) {
  struct Place {
    TimeMs at;
    bool keyless;  // it gets a key from its position, which sorts after all others of that time
    std::string_view key;
    std::size_t index;
  };
  const auto is_before = [&items](const Place& a, const Place& b) {
    const auto order = std::tie(a.at, a.keyless, a.key) <=> std::tie(b.at, b.keyless, b.key);
    if (order != 0) return order < 0;
    const std::string &mine = items[a.index].text, &other = items[b.index].text;
    if (a.keyless || mine == other) return a.index < b.index;
    return std::pair(tie_break(mine), a.index) < std::pair(tie_break(other), b.index);
  };
  std::vector<Place> places;
  places.reserve(items.size());
  for (Item& item : items) {
    auto* e = std::get_if<Event>(&item.parsed);
    if (e && !e->dated) e->at = now;
    places.push_back(e ? Place{e->at, e->key.empty(), e->key, places.size()}
                       : Place{graph::kNever, true, {}, places.size()});
  }
  if (std::is_sorted(places.begin(), places.end(), is_before)) return;
  std::sort(places.begin(), places.end(), is_before);
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const Place& p : places) sorted.push_back(std::move(items[p.index]));
  items = std::move(sorted);
}

}  // namespace hebb
