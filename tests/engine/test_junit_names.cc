// What a test case of a JUnit report is called, for reports as these reporters write them.
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "engine/input/junit.h"
#include "tests/engine/input_support.h"

namespace hebb {
namespace {

using input::test_id;

// The ids of the nodes of type TEST, in order, and what the reader says.
struct Read {
  std::vector<std::string> ids, notes;
};

Read read_each(const std::string& xml, const std::string& root = "") {
  Read read;
  ReadOptions options{kTestNow, ""};
  options.each = true;
  options.root = root;
  options.note = [&](const std::string& note) { read.notes.push_back(note); };
  for (const Got& got : read_all(read_junit, xml, options)) {
    CHECK(reason_of(got) == "");
    const auto* node = std::get_if<NodeUpsert>(&event_of(got).payload);
    if (node && node->type == "TEST") read.ids.push_back(event_of(got).subject);
  }
  return read;
}

using Ids = std::vector<std::string>;

// A report that the reporter itself wrote of a small project.
Read read_sample(const std::string& name) {
  std::ifstream file(HEBB_SOURCE_DIR "/tests/engine/reports/" + name);
  REQUIRE(file);
  return read_each({std::istreambuf_iterator<char>(file), {}});
}

}  // namespace

TEST_CASE("the ids of tests in reports that eight reporters wrote") {
  CHECK(read_sample("catch2.xml").ids ==
        Ids{"c2.global.adds things/first", "c2.global.adds things/second", "c2.F.in class"});
  CHECK(read_sample("ctest.xml").ids == Ids{"ok", "bad one (x)", "lib.sub/three"});
  CHECK(read_sample("gtest.xml").ids ==
        Ids{"Trim.TakesBlanks", "Trim.Fails", "All/P.Holds/0", "All/P.Holds/1"});
  CHECK(read_sample("jest.xml").ids == Ids{"adds", "group adds", "group fails"});
  CHECK(read_sample("jest.xml").notes.size() == 1);  // of two files, which it does not name
  CHECK(read_sample("node.xml").ids ==
        Ids{"adds", "subs", "group > adds", "group > inner > adds", "outer > sub"});
  CHECK(read_sample("node.xml").notes.size() == 1);
  CHECK(read_sample("pytest.xml").ids == Ids{"tests.test_a.TestX.test_bad",
                                             "tests.test_a.TestX.test_one",
                                             "tests.test_a.TestX.test_sub"});
  CHECK(read_sample("go.xml").ids == Ids{"example.com/other/count.TestCount",
                                         "example.com/words/count.TestCount/a_b/c",
                                         "example.com/words/count.TestCount"});
  CHECK(read_sample("go-short.xml").ids == read_sample("go.xml").ids);
  CHECK(read_sample("vitest.xml").ids.size() == 6);
  CHECK(read_sample("vitest.xml").ids[1] == "v/a.test.mjs.group > adds");
  CHECK(read_sample("vitest.xml").notes.empty());
  CHECK(read_sample("xmlrunner.xml").ids == Ids{"tests.test_a.TestX.test_one",
                                                "tests.test_a.TestX.test_bad",
                                                "tests.test_a.TestX.test_sub (i=2)"});
}

TEST_CASE("ctest repeats a test's name as its class: the id is the name") {
  const Read read = read_each(R"x(<testsuite name="Linux-c++" timestamp="2026-01-02T03:04:05">
    <testcase name="ok" classname="ok" status="run"><system-out></system-out></testcase>
    <testcase name="bad (x)" classname="bad (x)" status="fail"><failure message=""/></testcase>
    <testcase name="lib.sub/three" classname="lib.sub/three" status="run"/>
    <testcase name="off" classname="off" status="disabled"/></testsuite>)x");
  CHECK(read.ids == Ids{"ok", "bad (x)", "lib.sub/three"});
  CHECK(read.notes.empty());
}

TEST_CASE("node writes the class \"test\" for every test: suites and file tell them apart") {
  const std::string inner = R"(
    <testcase name="adds" classname="test"/><testcase name="subs" classname="test"/>
    <testsuite name="group"><testcase name="adds" classname="test"/>
      <testsuite name="inner"><testcase name="adds" classname="test"/></testsuite></testsuite>)";
  const Read read = read_each("<testsuites>" + inner + "</testsuites>");
  CHECK(read.ids == Ids{"adds", "subs", "group > adds", "group > inner > adds"});
  CHECK(read.notes.empty());

  // Two files without a word of which: said, and counted.
  const Read two = read_each("<testsuites>" + inner +
                             R"(<testcase name="adds" classname="test"/></testsuites>)");
  CHECK(two.ids == read.ids);
  REQUIRE(two.notes.size() == 1);
  CHECK(two.notes[0].find("1 name in it stands for several test cases, such as") == 0);
  CHECK(two.notes[0].find("\"adds\" for 2") != std::string::npos);

  const Read files = read_each(R"(<testsuites>
    <testcase name="adds" classname="test" file="/home/runner/x/test/a.test.mjs"/>
    <testsuite name="group" file="/home/runner/x/test/b.test.mjs">
      <testcase name="adds" classname="test"/></testsuite></testsuites>)",
                               "/home/runner/x");
  CHECK(files.ids == Ids{"test/a.test.mjs > adds", "test/b.test.mjs > group > adds"});
}

TEST_CASE("a class that says where the test is stands before the name, as ever") {
  CHECK(test_id({"tests.test_a.TestX", "test_one[1-2]", "", {"pytest"}}) ==
        "tests.test_a.TestX.test_one[1-2]");
  CHECK(test_id({"tests.test_a", "test_one", "tests/test_a.py", {"pytest"}}) ==
        "tests.test_a.test_one");
  CHECK(test_id({"Same", "Same", "t.cc", {"Same"}, true}) == "Same.Same");
  CHECK(test_id({"test_a", "test_a", "test_a.py", {"pytest"}}) == "test_a.test_a");
  CHECK(test_id({"Trim", "TakesBlanksAway", "words_test.cc", {"Trim"}}) == "Trim.TakesBlanksAway");
  CHECK(test_id({"Inst/Suite", "Case/0", "/src/a_test.cc", {"Inst/Suite"}}) == "Inst/Suite.Case/0");
  CHECK(test_id({"unit.global", "adds things/first", "", {"unit"}}) ==
        "unit.global.adds things/first");
  CHECK(test_id({"com.acme.FooTest", "adds", "", {"com.acme.FooTest"}}) == "com.acme.FooTest.adds");
  CHECK(test_id({"example.com/pkg", "TestX/sub_1", "", {"example.com/pkg"}}) ==
        "example.com/pkg.TestX/sub_1");
  CHECK(test_id({"crate::bin/x", "tests::adds", "", {"crate::bin/x"}}) ==
        "crate::bin/x.tests::adds");
  CHECK(test_id({"src/a.test.js", "group > adds", "", {"src/a.test.js"}}) ==
        "src/a.test.js.group > adds");
}

TEST_CASE(
    "groups in files of JavaScript have names that others have too: the file is before them") {
  CHECK(test_id({"group", "adds", "test/a.js", {}}) == "test/a.js > group > adds");
  CHECK(test_id({"", "adds", "test/a.js", {}}) == "test/a.js > adds");
  CHECK(test_id({"group adds", "group adds", "", {"group"}}) == "group adds");
  CHECK(test_id({" adds", " adds", "src/a.test.ts", {"undefined"}}) == "src/a.test.ts > adds");
  CHECK(test_id({"group adds", "group adds", "src/a.test.ts", {"group"}}) ==
        "src/a.test.ts > group adds");
  CHECK(test_id({"adds", "group adds", "test/a.js", {"group"}}) == "test/a.js > group adds");
  CHECK(test_id({"a.test.ts", "adds", "src/a.test.ts", {}}) == "a.test.ts.adds");
}

TEST_CASE("a suite that is named as a file tells the tests of two files apart") {
  for (const char* file : {"src/a.test.js", "b/a.test.js"}) {
    INFO(file);
    const std::string path = file;
    CHECK(test_id({"cart", "adds", "", {path}}) == path + " > cart > adds");
    CHECK(test_id({"cart adds", "cart adds", "", {path}}) == path + " > cart adds");
    CHECK(test_id({"", "adds", "", {path}}) == path + " > adds");
    CHECK(test_id({"cart", "cart > adds", "", {path}}) == path + " > cart > cart > adds");
    CHECK(test_id({path, "adds", "", {"cart"}}) == path + ".adds");
  }
}

TEST_CASE("a test and a group of the same name are two tests") {
  CHECK(test_id({"", "add", "a.js", {}}) == "a.js > add");
  CHECK(test_id({"add", "add", "a.js", {}}) == "a.js > add > add");
  CHECK(test_id({"test", "add", "", {}}) == "add");
  CHECK(test_id({"test", "add", "", {"add"}}) == "add > add");
  CHECK(test_id({"test", "add", "", {"add", "add"}}) == "add > add > add");
  CHECK(test_id({"test", "add", "a.mjs", {"a.mjs", "add"}}) == "a.mjs > add > add");
  // mocha's own report of groups and tests with blanks.
  CHECK(test_id({"", "a b", "a.js", {}}) == "a.js > a b");
  CHECK(test_id({"a b", "a b", "a.js", {}}) == "a.js > a b > a b");
  // mocha-junit-reporter: the whole title, and its end as a class.
  CHECK(test_id({"add", "add", "a.js", {"Root Suite"}}) == "a.js > add");
  CHECK(test_id({"add", "add add", "a.js", {"add"}}) == "a.js > add add");
  // jest-junit: the whole title twice, with a blank before it outside of all groups.
  CHECK(test_id({" a b", " a b", "a.js", {"undefined"}}) == "a.js > a b");
}

TEST_CASE("what failed for a class or a module as a whole is called by that, and has no file") {
  CHECK(test_id({"", "setUpClass (a.TestX)", "", {"unittest.suite._ErrorHolder"}}) ==
        "setUpClass (a.TestX)");
  CHECK(read_sample("xmlrunner-fixtures.xml").ids ==
        Ids{"tests.test_a.TestX.test_one", "tests.test_a.TestX.test_sub [a text] (i=2)",
            "setUpClass (tests.test_a.TestSetUp)", "setUpModule (tests.test_b)"});
}

TEST_CASE("the samples of other options of the reporters") {
  CHECK(read_sample("jest-filepath.xml").ids ==
        Ids{"b/a.test.js > cart > adds", "src/a.test.js > cart > adds",
            "src/a.test.js > cart > drops", "src/a.test.js > add", "src/a.test.js > add > add"});
  CHECK(read_sample("jest-filepath.xml").notes.empty());
  CHECK(read_sample("mocha-xunit.xml").ids ==
        Ids{"a.js > cart", "a.js > cart > adds", "a.js > cart > drops", "a.js > cart cart > cart"});
  CHECK(read_sample("mocha-xunit.xml").notes.empty());
  CHECK(read_sample("pytest-collection.xml").ids ==
        Ids{"tests.test_broken", "tests.sub.test_syntax"});
  const Read ctest = read_sample("ctest-not-run.xml");
  CHECK(ctest.ids == Ids{"docs", "missing", "blank ", " lead", "a+b(x)[1]{2}^$.|?*\\", "fails",
                         "dep", "fix", "needsfix", "timeout", "noreq", "will", "semi;colon",
                         "a#b \"q\" \xc3\xa9"});
}

TEST_CASE("ctest's names keep their blanks, and pytest's modules have an id") {
  CHECK(test_id({"blank ", "blank ", "", {}, true}) == "blank ");
  CHECK(test_id({" lead", " lead", "", {}, true}) == " lead");
  CHECK(test_id({"", "tests.test_broken", "", {"pytest"}}) == "tests.test_broken");
  CHECK(test_id({"", "tests.test_broken", "tests/test_broken.py", {"pytest"}}) ==
        "tests.test_broken");
  CHECK(test_id({"", "test_broken", "test_broken.py", {"other"}}) == "test_broken");
  CHECK(test_id({"", "", "", {}}) != "");
  CHECK(test_id({"", "", "", {"suite"}}) == "suite");
}

TEST_CASE(
    "what ctest counts as failed failed; what was disabled or asked to be skipped did not run") {
  const auto outcome = [](const std::string& status, const std::string& inner) {
    std::string kind = "none";
    ReadOptions options{kTestNow, ""};
    options.each = true;
    for (const Got& got : read_all(read_junit,
                                   "<testsuite><testcase name='x' classname='x' status='" + status +
                                       "'>" + inner + "</testcase></testsuite>",
                                   options)) {
      if (const auto* signal = std::get_if<OutcomeSignal>(&event_of(got).payload))
        kind = signal->outcome == OutcomeKind::failure ? "failure" : "success";
    }
    return kind;
  };
  CHECK(outcome("notrun", "<skipped message='Unable to find executable'/>") == "failure");
  CHECK(outcome("notrun", "<skipped message='Required Files Missing'/>") == "failure");
  CHECK(outcome("notrun", "<skipped message='Fixture dependency failed'/>") == "failure");
  CHECK(outcome("notrun", "<skipped message='SKIP_RETURN_CODE=77'/>") == "none");
  CHECK(outcome("notrun", "<skipped message='SKIP_REGULAR_EXPRESSION_MATCHED'/>") == "none");
  CHECK(outcome("disabled", "<system-out>Disabled</system-out>") == "none");
  CHECK(outcome("disabled", "") == "none");
  CHECK(outcome("notrun", "") == "none");  // GoogleTest's disabled ones
  CHECK(outcome("run", "<skipped message='by GTEST_SKIP()'/>") == "none");
  CHECK(outcome("fail", "<failure message=''/>") == "failure");
  CHECK(outcome("run", "") == "success");
}

TEST_CASE("without a class, suites and file stand before the name") {
  CHECK(test_id({"", "adds", "", {}}) == "adds");
  CHECK(test_id({"", "adds", "", {"unit", "math"}}) == "unit > math > adds");
  CHECK(test_id({"", "//pkg:t", "", {"//pkg:t"}}) == "//pkg:t");
}

TEST_CASE("an id is one line, and holds no path of one machine") {
  CHECK(test_id({" adds", " adds", "", {}}) == "adds");
  CHECK(test_id({"a.T", input::clean("x[1\n2]"), "", {}}) == "a.T.x[1 2]");
  CHECK(test_id({"test", "adds", "/home/other/x/a.test.mjs", {}}) == "a.test.mjs > adds");
  CHECK(test_id({"test", "adds", "C:/x/a.test.mjs", {}}) == "a.test.mjs > adds");
  CHECK(input::shown_file("C:\\x\\src\\a.ts", "C:/x") == "src/a.ts");
  CHECK(input::shown_file("./src/a.ts", "/x") == "src/a.ts");
  CHECK(input::shown_file("/x/src/a.ts", "/x") == "src/a.ts");
  CHECK(input::shown_file("/xy/src/a.ts", "/x") == "/xy/src/a.ts");
  CHECK(input::shown_file("/x/src/a.ts", "") == "/x/src/a.ts");
}

TEST_CASE("the time in a suite's name is none of its name") {
  CHECK(input::suite_name("tests.test_a.TestX-20261124030952") == "tests.test_a.TestX");
  CHECK(input::suite_name("TestX-1") == "TestX-1");
  CHECK(input::suite_name("20261124030952") == "20261124030952");
}

TEST_CASE("the ids of some tests are what they are in a report of all") {
  const std::string a = R"(<testcase name="adds" classname="test" file="a.mjs"/>)",
                    b = R"(<testcase name="adds" classname="test" file="b.mjs"/>)";
  const auto report = [](const std::string& cases) {
    return read_each("<testsuites>" + cases + "</testsuites>").ids;
  };
  const Ids all = report(a + b);
  CHECK(report(a) == Ids{all[0]});
  CHECK(report(b) == Ids{all[1]});
}

}  // namespace hebb
