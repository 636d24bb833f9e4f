// How test runners name tests, and what a report of somebody else cannot make of that.
#include <filesystem>
#include <fstream>
#include <optional>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "api/selectors.h"
#include "tests/support/folder.h"

namespace hebb::api {

using test::Folder;

namespace {

// What the runner takes for the test; nullopt: nothing, for which there is a reason.
std::optional<std::string> selected(std::string_view runner, const std::string& id,
                                    const std::string& properties = "{}") {
  const Selector selector = find_runner(runner)->select(id, properties);
  CHECK(selector.text.empty() == !selector.why.empty());
  return selector.text.empty() ? std::nullopt : std::optional(selector.text);
}

std::string reported(const std::string& classname, const std::string& name,
                     const std::string& file = "") {
  return nlohmann::json{{"classname", classname}, {"name", name}, {"file", file}}.dump();
}

}  // namespace

TEST_CASE("pytest's name of a test is its file, its classes and its name") {
  CHECK(selected("pytest", "tests.test_a.TestX.test_one[1.5]", "{}") ==
        "tests/test_a.py::TestX::test_one[1.5]");
  CHECK(selected("pytest", "a.b.c", R"({"classname":"a.b","name":"c","file":"a/b.py"})") ==
        "a/b.py::c");
}

TEST_CASE("what cannot be one of a runner's tests has no selector") {
  CHECK(selected("pytest", "S.x", R"({"classname":"S","name":"x","file":"a.py"})") == "a.py::S::x");
  CHECK(selected("pytest", "Trim.TakesBlanksAway", "{}") == std::nullopt);
  CHECK(selected("pytest", "S.x", R"({"classname":"S","name":"x"})") == std::nullopt);
  CHECK(selected("pytest", "T.x", R"({"classname":"T","name":"x","file":"t.cc"})") == std::nullopt);
  CHECK(selected("pytest", "adds", R"({"classname":"test","name":"adds"})") == std::nullopt);
  CHECK(selected("pytest", "src/a.test.js.adds",
                 R"({"classname":"src/a.test.js","name":"adds"})") == std::nullopt);
  CHECK(selected("pytest", "ok", R"({"classname":"ok","name":"ok"})") == std::nullopt);
  CHECK(selected("gtest", "ok", "{}") == std::nullopt);
  CHECK(selected("gtest", "a.test.mjs > adds", "{}") == std::nullopt);
  CHECK(selected("ctest", "bad one (x)", "{}") == "bad one (x)");
  CHECK(selected("ctest", "a\nb", "{}") == std::nullopt);
}

TEST_CASE("a class that begins with a small letter is one after a file named as pytest has it") {
  CHECK(selected("pytest", "tests.test_a.testlower.test_m", "{}") ==
        "tests/test_a.py::testlower::test_m");
  CHECK(selected("pytest", "tests.a_test.lower.test_m", "{}") == "tests/a_test.py::lower::test_m");
  CHECK(selected("pytest", "tests.test_more.test_a.test_m", "{}") ==
        "tests/test_more/test_a.py::test_m");
  // Where the folders end is not known, unless they are there.
  CHECK(selected("pytest", "tests.v1.2.test_ver.test_v", "{}") == std::nullopt);
  const Folder dir;
  const auto here = std::filesystem::current_path();
  std::filesystem::create_directories(dir.file("tests/v1.2"));
  std::ofstream(dir.file("tests/v1.2/test_ver.py")) << "\n";
  std::ofstream(dir.file("tests/spec.py")) << "\n";
  std::filesystem::current_path(dir.file(""));
  CHECK(selected("pytest", "tests.v1.2.test_ver.test_v", "{}") == "tests/v1.2/test_ver.py::test_v");
  CHECK(selected("pytest", "tests.v1.2.test_ver.lower.test_v", "{}") ==
        "tests/v1.2/test_ver.py::lower::test_v");
  CHECK(selected("pytest", "tests.spec.lower.test_v", "{}") == "tests/spec.py::lower::test_v");
  std::filesystem::current_path(here);
  CHECK(selected("pytest", "tests.v1.2.test_ver.lower.test_v",
                 R"({"classname":"tests.v1.2.test_ver.lower","name":"test_v",)"
                 R"("file":"tests/v1.2/test_ver.py"})") == "tests/v1.2/test_ver.py::lower::test_v");
}

TEST_CASE("of a subtest, a class and a module as a whole, pytest runs what they are part of") {
  const auto of = [](const std::string& classname, const std::string& name,
                     const std::string& file) {
    return selected("pytest", classname + "." + name,
                    R"({"classname":")" + classname + R"(","name":")" + name + R"(","file":")" +
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
  CHECK(selected("ctest", "test:docs", R"({"classname":"docs","name":"docs","file":""})") ==
        "docs");
  CHECK(selected("ctest", "blank ", R"({"classname":"blank ","name":"blank ","file":""})") ==
        "blank ");
  CHECK(selected("ctest", "Trim.Takes", R"({"classname":"Trim","name":"Takes","file":"t.cc"})") ==
        "Trim.Takes");
  CHECK(selected("gtest", "test:Trim.Takes",
                 R"({"classname":"Trim","name":"Takes","file":"t.cc"})") == "Trim.Takes");
  // Tests of other runners.
  CHECK(selected("ctest", "a.js > cart > adds",
                 R"({"classname":"cart","name":"adds","file":"a.js"})") == std::nullopt);
  CHECK(selected("ctest", "c2.global.adds things",
                 R"({"classname":"c2.global","name":"adds things"})") == std::nullopt);
  CHECK(selected("gtest", "test_a.test_x",
                 R"({"classname":"test_a","name":"test_x","file":"test_a.py"})") == std::nullopt);
}

TEST_CASE("no test is an option of pytest, nor two arguments") {
  CHECK(selected("pytest", "--basetemp=/home", "{}") == std::nullopt);
  CHECK(selected("pytest", "-p.evil", "{}") == "./-p.py::evil");
  CHECK(selected("pytest", "-pevil", R"({"classname":"","name":"-pevil"})") == std::nullopt);
  CHECK(selected("pytest", "a.b", R"({"classname":"a","name":"b","file":"--co.py"})") ==
        "./--co.py::b");
  for (const char* properties :
       {R"({"classname":"a","name":"b","file":"a.py\n--co"})",
        R"({"classname":"a\r-x","name":"b"})", R"({"classname":"a","name":"b\n-x"})"}) {
    INFO(properties);
    CHECK(selected("pytest", "a.b", properties) == "a.py::b");
  }
}

TEST_CASE("a name with characters of GoogleTest's filter selects itself and ends no list") {
  CHECK(selected("gtest", "Trim/0.LeavesWhatHasNoBlanks/1", "{}") ==
        "Trim/0.LeavesWhatHasNoBlanks/1");
  CHECK(selected("gtest", "S.a:b*-c?", "{}") == "S.a?b??c?");
}

TEST_CASE("vitest and jest are given files") {
  for (const char* runner : {"vitest", "jest"}) {
    INFO(runner);
    CHECK(selected(runner, "src/a.test.ts.group > adds",
                   reported("src/a.test.ts", "group > adds")) == "src/a.test.ts");
    CHECK(selected(runner, "src/a.test.ts > group adds",
                   reported("group adds", "group adds", "src/a.test.ts")) == "src/a.test.ts");
    CHECK(selected(runner, "src/a.test.ts > cart > adds", reported("cart", "adds")) ==
          "src/a.test.ts");
    CHECK(selected(runner, "a.test.js > x", reported("x", "x", "/far/a.test.js")) ==
          "/far/a.test.js");
    CHECK(selected(runner, "x", reported("-a (1) [b].test.js", "x")) == "./-a (1) [b].test.js");
    // Of tests that have not run.
    CHECK(selected(runner, "src/a.test.ts > group > adds") == "src/a.test.ts");
    CHECK(selected(runner, "src/a.test.ts.adds v1.js things") == "src/a.test.ts");
    CHECK(selected(runner, "src/a.test.tsx") == "src/a.test.tsx");

    CHECK(selected(runner, "group adds", reported("group adds", "group adds")) == std::nullopt);
    CHECK(selected(runner, "adds", reported("test", "adds")) == std::nullopt);
    CHECK(selected(runner, "a.adds", reported("a", "adds", "a.py")) == std::nullopt);
    CHECK(selected(runner, "a.spec.ts.g › adds", reported("a.spec.ts", "g › adds")) ==
          std::nullopt);
  }
}

TEST_CASE("Playwright is given lines of a list of tests") {
  CHECK(selected("playwright", "x", reported("[a] b.spec.ts", "adds")) == std::nullopt);
  CHECK(selected("playwright", "x", reported("#b.spec.ts", "adds")) == std::nullopt);
  CHECK(selected("playwright", "x", reported("e2e/[b] (c)+.spec.ts", "adds")) ==
        "e2e/[b] (c)+.spec.ts › adds");
  CHECK(selected("playwright", "x", reported("a.spec.ts", "group › adds > 1")) ==
        "a.spec.ts › group › adds > 1");
  CHECK(selected("playwright", "a.spec.ts.group › adds") == "a.spec.ts › group › adds");
  CHECK(selected("playwright", "a.spec.ts › group › adds") == "a.spec.ts › group › adds");
  CHECK(selected("playwright", "a.spec.ts") == "a.spec.ts");
  for (const char* title : {" adds", "adds ", "group ›  adds", "group  › adds", " › adds"}) {
    INFO(title);
    CHECK(selected("playwright", "x", reported("a.spec.ts", title)) == std::nullopt);
  }
  CHECK(selected("playwright", "x", reported("cart", "adds", "a.spec.ts")) == std::nullopt);
}

TEST_CASE("node is given the outermost name as a regular expression") {
  CHECK(selected("node", "adds (x)", reported("test", "adds (x)")) == R"(adds \(x\)(?: > .*)?)");
  CHECK(selected("node", "cart > in > adds", reported("test", "adds")) == "cart(?: > .*)?");
  // Node 24 and later report the file, and the groups as the class.
  CHECK(selected("node", "a.mjs > adds", reported("test", "adds", "/w/a.mjs")) == "adds(?: > .*)?");
  CHECK(selected("node", "a.mjs > cart.in > adds", reported("cart.in", "adds", "/w/a.mjs")) ==
        R"(cart(?:\..*)?)");
  CHECK(selected("node", "a.mjs > cart > adds") == "cart(?: > .*)?");
  CHECK(selected("node", "x", reported("Trim", "x")) == std::nullopt);
  CHECK(selected("node", "x", reported("adds", "adds", "a.test.js")) == std::nullopt);
  CHECK(selected("node", "long~0123", reported("test", "longer than an id")) == std::nullopt);
}

TEST_CASE("Go is given functions, of subtests the test that they are part of") {
  CHECK(selected("go", "example.com/a.TestX", reported("example.com/a", "TestX")) == "TestX");
  CHECK(selected("go", "a.TestX/a_b/c.d", reported("a", "TestX/a_b/c.d")) == "TestX");
  CHECK(go_selector("a.TestX/sub", reported("a", "TestX/sub")).is_part);
  CHECK_FALSE(go_selector("a.TestX", reported("a", "TestX")).is_part);
  CHECK(selected("go", "example.com/a.v2.TestÜber/1.5") == "TestÜber");
  CHECK(selected("go", "Example") == "Example");  // as `go test -list` has it
  for (const char* name : {"TestMain", "Testing", "TestX (y)", "[build failed]", "adds"}) {
    INFO(name);
    CHECK(selected("go", "x", reported("example.com/a", name)) == std::nullopt);
  }
  CHECK(selected("go", "A.TestX", reported("A", "TestX", "a.cc")) == std::nullopt);
}

TEST_CASE("unittest is given methods of classes") {
  CHECK(selected("unittest", "tests.test_a.TestX.test_one") == "tests.test_a.TestX.test_one");
  CHECK(selected("unittest", "x", reported("test_a.TestX", "test_one (i=2)", "tests/test_a.py")) ==
        "test_a.TestX.test_one");
  CHECK(selected("unittest", "x", reported("", "setUpClass (tests.test_a.TestX)")) ==
        "tests.test_a.TestX");
  CHECK(selected("unittest", "x",
                 reported("unittest.loader._FailedTest.tests", "test_b", "/usr/lib/loader.py")) ==
        "tests.test_b");
  // Functions, parameters and doctests are pytest's.
  CHECK(selected("unittest", "x", reported("tests.test_a", "test_f", "tests/test_a.py")) ==
        std::nullopt);
  CHECK(selected("unittest", "tests.test_a.test_f") == std::nullopt);
  CHECK(selected("unittest", "x", reported("tests.test_a.T", "test_f[1]", "tests/test_a.py")) ==
        std::nullopt);
  CHECK(selected("unittest", "-x.T.test_f") == std::nullopt);
}

TEST_CASE("a file with an odd name is known by the report") {
  CHECK(
      selected("pytest", "x", reported("tests.test we (x).T", "test_a", "tests/test we (x).py")) ==
      "tests/test we (x).py::T::test_a");
  CHECK(selected("pytest", "x", reported("tests.test we (x)", "test_a")) == std::nullopt);
}

TEST_CASE("what pytest itself lists is a selector") {
  CHECK(selected("pytest", "tests/test_a.py::TestX::test_one[a::b]") ==
        "tests/test_a.py::TestX::test_one[a::b]");
  CHECK(selected("pytest", "-a/test_a.py::test_b") == "./-a/test_a.py::test_b");
}

TEST_CASE("selectors are joined as the runner takes many, with a length that it takes") {
  const auto joined = [](std::string_view runner, const std::vector<std::string>& names) {
    return joined_selectors(*find_runner(runner), names);
  };
  CHECK(joined("ctest", {"a.b", "c|d"}) == R"(^(a\.b|c\|d)$)");
  CHECK(joined("node", {R"(a\.b)", "c"}) == R"(^(?:a\.b|c)$)");
  CHECK(joined("go", {"TestX"}) == "^(TestX)$");
  CHECK(joined("gtest", {"A.b", "C.d"}) == "A.b:C.d");
  CHECK(joined("jest", {"a b.js", "c.js"}) == "a b.js\nc.js");
  const std::vector<std::string> many(20'000, "Suite.Name");
  for (const char* runner : {"ctest", "node", "go", "gtest"})
    CHECK_FALSE(takes_all(*find_runner(runner), many));
  for (const char* runner : {"pytest", "unittest", "vitest", "jest", "playwright"})
    CHECK(takes_all(*find_runner(runner), many));
}

}  // namespace hebb::api
