// A small graph with the columns the ranking reads, written by hand.
#pragma once

#include <string>
#include <vector>

#include "reward/outcome.h"
#include "tests/support/random.h"
#include "tests/support/ranking.h"

namespace hebb::reward {

inline constexpr TimeMs kT0 = 1'700'000'000'000;  // an instant like any other: 2023-11-14
static_assert(kT0 % kMsPerDay != 0, "not at midnight, so that a day's end lies ahead");

class World {
 public:
  explicit World(Policy policy = Policy::learned());

  // Makes the node at its first mention, created (and updated) at `created`.
  graph::NodeId node(const std::string& id, const std::string& state = "OPEN", TimeMs created = kT0,
                     std::vector<float> vector = {});
  graph::NodeId at(const std::string& id) const;
  // Makes the edge at its first mention; sets its weight as of `touched`.
  void edge(const std::string& source, const std::string& target, const std::string& type,
            double weight = 1.0, TimeMs touched = kT0);
  void complete(const std::string& id, TimeMs when);  // closes, as a success does

  View view() const;
  Factors factors(const std::string& id, TimeMs now = kT0) const;  // with the world's own focus
  std::vector<std::string> ranking(TimeMs now = kT0) const;
  std::vector<std::string> ids(const std::vector<graph::NodeId>& nodes) const;

  Policy policy;
  graph::Graph g;
  graph::Vectors vectors;

 private:
  mutable TypeTable types_;
};

using test::Random;

}  // namespace hebb::reward
