// The XML of a JUnit report, and the ids of its test cases. docs/tests.md has a row for each
// reporter that was tried. Internal to the readers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "engine/input/items.h"

namespace hebb::input {

// --- junit_report.cc -----------------------------------------------------------------------------
// The roots, each <testsuites> or <testsuite>: a file may have several reports, one after the
// other. What stands between them and is no element goes to `text`. Throws UnreadableInput.
std::vector<pugi::xml_node> load_reports(pugi::xml_document& document, std::string_view content,
                                         Examples& text);

enum class Verdict : std::uint8_t { passed, failed, skipped };
// By a <failure>, an <error> or a <skipped> in it, else by its attributes "status" and "result".
// What a <skipped> says was expected counts as not run. What ctest could not run has failed, as
// ctest counts it. A word of an attribute that is not known goes to `odd`.
Verdict verdict_of(pugi::xml_node testcase, Examples& odd);
// The line of a report, from 1, at an offset in it; in another encoding than UTF-8 it may be less.
std::int64_t line_at(std::string_view content, std::ptrdiff_t offset);

bool is_failure(std::string_view element);  // <failure> or <error>
// Whether it is an element of a test's result, spelled in another way: <Failure>.
bool is_like_verdict(std::string_view element);
// Whether test cases may stand in such an element, rather than words about one.
bool holds_tests(std::string_view element);
// Whether an element in a suite or a test case is a usual one that says nothing about which tests
// there are.
bool is_beside(std::string_view element);
// The first element below that should stand in suites; null: there is none.
pugi::xml_node tests_within(pugi::xml_node element);

// The seconds that it took, whatever unit its reporter writes; 0: none given. A value that cannot
// be read goes to `odd`.
double seconds_of(pugi::xml_node element, Examples& odd);

// The time of an element, however its reporter writes it. An invalid time is left out and goes to
// `odd`: it costs no test its outcome.
std::optional<TimeMs> time_of(pugi::xml_node element, const ReadOptions& options, Examples& odd);

// --- junit_names.cc ------------------------------------------------------------------------------
inline constexpr std::string_view kBetween = " > ";  // the names of groups, as vitest has it

// Where a test case stands in its report.
struct TestCase {
  std::string classname, name;
  std::string file;                 // as shown_file() gives it; empty: the report names none
  std::vector<std::string> suites;  // around it, from the outside; not the report's root
  bool has_status = false;          // the case has an attribute "status"
  std::string suite = {};           // the innermost, which may be the root
  std::string message = {};         // of its failure or error
};

// Depends on the case alone, so that a report of some tests gives the ids that one of all gives.
// It is "classname.name", except where the classname does not say where the test is: then the file
// and the suites stand in its place. Never empty.
std::string test_id(const TestCase& test);

// The scope (a file, a class, a suite, or all tests) of a failure before or after its tests. A case
// of that name never passes. Empty: it is a test.
std::string scope_of_setup(const TestCase& test);
// The scope of a group of tests, as vitest names one: its tests are "GROUP > NAME". Empty: the case
// is of another runner.
std::string scope_of_group(const TestCase& test, std::string_view group);
// The names that such a scope may have: files, modules, classes, groups and suites of the test.
std::vector<std::string> scopes_of(const TestCase& test);

// The id that hebb 0.2.0 gave the test.
std::string test_id_of_0_2_0(const TestCase& test);

// A failure before the tests of a class or module of unittest: "setUpClass (tests.test_a.TestX)".
// unittest-xml-reporting gives it the file of another test.
bool is_of_fixture(const TestCase& test);

// A text of a report as names and ids have it: a blank stands for a control character, and U+FFFD
// for bytes that are not UTF-8.
std::string clean(std::string_view text);
// Limits a text to the length of an id: a longer one ends with its hash.
std::string as_id(std::string text);

// A path as the ids and the FILE nodes have it: with "/", without "./", and relative to `root`, a
// folder, if it lies in it. Other absolute paths stay as they are.
std::string shown_file(std::string_view path, std::string_view root);

// A suite's name without the time that unittest-xml-reporting puts at its end.
std::string suite_name(std::string_view name);

}  // namespace hebb::input
