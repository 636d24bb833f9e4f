// How test runners name the tests that an ingested report named by classname and name.
#pragma once

#include <string>

namespace hebb::api {

// The id for --gtest_filter: characters of the filter's syntax are "?", which any of them matches.
std::string gtest_selector(std::string id);

// "tests/test_a.py::TestX::test_one[1]" of "tests.test_a.TestX.test_one[1]". properties: of the
// node, with classname, name and file as the report had them; without them the id is taken apart,
// and the first of its parts that begins with a capital is a class. Never an option: what begins
// with "-" has "./" before it.
std::string pytest_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
