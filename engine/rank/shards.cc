#include "engine/rank/shards.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace hebb {

std::set<std::string_view> units_of(const Shard& shard,
                                    const std::map<std::string_view, double>& seconds) {
  constexpr double kLeastSeconds = 0.001;
  std::vector<std::pair<std::string_view, double>> units(seconds.begin(), seconds.end());
  std::stable_sort(units.begin(), units.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  // Those that a unit has been assigned to, by what they have: seconds, units, their number. The
  // shards from `empty` on have nothing yet.
  std::set<std::tuple<double, std::size_t, std::int64_t>> assigned;
  std::int64_t empty = 1;
  std::set<std::string_view> taken;
  for (const auto& [unit, unit_seconds] : units) {
    std::tuple<double, std::size_t, std::int64_t> least{0, 0, empty};
    if (empty <= shard.of) {
      ++empty;
    } else {
      least = *assigned.begin();
      assigned.erase(assigned.begin());
    }
    const auto& [used, count, number] = least;
    if (number == shard.number) taken.insert(unit);
    assigned.emplace(used + std::max(unit_seconds, kLeastSeconds), count + 1, number);
  }
  return taken;
}

}  // namespace hebb
