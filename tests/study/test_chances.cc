// Brier score and reliability, against sums made by hand.
#include <catch2/catch.hpp>

#include "engine/study/chances.h"
#include "tests/support/history.h"

namespace hebb::study {
namespace {

using test::kDay, test::kStart;

TEST_CASE("chances: without evidence they are the prior's, and so is the base rate") {
  State s;
  s.apply(test::node(kStart, "a"));
  ChanceCount count;
  count.add(s, *s.find("a"), kStart, true, true);
  const Chances chances = count.result();
  CHECK(chances.outcomes == 1);
  CHECK(chances.brier == Approx(1.0 / 9));
  CHECK(chances.base_brier == Approx(1.0 / 9));
  CHECK(chances.reliability[3].outcomes == 1);  // two thirds
  CHECK(chances.reliability[3].foreseen == Approx(2.0 / 3));
  CHECK(chances.reliability[3].succeeded == 1);
}

TEST_CASE("chances: a label whose tasks fail foresees a failure better than the base rate") {
  State s;
  for (const char* label : {"good", "bad"}) s.apply(test::node(kStart, label, "LABEL", ""));
  ChanceCount count;
  for (int i = 0; i < 40; ++i) {
    const TimeMs at = kStart + (i + 1) * kDay / 10;
    const std::string id = "t" + std::to_string(i), label = i % 2 == 0 ? "good" : "bad";
    s.apply(test::node(at - 1, id));
    s.apply(test::link(at - 1, id, "LABELED_AS", label));
    const bool succeeds = i % 2 == 0;
    count.add(s, *s.find(id), at, succeeds, i >= 20);
    Event e = succeeds ? test::success(at, id, {}) : test::failure(at, id);
    std::get<OutcomeSignal>(e.payload).contexts = {label};
    s.apply(e);
  }
  const Chances chances = count.result();
  CHECK(chances.outcomes == 20);
  CHECK(chances.base_brier == Approx(0.25).margin(0.01));
  CHECK(chances.brier < 0.15);
  for (const Reliability& of : chances.reliability)
    if (of.outcomes > 0) CHECK((of.succeeded == 0 || of.succeeded == 1));
}

TEST_CASE("chances: what is not asked for is the base rate's alone") {
  State s;
  s.apply(test::node(kStart, "a"));
  ChanceCount count;
  count.add(s, *s.find("a"), kStart, false, false);
  CHECK(count.result().outcomes == 0);
  count.add(s, *s.find("a"), kStart, false, true);
  CHECK(count.result().base_brier == Approx(0.25));  // (2 + 0) / (3 + 1)
}

}  // namespace
}  // namespace hebb::study
