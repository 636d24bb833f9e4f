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
// The root, <testsuites> or <testsuite>. Throws UnreadableInput.
pugi::xml_node load_report(pugi::xml_document& document, std::string_view content);

bool ran(pugi::xml_node testcase);  // rather than being skipped
// A failure, an error, or what ctest could not run and counts as failed.
bool failed(pugi::xml_node testcase);

double seconds_of(pugi::xml_node element);  // 0: it says none

// The time of an element, however its reporter writes it. What is no time, or none that can be, is
// left out and goes to `odd`: it costs no test its outcome.
std::optional<TimeMs> time_of(pugi::xml_node element, const ReadOptions& options, Examples& odd);

// --- junit_names.cc ------------------------------------------------------------------------------
// What a report says of where a test case stands.
struct TestCase {
  std::string classname, name;
  std::string file;                 // as shown_file() gives it; empty: the report names none
  std::vector<std::string> suites;  // around it, from the outside; not the report's root
  bool has_status = false;          // the case has an attribute "status"
};

// Depends on the case alone, so that a report of some tests gives the ids that one of all gives.
// It is "classname.name", except where the classname does not say where the test is: then the file
// and the suites stand in its place. Never empty.
std::string test_id(const TestCase& test);

// What hebb 0.2.0 called it.
std::string test_id_of_0_2_0(const TestCase& test);

// What failed before the tests of a class or module of unittest: "setUpClass (tests.test_a.TestX)".
// unittest-xml-reporting gives it the file of another test.
bool is_of_fixture(const TestCase& test);

// A path as the ids and the FILE nodes have it: with "/", without "./", and relative to `root`, a
// folder, if it lies in it. Other absolute paths stay as they are.
std::string shown_file(std::string_view path, std::string_view root);

// A suite's name without the time that unittest-xml-reporting puts at its end.
std::string suite_name(std::string_view name);

}  // namespace hebb::input
