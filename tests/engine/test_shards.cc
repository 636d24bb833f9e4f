// Tasks divided among several machines.
#include <algorithm>
#include <random>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/shards.h"

namespace hebb {

namespace {

using Seconds = std::map<std::string_view, double>;

std::vector<std::set<std::string_view>> all_shards(const Seconds& seconds, std::int64_t of) {
  std::vector<std::set<std::string_view>> shards;
  for (std::int64_t i = 1; i <= of; ++i) shards.push_back(units_of({i, of}, seconds));
  return shards;
}

}  // namespace

TEST_CASE("each unit is in one shard, and no shard is longer than it may be") {
  std::mt19937 random(1);
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back(fmt::format("t{}", i));
  for (const std::int64_t of : {1, 2, 5, 7, 400}) {
    Seconds seconds;
    std::exponential_distribution<double> duration(0.1);
    for (const std::string& name : names) seconds[name] = duration(random);
    double total = 0, longest_unit = 0, longest = 0;
    for (const auto& [name, s] : seconds) {
      total += s;
      longest_unit = std::max(longest_unit, s);
    }
    std::set<std::string_view> seen;
    for (const auto& shard : all_shards(seconds, of)) {
      double sum = 0;
      for (const std::string_view unit : shard) {
        CHECK(seen.insert(unit).second);
        sum += seconds.at(unit);
      }
      longest = std::max(longest, sum);
    }
    CHECK(seen.size() == names.size());
    // What is assigned last to the longest shard was so when that had the least of all.
    CHECK(longest <= std::max(longest_unit, total / static_cast<double>(of) + longest_unit));
    if (of == 5) CHECK(longest < 1.01 * total / 5);
  }
}

TEST_CASE("units without a duration are spread by their number") {
  Seconds none;
  for (const char* name : {"a", "b", "c", "d", "e"}) none[name] = 0;
  const auto shards = all_shards(none, 2);
  CHECK(shards[0] == std::set<std::string_view>{"a", "c", "e"});
  CHECK(shards[1] == std::set<std::string_view>{"b", "d"});
  CHECK(units_of({2, 2}, {}).empty());
}

}  // namespace hebb
