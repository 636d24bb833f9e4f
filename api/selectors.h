// How test runners name the tests that an ingested report named by classname and name: what each
// takes to run these and no others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::api {

// What a runner takes for one test. Several tests may have the same: the runner runs them together.
struct Selector {
  std::string text;      // empty: it has none
  std::string_view why;  // then: the reason, "its report names no file"
  // The test is run, and timed, within another test that the text names: a subtest of Go.
  bool is_part = false;
};

// How a runner takes many.
struct Runner {
  std::string_view name;  // "pytest"; the field `runner` and the option --format
  // properties: the node's, with classname, name and file from the report; without them the id is
  // split. An id that is a selector is one of a test that has not run yet.
  Selector (*select)(const std::string& id, const std::string& properties);
  std::string_view before = {}, between = {}, after = {};  // around selectors, and between two
  std::size_t most_bytes = 0;                              // of all of them; 0: any number
  bool escapes = false;  // characters of a regular expression are escaped when they are joined
  // For people: with which version it was tried, how it is made to report, what it cannot run less
  // than; and for a shell what runs the output of --format, and what skips it (empty: nothing). The
  // output stands for "…".
  std::string_view tried, report, unit, run, skip = {};
};
std::span<const Runner> runners();
std::vector<std::string> runner_names();
const Runner* find_runner(std::string_view name);  // nullptr: there is none

// What is printed for the runner. Of no selectors: what chooses no test, or nothing where they are
// arguments.
std::string joined_selectors(const Runner& runner, const std::vector<std::string>& selectors);
// Whether the runner takes so many. ctest would match no test of a longer pattern, and succeed.
bool takes_all(const Runner& runner, const std::vector<std::string>& selectors);

// --- selectors.cc --------------------------------------------------------------------------------
// "Suite.Name" for --gtest_filter: characters of the filter's syntax are "?", which any of them
// matches.
Selector gtest_selector(const std::string& id, const std::string& properties);

// The name for `ctest -R`, not yet escaped: from ctest's own report, with its blanks, or
// "Suite.Name" as gtest_discover_tests makes it. ctest's names hold no line break.
Selector ctest_selector(const std::string& id, const std::string& properties);

// "TestX" for a test of Go, or a subtest "TestX/sub_1" of it. Without its package: `-run` has
// one pattern for all packages.
Selector go_selector(const std::string& id, const std::string& properties);

// --- selectors_python.cc -------------------------------------------------------------------------
// "tests/test_a.py::TestX::test_one[1]" for "tests.test_a.TestX.test_one[1]"; for a subtest its
// test, for a module that could not be imported its file. If the report names no file, looks for
// one below the current folder; else the module is the first part with a name as pytest's files
// have, or before a part that begins with a capital. Never an option: "./" is put before a "-" at
// its beginning.
Selector pytest_selector(const std::string& id, const std::string& properties);

// "tests.test_a.TestX.test_one", as unittest reports it.
Selector unittest_selector(const std::string& id, const std::string& properties);

// --- selectors_script.cc -------------------------------------------------------------------------
// The test's file, by the report or at the beginning of the id; "./" before a "-".
Selector file_selector(const std::string& id, const std::string& properties);

// A line for --test-list: "a.spec.ts › group › adds". Playwright splits it again, so a title with
// "›", with a blank at its beginning or end is not found.
Selector playwright_selector(const std::string& id, const std::string& properties);

// A regular expression for the name of the test, or of the outermost group that it is in: node runs
// all of a group whose name fits, and no subtest whose test does not.
Selector node_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
