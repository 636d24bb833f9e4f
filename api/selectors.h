// How test runners name the tests that an ingested report named by classname and name.
#pragma once

#include <optional>
#include <string>

namespace hebb::api {

// Each gives nullopt for what cannot be a test of that runner, which would choose nothing.

// "Suite.Name" for --gtest_filter: characters of the filter's syntax are "?", which any of them
// matches.
std::optional<std::string> gtest_selector(std::string id);

// The name for `ctest -R`, not yet a regular expression: ctest's names hold no line break.
std::optional<std::string> ctest_selector(const std::string& id);

// "tests/test_a.py::TestX::test_one[1]" of "tests.test_a.TestX.test_one[1]". properties: of the
// node, with classname, name and file as the report had them; without them the id is taken apart,
// and the first of its parts that begins with a capital is a class. Never an option: what begins
// with "-" has "./" before it.
std::optional<std::string> pytest_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
