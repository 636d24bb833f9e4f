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

// "tests/test_a.py::TestX::test_one[1]" for "tests.test_a.TestX.test_one[1]"; for a subtest its
// test, for a module that could not be imported its file. If the report names no file, looks for
// one below the current folder; else the module is the first part with a name as pytest's files
// have, or before a part that begins with a capital. Never an option: "./" is put before a "-" at
// its beginning.
std::optional<std::string> pytest_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
