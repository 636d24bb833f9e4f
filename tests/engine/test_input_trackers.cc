// What trackers print, read without a graph.
//
// How the samples are known to be faithful: the tasks of Taskwarrior are what `task export` of
// version 2.6.2 printed for tasks made by hand, times and ids kept. Those of beads have the fields,
// their order and the times of lines in public .beads/issues.jsonl files, with other words; the
// fields of gh are those that `gh issue list --json` lists in its manual, and of the REST interface
// those of GitHub's schema of an issue. Those of Jira are those of the answer to GET
// /rest/api/2/search in Atlassian's reference, about issues that are made up.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/input/recognise.h"
#include "tests/engine/input_support.h"
#include "tests/support/history.h"

using namespace hebb;

namespace {

// "node bd-1 TASK OPEN", "edge bd-1 LABELED_AS label-x", in the order in which they are given.
std::vector<std::string> said_in(const std::vector<Got>& all) {
  std::vector<std::string> lines;
  for (const Got& got : all) {
    if (!reason_of(got).empty()) {
      lines.push_back(reason_of(got));
      continue;
    }
    const Event& e = event_of(got);
    std::string line = fmt::format("{} {}", kind_name(e.payload), e.subject);
    if (const auto* node = std::get_if<NodeUpsert>(&e.payload)) {
      line += fmt::format(" {} {}", node->type.value_or("-"), node->state.value_or("-"));
    } else if (const auto* link = std::get_if<Link>(&e.payload)) {
      line += fmt::format(" {} {}", link->type, link->target);
    } else if (const auto* state = std::get_if<StateChange>(&e.payload)) {
      line += " " + state->state;
    } else if (const auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) {
      line += outcome->outcome == OutcomeKind::success ? " success" : " failure";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::set<std::string> set_of(const std::vector<std::string>& lines) {
  return {lines.begin(), lines.end()};
}

std::string bare_issue(const std::string& number, const std::string& more) {
  return R"({"number":)" + number + R"(,"title":"T","createdAt":"2020-01-01T00:00:00Z")" + more +
         "}";
}

constexpr const char* kRest =
    R"({"url":"https://api.github.com/repos/o/r/issues/7","number":7,"title":"Login fails",)"
    R"("user":{"login":"ann"},"labels":[{"id":1,"name":"bug","color":"d73a4a"},"ui"],)"
    R"("state":"closed","locked":false,"assignee":{"login":"bob"},"assignees":[{"login":"bob"}],)"
    R"("milestone":{"number":3,"title":"1.0","due_on":"2020-06-01T00:00:00Z"},"comments":0,)"
    R"("created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-05T00:00:00Z",)"
    R"("closed_at":"2020-01-04T00:00:00Z","body":"It does.","state_reason":"completed"})";

const std::string kJira = [] {
  std::ifstream file(HEBB_SOURCE_DIR "/tests/engine/trackers/jira.json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}();

}  // namespace

TEST_CASE("an issue as the REST interface gives it") {
  const auto all = read_all(read_github, fmt::format("[{}]", kRest));
  CHECK(set_of(said_in(all)) ==
        std::set<std::string>{
            "node issue-7 ISSUE OPEN", "node issue-7 ISSUE -", "node label-bug LABEL -",
            "node label-ui LABEL -", "node user-bob USER -", "node milestone-1.0 MILESTONE -",
            "edge issue-7 LABELED_AS label-bug", "edge issue-7 LABELED_AS label-ui",
            "edge issue-7 ASSIGNED_TO user-bob", "edge issue-7 IN_CATEGORY milestone-1.0",
            "outcome issue-7 success"});
}

TEST_CASE("pages of issues are one list, however gh joins them") {
  const std::string open = R"(,"state":"OPEN")";
  const std::string one = bare_issue("1", open), two = bare_issue("2", open),
                    three = bare_issue("3", open);
  const auto whole = said_in(read_all(read_github, "[" + one + "," + two + "," + three + "]"));
  REQUIRE(whole.size() == 3);
  CHECK(said_in(read_all(read_github, "[" + one + "," + two + "][" + three + "]\n")) == whole);
  CHECK(said_in(read_all(read_github, "[[" + one + "],\n [" + two + "," + three + "]]")) == whole);
  CHECK(said_in(read_all(read_github, "[[]]")).empty());
  CHECK(said_in(read_all(read_github, one)).size() == 1);
  CHECK_THROWS_AS(read_all(read_github, "[" + one + "] and more"), UnreadableInput);
  for (const char* text : {R"([[1,2]x"a"])", R"([[1,2]"a"])", R"([[1,2][3]])", R"([[1]"]"])"}) {
    CAPTURE(text);
    const auto refused = read_all(read_github, text);
    REQUIRE(refused.size() == 1);
    CHECK(reason_of(refused[0]) != "");
  }

  // Only a list says what is not in it.
  const auto listed = [](const std::string& text) {
    Listed listed;
    ReadOptions options{kTestNow, ""};
    options.listed = &listed;
    read_all(read_github, text, options);
    return listed;
  };
  CHECK(listed("[[" + one + "],[" + two + "]]").ids == std::set<std::string>{"issue-1", "issue-2"});
  CHECK(listed("[[" + one + "],[" + two + "]]").is_list);
  CHECK(listed(one + "\n" + two + "\n").is_list);
  CHECK_FALSE(listed(one).is_list);
}

TEST_CASE("pull requests, which REST lists among the issues, are none") {
  CHECK(read_all(read_github,
                 "[" + bare_issue("4", R"(,"state":"open","pull_request":{"url":"u"})") + "]")
            .empty());
}

TEST_CASE("sub-issues and dependencies, where they are given") {
  const std::string text =
      "[" + bare_issue("1", R"(,"state":"OPEN","subIssues":[{"number":2}],"parent":null)") + "," +
      bare_issue("2", R"(,"state":"OPEN","parent":{"number":1,"title":"T"},)"
                      R"("blockedBy":{"nodes":[{"number":3},{"number":99}]})") +
      "," +
      bare_issue("3", R"(,"state":"open","parent_issue_url":)"
                      R"("https://api.github.com/repos/o/r/issues/1")") +
      "]";
  CHECK(set_of(said_in(read_all(read_github, text))) ==
        std::set<std::string>{"node issue-1 ISSUE OPEN", "node issue-2 ISSUE OPEN",
                              "node issue-3 ISSUE OPEN", "edge issue-1 PARENT_OF issue-2",
                              "edge issue-1 PARENT_OF issue-3", "edge issue-3 BLOCKS issue-2",
                              "node issue-99 - -", "edge issue-99 BLOCKS issue-2"});
}

TEST_CASE("of a list in an issue that is longer than what is here, what is here is taken") {
  ReadOptions options{kTestNow, ""};
  std::vector<std::string> notes;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  const std::string text =
      "[" +
      bare_issue("1", R"(,"state":"OPEN","labels":{"nodes":[{"name":"a"}],"totalCount":1},)"
                      R"("blockedBy":{"nodes":[{"number":2}],"totalCount":3})") +
      "," + bare_issue("2", R"(,"state":"OPEN")") + "]";
  const auto said = set_of(said_in(read_all(read_github, text, options)));
  CHECK(said.contains("edge issue-2 BLOCKS issue-1"));
  CHECK(notes == std::vector<std::string>{
                     "1 field was left out, the rest of their tasks was taken: issue-1: blockedBy: "
                     "1 of 3 were taken, the file does not have the others"});
}

TEST_CASE("the issues of beads") {
  const std::string text =
      R"({"id":"bd-1","title":"Export","status":"open","priority":1,"issue_type":"epic",)"
      R"("created_at":"2025-10-16T21:51:08.743025-07:00",)"
      R"("updated_at":"2025-10-16T21:51:08.743025-07:00"})"
      "\n"
      R"({"id":"bd-2","title":"Write it","description":"To a file","status":"closed",)"
      R"("priority":2,"issue_type":"task","assignee":"ann","created_at":"2025-10-17T00:00:00Z",)"
      R"("updated_at":"2025-10-18T00:00:00Z","closed_at":"2025-10-18T00:00:00Z",)"
      R"("close_reason":"Done","labels":["io"],"dependencies":[{"issue_id":"bd-2",)"
      R"("depends_on_id":"bd-1","type":"parent-child","created_at":"2025-10-17T05:00:01Z",)"
      R"("created_by":"ann"}]})"
      "\n"
      R"({"id":"bd-3","title":"Twice","status":"closed","priority":0,"issue_type":"bug",)"
      R"("created_at":"2025-10-17T00:00:00Z","updated_at":"2025-10-19T00:00:00Z",)"
      R"("closed_at":"2025-10-19T00:00:00Z","close_reason":"Duplicate of bd-2",)"
      R"("dependencies":[{"issue_id":"bd-3","depends_on_id":"bd-2","type":"duplicates",)"
      R"("created_at":"2025-10-19T00:00:00Z"},{"issue_id":"bd-3","depends_on_id":"bd-1",)"
      R"("type":"blocks","created_at":"2025-10-17T00:00:00Z"},{"issue_id":"bd-3",)"
      R"("depends_on_id":"bd-404","type":"blocks"}]})"
      "\n"
      R"({"id":"bd-4","title":"At it","status":"in_progress","priority":2,"issue_type":"task",)"
      R"("created_at":"2025-10-17T00:00:00Z","updated_at":"2025-10-20T00:00:00Z"})"
      "\n"
      R"({"id":"bd-5","title":"deleted","status":"tombstone","priority":0,"issue_type":"task",)"
      R"("created_at":"2025-10-17T00:00:00Z","deleted_at":"2025-10-18T00:00:00Z"})"
      "\n"
      R"({"id":"bd-6","title":"mail","status":"open","priority":2,"issue_type":"message",)"
      R"("created_at":"2025-10-17T00:00:00Z"})"
      "\n"
      R"({"id":"bd-7","title":"wisp","status":"open","priority":2,"issue_type":"task",)"
      R"("ephemeral":true,"created_at":"2025-10-17T00:00:00Z"})"
      "\n";
  const auto all = read_all(read_beads, text);
  const auto lines = set_of(said_in(all));
  for (const char* line :
       {"node bd-1 EPIC OPEN", "edge bd-1 LABELED_AS type-epic", "edge bd-1 LABELED_AS prio-1",
        "edge bd-2 LABELED_AS label-io", "edge bd-2 ASSIGNED_TO user-ann", "outcome bd-2 success",
        "edge bd-1 PARENT_OF bd-2", "edge bd-1 BLOCKS bd-3", "edge bd-3 CROSS_REFERENCES bd-2",
        "state bd-3 CLOSED", "node bd-4 TASK OPEN", "state bd-4 IN_PROGRESS"}) {
    INFO(line);
    CHECK(lines.contains(line));
  }
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(line.find("bd-5") == line.npos);
    CHECK(line.find("bd-6") == line.npos);
    CHECK(line.find("bd-7") == line.npos);
    CHECK(line.find("bd-404") == line.npos);
    CHECK(line != "outcome bd-3 success");
  }
  for (const Got& got : all) {
    if (event_of(got).subject == "bd-1" && kind_name(event_of(got).payload) == "edge" &&
        payload_of<Link>(got).type == "PARENT_OF") {
      CHECK(event_of(got).at == 1760677201000);  // as the dependency says
    }
  }
  CHECK(said_in(read_all(read_beads, R"({"id":"bd-8"})")) ==
        std::vector<std::string>{"missing_field"});
}

TEST_CASE("the tasks of Taskwarrior") {
  const std::string text = R"([
{"id":1,"description":"Buy milk","due":"20261201T000000Z","entry":"20261122T214440Z",
"modified":"20261122T214441Z","priority":"H","project":"home","start":"20261122T214441Z",
"status":"pending","uuid":"ae71b1c1-c67c-4b3f-8179-69c0bb1ce143",
"annotations":[{"entry":"20261122T214441Z","description":"two litres"}],"tags":["shop"],
"urgency":25.6999},
{"id":2,"description":"Write the letter","entry":"20261122T214440Z",
"modified":"20261122T214440Z","project":"office","status":"pending",
"uuid":"52a98253-41ad-46d0-b894-557bd9908765","depends":["ae71b1c1-c67c-4b3f-8179-69c0bb1ce143"],
"urgency":-4},
{"id":4,"description":"every week","due":"20261202T000000Z","entry":"20261122T214440Z",
"mask":"-","modified":"20261122T214441Z","recur":"weekly","rtype":"periodic",
"status":"recurring","uuid":"8e5c0744-9f3a-478e-b355-7c9163fcc1e8","urgency":4.64276},
{"id":0,"description":"wrong","end":"20261122T214441Z","entry":"20261122T214441Z",
"modified":"20261122T214441Z","status":"deleted","uuid":"439e9ac7-cb63-4855-b136-a781ecf09529",
"urgency":0},
{"id":0,"description":"done thing","end":"20261122T214441Z","entry":"20261122T214441Z",
"modified":"20261122T214441Z","status":"completed","uuid":"9789ac71-6d24-41e4-a644-e14329d03421",
"tags":["a","b"],"urgency":0.9}
]
)";
  const auto all = read_all(read_taskwarrior, text);
  const std::string milk = "ae71b1c1-c67c-4b3f-8179-69c0bb1ce143",
                    letter = "52a98253-41ad-46d0-b894-557bd9908765",
                    wrong = "439e9ac7-cb63-4855-b136-a781ecf09529",
                    done = "9789ac71-6d24-41e4-a644-e14329d03421";
  const auto lines = set_of(said_in(all));
  for (const std::string& line :
       {"node " + milk + " TASK OPEN", "state " + milk + " IN_PROGRESS",
        "edge " + milk + " LABELED_AS label-shop", "edge " + milk + " LABELED_AS prio-H",
        "edge " + milk + " IN_CATEGORY project-home", "edge " + milk + " BLOCKS " + letter,
        "state " + wrong + " CLOSED", "outcome " + done + " success",
        "edge " + done + " LABELED_AS label-b"}) {
    INFO(line);
    CHECK(lines.contains(line));
  }
  CHECK_FALSE(lines.contains("outcome " + wrong + " success"));
  for (const std::string& line : lines) CHECK(line.find("8e5c0744") == line.npos);
  for (const Got& got : all) {
    if (event_of(got).subject != milk) continue;
    if (const auto* node = std::get_if<NodeUpsert>(&event_of(got).payload); node && node->state) {
      CHECK(node->description == "two litres");
      CHECK(node->project == "home");
      CHECK(event_of(got).at == 1795383880000);
    }
  }
  // Older versions: a task a line, and dependencies in one text.
  const auto older = set_of(said_in(
      read_all(read_taskwarrior,
               R"({"description":"a","entry":"20200101T000000Z","status":"pending","uuid":"a"})"
               "\n"
               R"({"description":"b","entry":"20200101T000000Z","status":"waiting","uuid":"b",)"
               R"("depends":"a"})"
               "\n")));
  CHECK(older.contains("edge a BLOCKS b"));
  CHECK(
      said_in(read_all(read_taskwarrior,
                       R"([{"description":"a","entry":"then","status":"pending","uuid":"a"}])")) ==
      std::vector<std::string>{"node a TASK OPEN"});
}

TEST_CASE("the issues that Jira finds") {
  REQUIRE_FALSE(kJira.empty());
  Input beginning{std::string_view(kJira)};
  REQUIRE(recognised(beginning) == find_format("jira"));
  std::vector<std::string> notes;
  ReadOptions options{kTestNow, ""};
  options.note = [&](const std::string& note) { notes.push_back(note); };
  const auto all = read_all(find_format("jira")->read, kJira, options);
  std::map<std::string, NodeUpsert> made;
  for (const Got& got : all) {
    const auto* node = std::get_if<NodeUpsert>(&event_of(got).payload);
    if (node && node->state) made[event_of(got).subject] = *node;
  }
  CHECK(set_of(said_in(all)) == std::set<std::string>{"node SHOP-1 EPIC OPEN",
                                                      "node SHOP-1 EPIC -",
                                                      "node SHOP-2 BUG OPEN",
                                                      "node SHOP-2 BUG -",
                                                      "node SHOP-3 STORY OPEN",
                                                      "node SHOP-3 STORY -",
                                                      "node SHOP-4 TASK OPEN",
                                                      "node SHOP-4 TASK -",
                                                      "state SHOP-2 IN_PROGRESS",
                                                      "state SHOP-4 CLOSED",
                                                      "outcome SHOP-3 success",
                                                      "node label-checkout LABEL -",
                                                      "node component-web LABEL -",
                                                      "node prio-High LABEL -",
                                                      "node prio-Medium LABEL -",
                                                      "node user-ann USER -",
                                                      "node user-Bob Stone USER -",
                                                      "node project-SHOP PROJECT -",
                                                      "node milestone-2.1 MILESTONE -",
                                                      "edge SHOP-2 LABELED_AS label-checkout",
                                                      "edge SHOP-2 LABELED_AS component-web",
                                                      "edge SHOP-2 LABELED_AS prio-High",
                                                      "edge SHOP-1 LABELED_AS prio-Medium",
                                                      "edge SHOP-3 LABELED_AS prio-Medium",
                                                      "edge SHOP-4 LABELED_AS prio-Medium",
                                                      "edge SHOP-2 ASSIGNED_TO user-ann",
                                                      "edge SHOP-3 ASSIGNED_TO user-Bob Stone",
                                                      "edge SHOP-1 IN_CATEGORY project-SHOP",
                                                      "edge SHOP-2 IN_CATEGORY project-SHOP",
                                                      "edge SHOP-3 IN_CATEGORY project-SHOP",
                                                      "edge SHOP-4 IN_CATEGORY project-SHOP",
                                                      "edge SHOP-2 IN_CATEGORY milestone-2.1",
                                                      "edge SHOP-1 PARENT_OF SHOP-2",
                                                      "edge SHOP-3 BLOCKS SHOP-2",
                                                      "edge SHOP-2 CROSS_REFERENCES SHOP-4",
                                                      "edge PAY-9 BLOCKS SHOP-2",
                                                      "node PAY-9 - -"});
  CHECK(made["SHOP-2"].name == "Checkout loses the cart");
  CHECK(made["SHOP-2"].project == "SHOP");
  CHECK(made["SHOP-2"].priority == 1);
  CHECK(made["SHOP-2"].due_at == parse_rfc3339("2024-03-20T23:59:00Z"));
  CHECK(event_of(all.front()).at == parse_rfc3339("2024-03-01T08:15:30.120Z"));
  // The description of SHOP-1 is a document of the newer interface, which is not text.
  REQUIRE(notes.size() == 2);
  CHECK(notes[0] ==
        "1 field was left out, the rest of their tasks was taken: SHOP-1: description: "
        "must be a string, is an object");
  CHECK(notes[1].find("SHOP-2 for PAY-9") != std::string::npos);
}

TEST_CASE("an issue of Jira that is refused has its line, and can be tried again by itself") {
  const std::string text =
      "{\"startAt\":0,\n\"maxResults\":50,\n\"issues\":[\n"
      R"({"key":"A-1","fields":{"summary":"T","status":{"statusCategory":{"key":"new"}}}},)"
      "\n"
      R"({"key":"A-2","fields":{"status":{"statusCategory":{"key":"new"}}}}],"total":2})";
  const auto all = read_all(find_format("jira")->read, text);
  REQUIRE(all.size() == 2);
  CHECK(all[0].line == 5);
  CHECK(detail_of(all[0]) == "item 2 (A-2): summary: is required");
  CHECK(event_of(all[1]).subject == "A-1");
  ReadOptions kept{kTestNow, ""};
  kept.single_item = true;
  CHECK(detail_of(read_all(find_format("jira")->read, all[0].text, kept).at(0)) ==
        "A-2: summary: is required");
  CHECK_THROWS_AS(read_all(find_format("jira")->read, text.substr(0, text.size() - 20)),
                  UnreadableInput);
}

TEST_CASE("what is different in a later search of Jira, and what was not asked for") {
  const auto found = [](const std::string& fields, const std::string& updated) {
    return R"({"isLast":true,"issues":[{"key":"A-1","fields":{"summary":"T","updated":"2024-01-0)" +
           updated + R"(T00:00:00.000+0000","created":"2024-01-01T00:00:00.000+0000",)" + fields +
           "}}]}";
  };
  const std::string open = R"("status":{"statusCategory":{"key":"new"}})";
  Engine engine = test::open(":memory:");
  const auto take = [&](const std::string& fields, const std::string& updated) {
    return test::ingest(engine, found(fields, updated), "jira", kTestNow, "file").changed;
  };
  take(open + R"(,"labels":["a","b"],"priority":{"name":"Low"})", "1");
  CHECK(take(open, "2").empty());  // neither was asked for
  const auto changed = take(open + R"(,"labels":["b"],"priority":null)", "3");
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].find("label-a") != std::string::npos);
}

TEST_CASE("how long a task is expected to take, in the unit of its tracker") {
  // The estimates that were made, then those that were told later: "-" where none is said.
  const auto estimates = [](const char* format, const std::vector<std::string>& snapshots) {
    Engine engine = test::open(":memory:");
    std::string text;
    for (const std::string& snapshot : snapshots) {
      const auto summary = test::ingest(engine, snapshot, format, kTestNow, "file");
      const auto n = engine.state().find(format == std::string("beads") ? "bd-1" : "A-1");
      REQUIRE(n);
      const TimeMs ms = engine.state().graph().nodes().estimate[*n];
      text += (text.empty() ? "" : " ") + (ms == graph::kNever ? "-" : std::to_string(ms));
      for (const std::string& note : summary.notes) text += " (" + note.substr(0, 20) + ")";
    }
    return text;
  };
  const auto bead = [](const std::string& day, const std::string& estimate) {
    return R"({"id":"bd-1","title":"T","status":"open","created_at":"2024-01-01T00:00:00Z",)"
           R"("updated_at":"2024-01-0)" +
           day + R"(T00:00:00Z")" + estimate + "}";
  };
  CHECK(estimates("beads", {bead("1", R"(,"estimated_minutes":90)"), bead("2", ""),
                            bead("3", R"(,"estimated_minutes":30)")}) == "5400000 - 1800000");
  CHECK(estimates("beads", {bead("1", R"(,"estimated_minutes":0)")}) == "-");
  CHECK(estimates("beads", {bead("1", R"(,"estimated_minutes":-5)")}) ==
        "- (1 field was left out)");
  CHECK(estimates("beads", {bead("1", R"(,"estimated_minutes":1e300)")}) ==
        "- (1 field was left out)");
  const auto issue = [](const std::string& day, const std::string& estimate) {
    return R"([{"key":"A-1","fields":{"summary":"T","created":"2024-01-01T00:00:00.000+0000",)"
           R"("updated":"2024-01-0)" +
           day + R"(T00:00:00.000+0000","status":{"statusCategory":{"key":"new"}})" + estimate +
           "}}]";
  };
  CHECK(estimates("jira", {issue("1", R"(,"timeoriginalestimate":7200)"), issue("2", ""),
                           issue("3", R"(,"timeoriginalestimate":null)")}) == "7200000 7200000 -");
}

TEST_CASE("an estimate of a tracker's task that was said here stays until the tracker says one") {
  Engine engine = test::open(":memory:");
  const auto bead = [](const std::string& day) {
    return R"({"id":"bd-1","title":"T)" + day + R"(","status":"open",)" +
           R"("created_at":"2024-01-01T00:00:00Z","updated_at":"2024-01-0)" + day +
           R"(T00:00:00Z"})";
  };
  test::ingest(engine, bead("1"), "beads", kTestNow, "file");
  NodeUpsert said;
  said.estimate = 60'000;
  Event e;
  e.at = parse_rfc3339("2024-01-02T00:00:00Z").value();
  e.subject = "bd-1";
  e.payload = said;
  engine.append(e);
  test::ingest(engine, bead("3"), "beads", kTestNow, "file");
  const auto& nodes = engine.state().graph().nodes();
  CHECK(nodes.estimate[engine.state().find("bd-1").value()] == 60'000);
}
