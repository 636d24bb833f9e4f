// NAPFD by hand, the reader of verdicts, and the real data set.
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/napfd.h"

namespace hebb::test {
namespace {

using Catch::Contains;

std::vector<Verdict> read(std::string_view text) {
  Input input(text);
  return read_verdicts(input);
}

Verdict run(double duration, bool failed) { return {"t", duration, 0, 1, failed}; }

double of(const std::vector<Verdict>& rows, double budget) {
  std::vector<const Verdict*> order;
  for (const Verdict& row : rows) order.push_back(&row);
  return napfd(order, budget);
}

double value(const NapfdResult& result, const std::string& ordering, std::size_t budget) {
  for (const auto& score : result.scores) {
    if (score.ordering == ordering) return score.napfd.at(budget);
  }
  FAIL("no ordering " << ordering);
  return 0;
}

const std::string kHead = "Id;Name;Duration;LastRun;LastResults;Verdict;Cycle\n";

TEST_CASE("NAPFD of a cycle is the paper's formula") {
  // Two of four fail, at the places 1 and 3: 1 - 4/(2*4) + 1/8.
  CHECK(of({run(1, true), run(1, false), run(1, true), run(1, false)}, 1) == Approx(0.625));
  // Half of the time finds one of them: .5 - 1/(2*4) + .5/8.
  CHECK(of({run(1, true), run(1, false), run(1, true), run(1, false)}, 0.5) == Approx(0.4375));
  CHECK(of({run(1, false), run(1, false)}, 0.5) == 1);
  // What does not fit is passed over, and the next one takes its place.
  CHECK(of({run(9, false), run(1, true)}, 0.5) == Approx(1 - 1.0 / 2 + 1.0 / 4));
  // All of the time is enough for all, whatever the sums round to.
  CHECK(of({run(0.1, true), run(0.2, true), run(0.3, true)}, 1) == Approx(1 - 6.0 / 9 + 1.0 / 6));
  CHECK(of({run(3, true)}, 0.1) == 0);
}

TEST_CASE("verdicts are read, and what is none is named") {
  const auto rows = read(kHead +
                         "1;slow;12.5;2015-02-13 16:13:00;[1, 0];1;2\n"
                         "2;\"a;b\";3;2015-02-13 16:13;[];0;1\r\n\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].test == "a;b");
  CHECK(rows[0].at == 1423843980000);
  CHECK(rows[1].test == "slow");
  CHECK(rows[1].duration == 12.5);
  CHECK(rows[1].failed);
  CHECK(rows[1].cycle == 2);

  CHECK_THROWS_WITH(read("Name;Duration\n"), Contains("line 1") && Contains("LastRun"));
  CHECK_THROWS_WITH(read(kHead), Contains("no row"));
  CHECK_THROWS_WITH(read(kHead + "1;t;1;2015-02-13 16:13:00;[];2;1\n"),
                    Contains("line 2: Verdict is \"2\""));
  CHECK_THROWS_WITH(read(kHead + "1;t;-1;2015-02-13 16:13:00;[];1;1\n"), Contains("Duration"));
  CHECK_THROWS_WITH(read(kHead + "1;t;1;yesterday;[];1;1\n"), Contains("LastRun"));
  CHECK_THROWS_WITH(read(kHead + "1;t;1;2015-02-13 16:13:00;[];1;one\n"), Contains("Cycle"));
  CHECK_THROWS_WITH(read(kHead + "1;t;1\n"), Contains("line 2: it has 3 fields"));
  CHECK_THROWS_WITH(read(kHead + "1;;1;2015-02-13 16:13:00;[];1;1\n"), Contains("Name"));
}

TEST_CASE("an ordering knows the cycles before, and not the one it orders") {
  const std::string first = kHead +
                            "1;a;1;2020-01-01 00:00:00;[];0;1\n"
                            "2;b;1;2020-01-01 00:00:00;[];1;1\n"
                            "3;c;1;2020-01-01 00:00:00;[];0;1\n"
                            "4;d;1;2020-01-01 00:00:00;[];0;1\n";
  const auto last = [&](const char* failing) {
    std::string text = first;
    for (const char* name : {"a", "b", "c", "d"}) {
      text += std::string("9;") + name + ";1;2020-01-02 00:00:00;[];" +
              (std::string(name) == failing ? "1" : "0") + ";2\n";
    }
    const auto result = measure_napfd(read(text), {});
    return value(result, "hebb, preset tests", 3) * 2;
  };
  // The first cycle finds "b" second, in the order of names; the second one puts "b" first.
  const double before = 1 - 2.0 / 4 + 1.0 / 8;
  CHECK(last("b") == Approx(before + 1 - 1.0 / 4 + 1.0 / 8));
  CHECK(last("a") == Approx(before + 1 - 2.0 / 4 + 1.0 / 8));
}

TEST_CASE("the preset tests orders the verdicts of IOF/ROL", "[slow]") {
  std::ifstream in(HEBB_SOURCE_DIR "/examples/iofrol/iofrol.csv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto rows = read(text);
  const auto result = measure_napfd(rows, {});
  CHECK(result.verdicts == 32260);
  CHECK(result.tests == 1941);
  CHECK(result.cycles == 320);
  REQUIRE(result.budgets == std::vector<double>{0.1, 0.5, 0.8, 1});
  CHECK(value(result, "hebb, preset tests", 1) >= 0.52);
  CHECK(value(result, "hebb, preset tests", 1) > value(result, "decayed failure rate", 1));
  // A prototype of its own, in another language.
  CHECK(value(result, "oracle: failing first", 1) == Approx(0.6630).epsilon(1e-3));
  CHECK(value(result, "last verdicts first", 1) == Approx(0.527).epsilon(2e-3));
  CHECK(value(result, "random", 1) == Approx(0.41).epsilon(1e-2));
  // A setting reaches the engine: without any effect of failures, the order of names is left.
  NapfdOptions blind;
  blind.settings = {{"test.failure_factor", "1"}};
  CHECK(value(measure_napfd(rows, blind), "hebb, preset tests", 1) < 0.45);
}

}  // namespace
}  // namespace hebb::test
