// The order of hebb, given to ctest: the tests that it names run, and no others.
#include <algorithm>
#include <fstream>
#include <tuple>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/cli/hebb.h"

namespace hebb::test {

namespace {

// The tests that ran, sorted, and a report of them.
std::vector<std::string> run_ctest(const Hebb& hebb, const std::string& pattern) {
  const std::string folder = hebb.file("");
  auto result = run_process({"ctest", "--test-dir", folder, "-R", pattern, "--output-junit",
                             hebb.file("report.xml"), "--no-tests=error"});
  INFO(result.out << result.err);
  std::vector<std::string> ran;
  for (const std::string& line : lines_of(result.out)) {
    const auto begin = line.find(": ");
    const auto end = line.find(" ...");
    if (line.find(" Test ") != line.npos && begin != line.npos && end != line.npos)
      ran.push_back(line.substr(begin + 2, end - begin - 2));
  }
  std::sort(ran.begin(), ran.end());
  return ran;
}

}  // namespace

TEST_CASE("ctest reports, hebb ranks, and ctest runs exactly what was ranked") {
  Hebb hebb;
  const std::vector<std::string> names{"a+b [x] (y) $z ^w | v", "lib.sub/three", "ok", "okay"};
  std::ofstream tests(hebb.file("CTestTestfile.cmake"));
  for (const auto& name : names)
    tests << "add_test([=[" << name << "]=] \"" << (name == "ok" ? "false" : "true") << "\")\n";
  tests.close();
  hebb.now = "4000000000000";
  REQUIRE(run_ctest(hebb, ".") == names);
  const auto taken =
      hebb.run({"ingest", "--format", "junit", "--each", "--tz", "UTC", hebb.file("report.xml")});
  INFO(taken.err);
  REQUIRE(taken.exit_code == 0);
  const auto chosen = [&](const std::string& top) {
    const auto result = hebb.run({"-q", "rank", "--limit", top, "--format", "ctest"});
    REQUIRE(result.exit_code == 0);
    return result.out.substr(0, result.out.size() - 1);
  };
  CHECK(run_ctest(hebb, chosen("1")) == std::vector<std::string>{"ok"});
  CHECK(run_ctest(hebb, chosen("4")) == names);
  const auto in_time = [&](const std::string& budget) {
    return hebb.run({"-q", "rank", "--budget", budget, "--format", "ctest"}).out;
  };
  CHECK(in_time("10m") == in_time("600"));
  CHECK(in_time("10m") == chosen("4") + "\n");
}

TEST_CASE("a runner is given all tests, where nobody says how many") {
  struct Runner {
    std::string name, suite;
    char between;
  };
  const std::vector<Runner> runners{
      {"pytest", "tests.test_a", '\n'}, {"ctest", "T", '|'}, {"gtest", "Suite", ':'}};
  for (const Runner& runner : runners) {
    INFO(runner.name);
    const Hebb hebb;
    std::string report = "<testsuite name='a' timestamp='2026-01-04T00:00:00'>";
    for (int i = 10; i < 22; ++i)
      report += fmt::format("<testcase name='test_{}' classname='{}' time='1'/>", i, runner.suite);
    REQUIRE(hebb.run({"ingest", "--format", "junit", "--each", "--tz", "UTC", "-"},
                     report + "</testsuite>")
                .exit_code == 0);
    const auto count = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"-q", "rank", "--format", runner.name});
      const std::string out = hebb.run(more).out;
      REQUIRE(!out.empty());
      return std::count(out.begin(), out.end() - 1, runner.between) + 1;
    };
    CHECK(count({}) == 12);
    CHECK(count({"--limit", "3"}) == 3);
    CHECK(count({"--budget", "5s"}) == 5);
  }
}

TEST_CASE("what a runner would take for no choice is not printed") {
  for (const auto& [runner, suite, tests] :
       {std::tuple{"ctest", "T", 1500}, {"gtest", "Suite", 3000}}) {
    INFO(runner);
    const Hebb hebb;
    std::string report = "<testsuite name='a' timestamp='2026-01-04T00:00:00Z'>";
    for (int i = 0; i < tests; ++i)
      report += fmt::format(
          "<testcase name='a_test_with_a_name_as_long_as_they_are_{}' "
          "classname='{}'/>",
          i, suite);
    REQUIRE(hebb.run({"ingest", "--each", "-"}, report + "</testsuite>").exit_code == 0);
    const auto all = hebb.run({"rank", "--format", runner});
    CHECK(all.out.empty());
    CHECK(all.exit_code == 1);
    CHECK(all.err.find("so nothing is printed: run all") != std::string::npos);
    CHECK(hebb.run({"rank", "--format", runner, "--limit", "900"}).exit_code == 0);
  }
}

}  // namespace hebb::test
