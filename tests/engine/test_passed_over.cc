// What a reader passes over on purpose, and how it says so; whatever else a file holds is taken, or
// the file is refused.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

struct PassedOver {
  const char *format, *what, *text;
  const char* note;  // how it is said; "": it is no item, and nothing is said
};

// All there is of that kind, for each format.
const PassedOver kPassedOver[] = {
    {"outcome", "blank lines", "\n\n", ""},
    {"cloudevents", "blank lines", "\n\n", ""},
    {"history", "blank lines", "\n\n", ""},
    {"junit", "what describes a suite or a test",
     "<testsuite><properties><property name='a' value='b'/></properties><system-out>x</system-out>"
     "<system-err>x</system-err></testsuite>",
     ""},
    {"junit", "tests that did not run",
     "<testsuite><testcase name='a'><skipped/></testcase></testsuite>", ""},
    {"junit", "earlier runs of a test that passed in the end",
     "<testsuite failures='1'><testcase name='a'><flakyFailure/><skipped/></testcase></testsuite>",
     ""},
    {"junit", "elements that reports do not have", "<testsuite><logs><line/></logs></testsuite>",
     "1 element in it is not known in reports and was passed over, such as <logs>"},
    {"junit", "text around reports", "<testsuite/> 3 reports <testsuite/>",
     "1 text in it stands outside of the reports and was passed over, such as \"3 reports\""},
    {"junit", "counts of a suite that lists no tests", "<testsuite name='s' tests='3'/>",
     "1 suite in it lists no tests, only how many, so it says nothing of a test, such "
     "as \"s\""},
    {"github", "pull requests",
     R"([{"number":4,"title":"T","state":"open","pull_request":{"url":"u"}}])",
     "1 item that is no task was left out: 1 with pull_request"},
    {"github", "what a search says is a pull request",
     R"([{"number":4,"title":"T","state":"open","isPullRequest":true}])",
     "1 item that is no task was left out: 1 with isPullRequest"},
    {"github", "pull requests and milestones by themselves",
     R"([{"number":4,"title":"T","state":"open","url":"https://github.com/o/r/pull/4"}])",
     "1 item that is no task was left out: 1 with /pull/ in the address"},
    {"beads", "the first line of an export",
     R"({"_schema":"beads-jsonl/1","_dolt_branch":"main","_sort":"stable-v1"})", ""},
    {"beads", "memories", R"({"_type":"memory","key":"k","value":"v"})",
     "1 item that is no task was left out: 1 of _type memory"},
    {"beads", "messages and the like that no task depends on",
     R"({"id":"b-1","title":"T","issue_type":"message"})",
     "1 item that is no task was left out: 1 of type message"},
    {"beads", "what does not last", R"({"id":"b-1","title":"T","ephemeral":true})",
     "1 item that is no task was left out: 1 with ephemeral"},
    {"beads", "deleted beads that no task depends on",
     R"({"id":"b-1","title":"T","status":"tombstone"})",
     "1 item that is no task was left out: 1 status tombstone"},
    {"beads", "what stays for good", R"({"id":"b-1","title":"T","status":"pinned"})",
     "1 item that is no task was left out: 1 status pinned"},
    {"taskwarrior", "what its tasks are made from",
     R"([{"uuid":"u","description":"D","entry":"20260101T000000Z","status":"recurring"}])",
     "1 item that is no task was left out: 1 status recurring"},
    {"jira", "nothing", R"({"issues":[]})", ""},
    {"todotxt", "empty lines", "\n \n", ""},
    {"csv", "rows of empty cells", "name;due\n;\n \n", ""},
};

}  // namespace

TEST_CASE("what a reader passes over is said, and gives nothing") {
  std::set<std::string> formats_here;
  for (const PassedOver& one : kPassedOver) {
    CAPTURE(one.format, one.what);
    formats_here.insert(one.format);
    ReadOptions options{kTestNow, ""};
    std::vector<std::string> notes;
    options.note = [&](const std::string& note) { notes.push_back(note); };
    options.each = one.format == std::string_view("junit");
    CHECK(read_all(find_format(one.format)->read, one.text, options).empty());
    const bool silent = one.note == std::string_view();
    CHECK(notes == (silent ? std::vector<std::string>() : std::vector<std::string>{one.note}));
  }
  for (const Format& format : formats()) CHECK(formats_here.contains(std::string(format.name)));
}

TEST_CASE("tests where no report has them make it unreadable") {
  for (const char* inner : {"<group><testcase/></group>", "<testcase><testcase/></testcase>",
                            "<properties><a><testsuite/></a></properties>",
                            "<testcase><error><testsuites/></error></testcase>"}) {
    CAPTURE(inner);
    for (const bool each : {false, true}) {
      ReadOptions options{kTestNow, each ? "" : "t"};
      options.each = each;
      const std::string text =
          std::string("<testsuite>\n<testcase name='a'/>") + inner + "</testsuite>";
      try {
        read_all(read_junit, text, options);
        FAIL("it was read");
      } catch (const UnreadableInput& e) {
        CHECK(std::string(e.what()).find("where no report has it: nothing was taken (line 2)") !=
              std::string::npos);
      }
    }
  }
  CHECK_THROWS_AS(read_all(read_junit, "<testsuite/><html/>", {kTestNow, "t"}), UnreadableInput);
}
