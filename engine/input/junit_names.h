// The id of a test case of a JUnit report. docs/tests.md has a row for each reporter that was
// tried.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hebb::input {

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

// pytest could not import a module: the name is the module's, and there is no class.
bool is_collection_error(const TestCase& test);

// What failed before the tests of a class or module of unittest: "setUpClass (tests.test_a.TestX)".
// unittest-xml-reporting gives it the file of another test.
bool is_of_fixture(const TestCase& test);

// A path as the ids and the FILE nodes have it: with "/", without "./", and relative to `root`, a
// folder, if it lies in it. Other absolute paths stay as they are.
std::string shown_file(std::string_view path, std::string_view root);

// A suite's name without the time that unittest-xml-reporting puts at its end.
std::string suite_name(std::string_view name);

}  // namespace hebb::input
