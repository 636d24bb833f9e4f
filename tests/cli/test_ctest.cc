// The order of hebb, given to ctest: the tests that it names run, and no others.
#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

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
}

}  // namespace hebb::test
