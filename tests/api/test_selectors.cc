// How test runners name tests, and what a report of somebody else cannot make of that.
#include <catch2/catch.hpp>

#include "api/selectors.h"

namespace hebb::api {

TEST_CASE("pytest's name of a test is its file, its classes and its name") {
  CHECK(pytest_selector("tests.test_a.TestX.test_one[1.5]", "{}") ==
        "tests/test_a.py::TestX::test_one[1.5]");
  CHECK(pytest_selector("a.b.c", R"({"classname":"a.b","name":"c","file":"a/b.py"})") ==
        "a/b.py::c");
}

TEST_CASE("a test of no file and no module is named by its id") {
  CHECK(pytest_selector("Trim.TakesBlanksAway", "{}") == "Trim.TakesBlanksAway");
  CHECK(pytest_selector("S.x", R"({"classname":"S","name":"x"})") == "S.x");
  CHECK(pytest_selector("S.x", R"({"classname":"S","name":"x","file":"a.py"})") == "a.py::S::x");
}

TEST_CASE("no test is an option of pytest, nor two arguments") {
  CHECK(pytest_selector("--basetemp=/home", "{}") == "./--basetemp=/home");
  CHECK(pytest_selector("-p.evil", "{}") == "./-p.py::evil");
  CHECK(pytest_selector("a.b", R"({"classname":"","name":"-pevil"})") == "./-pevil");
  CHECK(pytest_selector("a.b", R"({"classname":"a","name":"b","file":"--co.py"})") ==
        "./--co.py::b");
  for (const char* properties :
       {R"({"classname":"a","name":"b","file":"a.py\n--co"})",
        R"({"classname":"a\r-x","name":"b"})", R"({"classname":"a","name":"b\n-x"})"}) {
    INFO(properties);
    CHECK(pytest_selector("a.b", properties) == "a.py::b");
  }
}

TEST_CASE("a name with characters of GoogleTest's filter selects itself and ends no list") {
  CHECK(gtest_selector("Trim/0.LeavesWhatHasNoBlanks/1") == "Trim/0.LeavesWhatHasNoBlanks/1");
  CHECK(gtest_selector("S.a:b*-c?") == "S.a?b??c?");
}

}  // namespace hebb::api
