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

TEST_CASE("what cannot be one of a runner's tests has no selector") {
  CHECK(pytest_selector("S.x", R"({"classname":"S","name":"x","file":"a.py"})") == "a.py::S::x");
  CHECK(pytest_selector("Trim.TakesBlanksAway", "{}") == std::nullopt);
  CHECK(pytest_selector("S.x", R"({"classname":"S","name":"x"})") == std::nullopt);
  CHECK(pytest_selector("T.x", R"({"classname":"T","name":"x","file":"t.cc"})") == std::nullopt);
  CHECK(pytest_selector("adds", R"({"classname":"test","name":"adds"})") == std::nullopt);
  CHECK(pytest_selector("src/a.test.js.adds", R"({"classname":"src/a.test.js","name":"adds"})") ==
        std::nullopt);
  CHECK(pytest_selector("ok", R"({"classname":"ok","name":"ok"})") == std::nullopt);
  CHECK(gtest_selector("ok") == std::nullopt);
  CHECK(gtest_selector("a.test.mjs > adds") == std::nullopt);
  CHECK(ctest_selector("bad one (x)") == "bad one (x)");
  CHECK(ctest_selector("a\nb") == std::nullopt);
}

TEST_CASE("no test is an option of pytest, nor two arguments") {
  CHECK(pytest_selector("--basetemp=/home", "{}") == std::nullopt);
  CHECK(pytest_selector("-p.evil", "{}") == "./-p.py::evil");
  CHECK(pytest_selector("-pevil", R"({"classname":"","name":"-pevil"})") == std::nullopt);
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
