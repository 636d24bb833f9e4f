#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "reward/exact_sum.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

TEST_CASE("a sum has the same bits in every order of its terms") {
  const auto seed = GENERATE(range(1u, 20u));
  CAPTURE(seed);
  Random random(seed);
  std::vector<double> terms;
  for (int i = 0; i < 500; ++i)
    terms.push_back(random.between(0, 1000) * std::exp2(-random.between(0, 40)));
  const auto sum = [&] {
    ExactSum s;
    for (const double x : terms) s.add(x);
    return s.value();
  };
  const double first = sum();
  std::mt19937_64 order(seed);
  std::shuffle(terms.begin(), terms.end(), order);
  CHECK(sum() == first);

  ExactSum front, back;
  for (std::size_t i = 0; i < terms.size(); ++i) (i < 100 ? front : back).add(terms[i]);
  back += front;
  CHECK(back.value() == first);

  long double plain = 0;
  for (const double x : terms) plain += static_cast<long double>(x);
  CHECK(first == Approx(static_cast<double>(plain)).margin(500 * 0x1p-33));
}

TEST_CASE("a sum is exact for multiples of its unit and survives what would overflow 64 bits") {
  ExactSum s;
  CHECK(s.value() == 0);
  s.add(0x1p-32);
  CHECK(s.value() == 0x1p-32);
  for (int i = 0; i < 64; ++i) s.add(0x1p30);
  CHECK(s.value() == 0x1p36);  // the unit is past a double's 53 bits here, and comes back:
  for (int i = 0; i < 64; ++i) s.add(-0x1p30);
  CHECK(s.value() == 0x1p-32);
}

}  // namespace
}  // namespace hebb::reward
