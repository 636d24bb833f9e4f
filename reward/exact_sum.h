// A sum whose value does not depend on the order of its terms.
//
// Each term is rounded to a multiple of 2^-32 (2.3e-10, far below what matters in a ranking)
// and added into 128 bits, where addition is exact and so commutes. 2^64 terms fit.
#pragma once

#include <cmath>
#include <cstdint>

#include "graph/column.h"

namespace hebb::reward {

class ExactSum {
 public:
  static constexpr double kTermLimit = 2147483648.0;  // 2^31: |term| stays below

  void add(double term) {
    if (!(std::abs(term) < kTermLimit)) graph::throw_damaged();  // no events give such a weight
    total_ += std::llrint(term * kUnitsPerOne);
  }
  ExactSum& operator+=(const ExactSum& other) {
    total_ += other.total_;
    return *this;
  }
  bool operator==(const ExactSum&) const = default;
  double value() const { return static_cast<double>(total_) / kUnitsPerOne; }

 private:
  __extension__ using Int128 = __int128;
  static constexpr double kUnitsPerOne = 4294967296.0;  // 2^32
  static_assert(kTermLimit * kUnitsPerOne <= 9223372036854775808.0, "a term fits llrint's result");

  Int128 total_ = 0;
};

}  // namespace hebb::reward
