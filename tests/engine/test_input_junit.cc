// JUnit reports: a report is one outcome.
#include <catch2/catch.hpp>

#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

Got read_report(const std::string& xml, const std::string& task = "t") {
  auto all = read_all(read_junit, xml, {kTestNow, task});
  REQUIRE(all.size() == 1);
  return all.front();
}
// The metrics and the outcome as they stand in the item's JSON.
std::string essence(const std::string& xml) {
  const std::string text = read_report(xml).text;
  const auto begin = text.find("\"metrics\"");
  return text.substr(begin, text.find(",\"taskId\"") - begin);
}
std::string unreadable_report(const std::string& xml) {
  try {
    read_report(xml);
  } catch (const UnreadableInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("nested suites: what was skipped did not run") {
  const std::string xml = R"(<?xml version="1.0"?>
<testsuites name="all">
  <testsuite name="a" timestamp="2020-09-13T12:26:40" time="1.5">
    <testcase name="1" time="1"/>
    <testcase name="2"><skipped/></testcase>
    <testcase name="2b" status="notrun"/>
    <testsuite name="inner">
      <testcase name="3"><failure message="no">x</failure></testcase>
      <testcase name="4"><error/></testcase>
    </testsuite>
  </testsuite>
  <testsuite name="b"><testcase name="5" time="0.25"/><testcase name="6" time="0.25"/></testsuite>
</testsuites>)";
  CHECK(essence(xml) ==
        R"("metrics":{"executionTimeMs":2000,"testsPassed":3,"testsTotal":5},"outcome":"failure")");
  const Got got = read_report(xml);
  CHECK(event_of(got).subject == "t");
  CHECK(event_of(got).at == 1600000000000);
  CHECK(payload_of<OutcomeSignal>(got).outcome == OutcomeKind::failure);
  CHECK(payload_of<OutcomeSignal>(got).score == 0.6);
}

TEST_CASE("all passed is a success, nothing run is partial") {
  const Got passed = read_report(R"(<testsuite><testcase/><testcase/></testsuite>)");
  CHECK(payload_of<OutcomeSignal>(passed).outcome == OutcomeKind::success);
  CHECK(payload_of<OutcomeSignal>(passed).score == 1);
  CHECK(event_of(passed).at == kTestNow);
  for (const char* const xml : {"<testsuites/>", "<testsuite tests=\"0\"/>",
                                "<testsuite><testcase><skipped/></testcase></testsuite>"}) {
    CHECK(payload_of<OutcomeSignal>(read_report(xml)).outcome == OutcomeKind::partial);
  }
}

TEST_CASE("suites that list no tests are taken at their counts") {
  CHECK(
      essence(R"(<testsuite tests="10" failures="1" errors="2" skipped="3" time="1,000.5"/>)") ==
      R"("metrics":{"executionTimeMs":1000500,"testsPassed":4,"testsTotal":7},"outcome":"failure")");
  CHECK(
      essence(R"(<testsuite tests="1" failures="400000000" skipped="9" time="x"/>)") ==
      R"("metrics":{"executionTimeMs":0,"testsPassed":0,"testsTotal":400000000},"outcome":"failure")");
}

TEST_CASE("the same report of the same task has the same key") {
  const std::string xml = "<testsuite><testcase/></testsuite>";
  CHECK(event_of(read_report(xml)).key == event_of(read_report(xml)).key);
  CHECK(event_of(read_report(xml)).key.substr(0, 8) == "5:junit/");
  CHECK(event_of(read_report(xml)).key != event_of(read_report(xml, "u")).key);
  CHECK(event_of(read_report(xml)).key != event_of(read_report(xml + "\n")).key);
}

TEST_CASE("an item can be read again: a dead letter's retry") {
  const Got first =
      read_report("<testsuite timestamp='2020-09-13T12:26:40Z'><testcase/></testsuite>");
  const auto again = read_all(read_junit, first.text, {kTestNow, "", true});
  REQUIRE(again.size() == 1);
  CHECK(event_of(again[0]).key == event_of(first).key);
  CHECK(event_of(again[0]).at == event_of(first).at);
  CHECK(again[0].text == first.text);
}

TEST_CASE("the latest time of the suites counts; one that is none is left out") {
  CHECK(event_of(read_report(R"(<testsuites><testsuite timestamp="2020-09-13T12:26:41"/>
      <testsuite timestamp="2020-09-13T14:26:40+02:00"/></testsuites>)"))
            .at == 1600000001000);
  CHECK(event_of(read_report(R"(<testsuites><testsuite timestamp="2020-09-13T12:26:41"/>
      <testsuite timestamp="13.9.2020"/></testsuites>)"))
            .at == 1600000001000);
}

TEST_CASE("a time is read however a reporter writes it, and costs no test its outcome") {
  std::vector<std::string> notes;
  ReadOptions options{kTestNow, ""};
  options.each = true;
  options.latest = kTestNow;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  const auto at = [&](const std::string& timestamp) -> TimeMs {
    notes.clear();
    TimeMs time = -1;
    for (const Got& got : read_all(read_junit,
                                   "<testsuite timestamp='" + timestamp +
                                       "'><testcase classname='a' name='b'/></testsuite>",
                                   options)) {
      INFO(timestamp << ": " << detail_of(got));
      REQUIRE(reason_of(got) == "");
      if (std::holds_alternative<OutcomeSignal>(event_of(got).payload)) time = event_of(got).at;
    }
    return time;
  };
  for (const char* same :
       {"2020-09-13T12:26:40Z", "2020-09-13T12:26:40", "2020-09-13 12:26:40",
        "2020-09-13T12:26:40.000000", "2020-09-13T14:26:40+02:00", "2020-09-13T14:26:40+0200",
        "2020-09-13 14:26:40 +0200", "Sun, 13 Sep 2020 12:26:40 GMT",
        "Sun, 13 Sep 2020 14:26:40 +0200", "1600000000", "1600000000000", "1600000000.0"}) {
    INFO(same);
    CHECK(at(same) == 1'600'000'000'000);
    CHECK(notes.empty());
  }
  for (const char* odd :
       {"0001-01-01T00:00:00", "1970-01-01T00:00:00", "0", "", "yesterday", "13.9.2020",
        "9999-12-31T23:59:59", "Sun, 13 Xyz 2020 12:26:40 GMT", "Sun, 41 Sep 2020 12:26:40 GMT",
        "Sun, 13 Sep 2020", "NaN", "inf", "-1", "1e300", "20200913T122640", ","}) {
    INFO(odd);
    CHECK(at(odd) == kTestNow);
    CHECK(notes.size() == (*odd == '\0' ? 0 : 1));
  }
  options.latest.reset();
  CHECK(at("9999-12-31T23:59:59") > kTestNow);
}

TEST_CASE("a time without a zone is of the zone that is given") {
  ReadOptions options{kTestNow, "t"};
  int asked = 0;
  options.utc_of_local = [&](TimeMs local) {
    ++asked;
    return local - 7'200'000;
  };
  const auto at = [&](const std::string& timestamp) {
    const auto all = read_all(
        read_junit, "<testsuite timestamp='" + timestamp + "'><testcase/></testsuite>", options);
    return event_of(all.at(0)).at;
  };
  CHECK(at("2020-09-13T14:26:40Z") == 1600007200000);
  CHECK(at("2020-09-13T14:26:40+01:00") == 1600003600000);
  CHECK(asked == 0);
  CHECK(at("2020-09-13T14:26:40") == 1600000000000);
  CHECK(asked == 2);  // once for the report, and once for its suite
}

TEST_CASE("what is no report is unreadable") {
  CHECK(unreadable_report("") != "");
  CHECK(unreadable_report("<testsuite>") != "");
  CHECK(unreadable_report("<testsuite>\n<testcase></testsuite>").find("(line 2)") !=
        std::string::npos);
  CHECK(unreadable_report("<html/>").find("<html>") != std::string::npos);
  CHECK(unreadable_report("plain text") != "");
  const auto nested = [](int depth) {
    std::string xml;
    for (int i = 0; i < depth; ++i) xml += "<testsuite>";
    for (int i = 0; i < depth; ++i) xml += "</testsuite>";
    return xml;
  };
  CHECK(unreadable_report(nested(64)) == "");
  CHECK(unreadable_report(nested(65)) != "");
}

TEST_CASE("a report whose tree would take far more memory than its text is unreadable", "[slow]") {
  const auto report = [](std::string_view element, std::size_t count) {
    std::string xml = "<testsuite>";
    for (std::size_t i = 0; i < count; ++i) xml += element;
    return xml + "</testsuite>";
  };
  CHECK(unreadable_report(report("<a/>", 5'000'000)).find("more elements") != std::string::npos);
  CHECK(unreadable_report(report("<a b='' c='' d='' e=''/>", 1'500'000)) != "");
  // What is no markup is no element: in comments, in data, in values.
  const std::string text(1 << 20, '<');
  CHECK(unreadable_report(report("<!--" + text + "-->", 8)) == "");
  CHECK(unreadable_report(report("<![CDATA[" + text + "]]>", 8)) == "");
  CHECK(unreadable_report(report("<a b='===>'/>", 1'000'000)) == "");
}

TEST_CASE("a report needs a task, and the task an id") {
  CHECK_THROWS_AS(read_all(read_junit, "<testsuite/>"), std::invalid_argument);
  CHECK(reason_of(read_report("<testsuite/>", std::string(513, 't'))) == "id_too_long");
}

TEST_CASE("a time beyond all times is none") {
  const Got got = read_report(R"(<testsuite time="1e308"><testcase time="1e308"/></testsuite>)");
  CHECK(reason_of(got) == "");
}

TEST_CASE("a count that is none, or beyond all counts, makes the report unreadable") {
  for (const char* value : {"99999999999999999999", "-5", "many", "1.5"}) {
    INFO(value);
    CHECK(unreadable_report(std::string("<testsuite tests=\"") + value + "\"/>").find(value) !=
          std::string::npos);
  }
}
