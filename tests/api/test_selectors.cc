// How test runners name tests, and what a report of somebody else cannot make of that.
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "api/selectors.h"
#include "tests/support/folder.h"

namespace hebb::api {

using test::Folder;

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
  CHECK(gtest_selector("ok", "{}") == std::nullopt);
  CHECK(gtest_selector("a.test.mjs > adds", "{}") == std::nullopt);
  CHECK(ctest_selector("bad one (x)", "{}") == "bad one (x)");
  CHECK(ctest_selector("a\nb", "{}") == std::nullopt);
}

TEST_CASE("a class that begins with a small letter is one after a file named as pytest has it") {
  CHECK(pytest_selector("tests.test_a.testlower.test_m", "{}") ==
        "tests/test_a.py::testlower::test_m");
  CHECK(pytest_selector("tests.a_test.lower.test_m", "{}") == "tests/a_test.py::lower::test_m");
  CHECK(pytest_selector("tests.test_more.test_a.test_m", "{}") ==
        "tests/test_more/test_a.py::test_m");
  // Where the folders end is not known, unless they are there.
  CHECK(pytest_selector("tests.v1.2.test_ver.test_v", "{}") == std::nullopt);
  const Folder dir;
  const auto here = std::filesystem::current_path();
  std::filesystem::create_directories(dir.file("tests/v1.2"));
  std::ofstream(dir.file("tests/v1.2/test_ver.py")) << "\n";
  std::ofstream(dir.file("tests/spec.py")) << "\n";
  std::filesystem::current_path(dir.file(""));
  CHECK(pytest_selector("tests.v1.2.test_ver.test_v", "{}") == "tests/v1.2/test_ver.py::test_v");
  CHECK(pytest_selector("tests.v1.2.test_ver.lower.test_v", "{}") ==
        "tests/v1.2/test_ver.py::lower::test_v");
  CHECK(pytest_selector("tests.spec.lower.test_v", "{}") == "tests/spec.py::lower::test_v");
  std::filesystem::current_path(here);
  CHECK(pytest_selector("tests.v1.2.test_ver.lower.test_v",
                        R"({"classname":"tests.v1.2.test_ver.lower","name":"test_v",)"
                        R"("file":"tests/v1.2/test_ver.py"})") ==
        "tests/v1.2/test_ver.py::lower::test_v");
}

TEST_CASE("of a subtest, a class and a module as a whole, pytest runs what they are part of") {
  const auto of = [](const std::string& classname, const std::string& name,
                     const std::string& file) {
    return pytest_selector(classname + "." + name, R"({"classname":")" + classname +
                                                       R"(","name":")" + name + R"(","file":")" +
                                                       file + R"("})");
  };
  for (const char* name : {"test_sub (i=2)", "test_sub [a text] (i=2)", "test_sub (<subtest>)"}) {
    INFO(name);
    CHECK(of("tests.test_a.TestX", name, "tests/test_a.py") == "tests/test_a.py::TestX::test_sub");
    CHECK(of("tests.test_a.TestX", name, "") == "tests/test_a.py::TestX::test_sub");
  }
  CHECK(of("tests.test_a", "test_p[x (y)]", "") == "tests/test_a.py::test_p[x (y)]");
  CHECK(of("unittest.suite._ErrorHolder", "setUpClass (tests.test_a.TestX)", "") ==
        "tests/test_a.py::TestX");
  CHECK(of("", "setUpClass (tests.test_a.TestX)", "") == "tests/test_a.py::TestX");
  CHECK(of("", "setUpModule (tests.test_a)", "") == "tests/test_a.py");
  CHECK(of("", "tests.test_broken", "tests/test_broken.py") == "tests/test_broken.py");
  CHECK(of("", "tests.test_broken", "") == "tests/test_broken.py");
  CHECK(of("tests.test_a", "a name with blanks", "tests/test_a.py") == std::nullopt);
}

TEST_CASE("ctest and GoogleTest are given the name that their report has, not the id") {
  CHECK(ctest_selector("test:docs", R"({"classname":"docs","name":"docs","file":""})") == "docs");
  CHECK(ctest_selector("blank ", R"({"classname":"blank ","name":"blank ","file":""})") ==
        "blank ");
  CHECK(ctest_selector("Trim.Takes", R"({"classname":"Trim","name":"Takes","file":"t.cc"})") ==
        "Trim.Takes");
  CHECK(gtest_selector("test:Trim.Takes", R"({"classname":"Trim","name":"Takes","file":"t.cc"})") ==
        "Trim.Takes");
  // Tests of other runners.
  CHECK(ctest_selector("a.js > cart > adds",
                       R"({"classname":"cart","name":"adds","file":"a.js"})") == std::nullopt);
  CHECK(ctest_selector("c2.global.adds things",
                       R"({"classname":"c2.global","name":"adds things"})") == std::nullopt);
  CHECK(gtest_selector("test_a.test_x",
                       R"({"classname":"test_a","name":"test_x","file":"test_a.py"})") ==
        std::nullopt);
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
  CHECK(gtest_selector("Trim/0.LeavesWhatHasNoBlanks/1", "{}") == "Trim/0.LeavesWhatHasNoBlanks/1");
  CHECK(gtest_selector("S.a:b*-c?", "{}") == "S.a?b??c?");
}

}  // namespace hebb::api
