// What differs between what is and what should be, as text: a line each.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hebb::test {

inline bool near(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-7 * (1 + std::max(std::abs(a), std::abs(b)));
}

class Differences {
 public:
  template <class A, class B>
  void same(const std::string& what, const A& got, const B& expected) {
    if (!(got == expected)) text += fmt::format("{}: {}, expected {}\n", what, got, expected);
  }
  void close(const std::string& what, double got, double expected) {
    if (!near(got, expected)) text += fmt::format("{}: {}, expected {}\n", what, got, expected);
  }
  std::string text;
};

}  // namespace hebb::test
