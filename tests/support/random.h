// Draws that are the same with every standard library, as std's distributions are not.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <utility>

namespace hebb::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  bool chance(double p) { return unit() < p; }
  template <class Container>
  const auto& pick(const Container& from) {
    return from[below(std::size(from))];
  }
  template <class Container>
  void shuffle(Container& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hebb::test
