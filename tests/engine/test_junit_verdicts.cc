// JUnit reports: which test cases there are, which of them passed, and how long they took.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

// "success 2/3 1500 ms" of a report as one outcome; and what else the reader says.
std::string outcome_of(const std::string& xml, std::vector<std::string>* notes = nullptr) {
  ReadOptions options{kTestNow, "t"};
  if (notes) options.note = [notes](const std::string& note) { notes->push_back(note); };
  const auto all = read_all(read_junit, xml, options);
  REQUIRE(all.size() == 1);
  simdjson::dom::parser parser;
  const auto json = parser.parse(all[0].text).value();
  const auto metric = [&](const char* name) { return json["metrics"][name].get_int64().value(); };
  return fmt::format("{} {}/{} {} ms", json["outcome"].get_string().value(), metric("testsPassed"),
                     metric("testsTotal"), metric("executionTimeMs"));
}
std::string of_case(const std::string& attributes) {
  return outcome_of("<testsuite><testcase name='a' " + attributes + "/></testsuite>");
}

// "shop.Cart.adds success, …" of each test case.
std::string each_of(const std::string& xml) {
  ReadOptions options{kTestNow, ""};
  options.each = true;
  std::string text;
  for (const Got& got : read_all(read_junit, xml, options)) {
    const auto* outcome = std::get_if<OutcomeSignal>(&event_of(got).payload);
    if (!outcome) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", event_of(got).subject,
                        outcome_name(outcome->outcome));
  }
  return text;
}

const std::string kPassed =
    "<testsuite name='cart'><testcase classname='shop.Cart' name='adds' time='0.1'/></testsuite>";
const std::string kFailed =
    "<testsuite name='pay'><testcase classname='shop.Pay' name='charges' time='0.1'><failure/>"
    "</testcase></testsuite>";

}  // namespace

TEST_CASE("several reports in one file are one, wherever they stand") {
  const std::string header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  for (const std::string& xml :
       {kPassed + kFailed, header + kPassed + "\n" + header + kFailed,
        header + kPassed + "\n\xef\xbb\xbf" + header + "<!-- the second -->" + kFailed,
        "<testsuites>" + kPassed + "</testsuites>\n<testsuites>" + kFailed + "</testsuites>",
        "<testsuites><testsuites name='linux'>" + kPassed + kFailed + "</testsuites></testsuites>",
        "<testsuite name='all'><testsuites>" + kPassed + "</testsuites>" + kFailed +
            "</testsuite>"}) {
    CAPTURE(xml);
    std::vector<std::string> notes;
    CHECK(outcome_of(xml, &notes) == "failure 1/2 200 ms");
    CHECK(notes.empty());
    CHECK(each_of(xml) == "shop.Cart.adds success, shop.Pay.charges failure");
  }
  CHECK_THROWS_AS(outcome_of(kPassed + "<testsuite>"), UnreadableInput);
}

TEST_CASE("a failure of a suite itself is a failure") {
  const std::string xml = "<testsuites><testsuite name='cart'><error message='no database'/>" +
                          kPassed + "</testsuite></testsuites>";
  CHECK(outcome_of(xml) == "failure 1/2 100 ms");
  CHECK(each_of(xml) == "shop.Cart.adds success, cart failure");
  // Beside one of its tests, too, unless it says that these have failed, as NUnit does.
  const std::string both = "<testsuite name='cart'><error message='tear-down'/>" + kFailed;
  CHECK(outcome_of(both + "</testsuite>") == "failure 0/2 100 ms");
  CHECK(outcome_of("<testsuite><failure><message>One or more child tests had errors</message>"
                   "</failure>" +
                   kFailed + "</testsuite>") == "failure 0/1 100 ms");
  // Counted where the suite lists no tests.
  CHECK(outcome_of("<testsuite errors='1' tests='1'><error/></testsuite>") == "failure 0/1 0 ms");
}

TEST_CASE("whether a test passed is said by an element or by an attribute") {
  for (const char* skipped :
       {"result='skipped'", "status='skipped'", "status='ignored'", "status='Inconclusive'",
        "status='excluded'", "status='disabled'", "status='notrun'", "status='Not Run'",
        "status='run' result='suppressed'", "result='pending'"}) {
    CAPTURE(skipped);
    CHECK(of_case(skipped) == "partial 0/0 0 ms");
  }
  for (const char* failed :
       {"result='failed'", "status='failed'", "status='FAIL'", "status='run' result='failure'",
        "status='error'", "status='crashed'", "result='Timed out'", "result='not ok'"}) {
    CAPTURE(failed);
    CHECK(of_case(failed) == "failure 0/1 0 ms");
  }
  for (const char* passed :
       {"", "status='run'", "status='passed'", "status='run' result='completed'",
        "result='success'", "status='42'"}) {
    CAPTURE(passed);
    CHECK(of_case(passed) == "success 1/1 0 ms");
  }
  // What an element says goes before.
  CHECK(outcome_of("<testsuite><testcase status='skipped'><failure/></testcase></testsuite>") ==
        "failure 0/1 0 ms");
  // Catch2 writes both of a test that may fail, and node of one that is still to be done.
  for (const char* expected : {"<skipped type='todo'/><failure/>",
                               "<skipped message='TEST_CASE tagged with !mayfail'/><error/>"}) {
    CAPTURE(expected);
    CHECK(outcome_of(fmt::format("<testsuite><testcase>{}</testcase></testsuite>", expected)) ==
          "partial 0/0 0 ms");
  }
  // Others write both where a test failed and then skipped the rest.
  for (const char* failed :
       {"<skipped/><failure/>", "<failure/><skipped type='pytest.skip'/>", "<skipped/><error/>"}) {
    CAPTURE(failed);
    CHECK(outcome_of(fmt::format("<testsuite><testcase>{}</testcase></testsuite>", failed)) ==
          "failure 0/1 0 ms");
  }
  CHECK(outcome_of("<testsuite><testcase status='failed'><skipped/></testcase></testsuite>") ==
        "partial 0/0 0 ms");
}

TEST_CASE("a word for how a test came out that is not known is named") {
  std::vector<std::string> notes;
  CHECK(outcome_of("<testsuite><testcase status='Purple'/></testsuite>", &notes) ==
        "success 1/1 0 ms");
  CHECK(notes == std::vector<std::string>{"1 test in it has a status that hebb does not know, and "
                                          "counts as passed, such as \"Purple\""});
}

TEST_CASE("what may be a failure in another spelling makes a report unreadable") {
  for (const char* inner : {"<Failure/>", "<x:failure/>", "<failures><failure/></failures>",
                            "<Error/>", "<Skipped/>"}) {
    CAPTURE(inner);
    CHECK_THROWS_WITH(
        outcome_of(fmt::format("<testsuite>\n<testcase name='a'>{}</testcase></testsuite>", inner)),
        Catch::Contains("may say how a test came out: nothing was taken (line 2)"));
  }
}

TEST_CASE("a report ends where the file does") {
  const std::string xml = kPassed + '\0' + kFailed;
  CHECK_THROWS_WITH(outcome_of(xml), "not XML: there is a NUL in it (line 1)");
  // The line of an error is counted in what the parser has, which is longer than Latin-1.
  const std::string latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><testsuite name='" +
                            std::string(100'000, '\xe9') +
                            "'><properties><testcase/></properties></testsuite>";
  CHECK_THROWS_AS(outcome_of(latin), UnreadableInput);
}

TEST_CASE("a name that no id can have gives one that it can") {
  const std::string longest(600, 'x');
  const std::string text =
      each_of("<testsuite name='" + longest + "' file='" + longest +
              "'><testcase classname='c' name='" + longest +
              "'/><testcase classname='c' name='a&#127;b\xc2\x85'/>"
              "<testcase name=' '/><testcase classname='c' name='\xff'><failure/></testcase>"
              "</testsuite>");
  CHECK(text.find("c.a b success") != text.npos);
  CHECK(text.find("c.\xef\xbf\xbd failure") != text.npos);
  CHECK(text.find(longest) == text.npos);
  CHECK(std::count(text.begin(), text.end(), ',') == 3);
}

TEST_CASE("a duration is read in whatever unit a reporter writes it") {
  const auto [text, ms] = GENERATE(table<std::string, int>({
      {"0.25", 250},
      {"1.5e-03", 2},
      {"0,25", 250},
      {"1,234", 1234},
      {"1,234.5", 1234500},
      {"1.234,5", 1234500},
      {"1,234,567", 1234567000},
      {"12", 12000},
      {"80.803us", 0},
      {"1500us", 2},
      {"2500 \xc2\xb5s", 3},
      {"80ms", 80},
      {"80.4 ms", 80},
      {"3s", 3000},
      {"1.5 sec", 1500},
      {"2min", 120000},
      {"1m 2.5s", 62500},
      {"1m2.5s", 62500},
      {"1h", 3600000},
      {"00:01:02.5", 62500},
      {"01:02", 62000},
      {"-1", 0},
      {" 2 ", 2000},
  }));
  CAPTURE(text);
  std::vector<std::string> notes;
  const std::string xml = "<testsuite><testcase time='" + text + "'/></testsuite>";
  CHECK(outcome_of(xml, &notes) == fmt::format("success 1/1 {} ms", ms));
  CHECK(notes.empty());
}

TEST_CASE("what is no duration is none, and is said") {
  for (const char* text :
       {"fast", "1 fortnight", "nan", "inf", "1e99", "1:x", "ms", "1..2", "2 3"}) {
    CAPTURE(text);
    std::vector<std::string> notes;
    const std::string xml = std::string("<testsuite><testcase time='") + text + "'/></testsuite>";
    CHECK(outcome_of(xml, &notes) == "success 1/1 0 ms");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] == fmt::format("1 time in it is no duration that hebb knows and counts as none, "
                                  "such as \"{}\"",
                                  text));
  }
}

TEST_CASE("counters that no test case bears out are said, and count nothing") {
  std::vector<std::string> notes;
  CHECK(outcome_of("<testsuites errors='1'><testsuite name='s' errors='1' tests='1'><testcase/>"
                   "</testsuite></testsuites>",
                   &notes) == "success 1/1 0 ms");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] ==
        "2 suites in it count failures that no test case in them has: the cases hold, such "
        "as \"s\"");
  notes.clear();
  // Some count a test that passed when it was run again.
  CHECK(outcome_of("<testsuite failures='1'><testcase><flakyFailure/></testcase></testsuite>",
                   &notes) == "success 1/1 0 ms");
  CHECK(notes.empty());
}
