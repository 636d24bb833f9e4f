// How test runners name the tests that an ingested report named by classname and name.
#pragma once

#include <string>

namespace hebb::api {

// "tests/test_a.py::TestX::test_one[1]" of "tests.test_a.TestX.test_one[1]". properties: of the
// node, with classname, name and file as the report had them; without them the id is taken apart,
// and the first of its parts that begins with a capital is a class.
std::string pytest_selector(const std::string& id, const std::string& properties);

}  // namespace hebb::api
