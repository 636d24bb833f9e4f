// How test runners name the tests that an ingested report named by classname and name.
#pragma once

#include <optional>
#include <string>

namespace hebb::api {

// Each returns nullopt for an id that cannot be a test of that runner. properties: the node's, with
// classname, name and file from the report; without them the id is split.

// "Suite.Name" for --gtest_filter: characters of the filter's syntax are "?", which any of them
// matches.
std::optional<std::string> gtest_selector(const std::string& id, const std::string& properties);

// The name for `ctest -R`, not yet escaped: from ctest's own report, with its blanks, or
// "Suite.Name" as gtest_discover_tests makes it. ctest's names hold no line break.
std::optional<std::string> ctest_selector(const std::string& id, const std::string& properties);

// "tests/test_a.py::TestX::test_one[1]" of "tests.test_a.TestX.test_one[1]"; of a subtest its test,
// of a module that could not be imported its file. Where the report named no file, it is the one
// below the current folder; else the module is the first part that is named as pytest's files are,
// or that is followed by one that begins with a capital. Never an option: what begins with "-" has
// "./" before it.
std::optional<std::string> pytest_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
