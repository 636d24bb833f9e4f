// What `gh issue list --json …` prints.
#include <set>

#include <catch2/catch.hpp>

#include "tests/engine/input_support.h"
#include "tests/support/history.h"

using namespace hebb;
using hebb::test::kDay;

namespace {

std::string issue(int number, const std::string& more, const std::string& title = "Title") {
  return R"({"number":)" + std::to_string(number) + R"(,"title":")" + title +
         R"(","body":"Body","createdAt":"2020-01-01T00:00:00Z")" + more + "}";
}
const std::string kOpenIssue =
    R"(,"state":"OPEN","stateReason":"","closedAt":null,"labels":[],"updatedAt":"2020-01-01T00:00:00Z")";
std::string closed(const std::string& reason) {
  return R"(,"state":"CLOSED","closedAt":"2020-01-03T00:00:00Z","updatedAt":"2020-01-03T00:00:00Z","labels":[],"stateReason":")" +
         reason + "\"";
}
std::string summary(
    const std::vector<Got>& all) {  // "node issue-1@0 …", times in days since creation
  std::string out;
  for (const Got& got : all) {
    if (!reason_of(got).empty()) {
      out += reason_of(got) + " ";
      continue;
    }
    const Event& event = event_of(got);
    out += std::string(kind_name(event.payload)) + " " + event.subject + "@" +
           std::to_string((event.at - kCreated2020) / kDay) + " ";
  }
  return out;
}
std::set<std::string> keys(const std::vector<Got>& all) {
  std::set<std::string> out;
  for (const Got& got : all) out.insert(event_of(got).key);
  return out;
}

}  // namespace

TEST_CASE("an open issue") {
  const auto all = read_all(read_github, "[" + issue(1, kOpenIssue) + "]");
  REQUIRE(summary(all) == "node issue-1@0 ");
  const auto& node = payload_of<NodeUpsert>(all[0]);
  CHECK(node.type == "ISSUE");
  CHECK(node.state == "OPEN");
  CHECK(node.name == "Title");
  CHECK(node.description == "Body");
  CHECK(all[0].text == issue(1, kOpenIssue));
}

TEST_CASE("labels come before the issues that have them, made at their first use") {
  const std::string labelled =
      R"(,"state":"OPEN","labels":[{"id":"x","name":"bug"}],"updatedAt":"2020-01-01T00:00:00Z")";
  const std::string later =
      R"({"number":2,"title":"T","body":null,"state":"OPEN",)"
      R"("createdAt":"2020-01-02T00:00:00Z","labels":[{"name":"bug"},{"name":"ui"}]})";
  const auto all = read_all(read_github, "[" + later + "," + issue(1, labelled) + "]");
  CHECK(summary(all).find("edge issue-1@0 ") != std::string::npos);
  std::map<std::string, TimeMs> made;
  for (const Got& got : all) {
    const Event& event = event_of(got);
    if (std::holds_alternative<NodeUpsert>(event.payload)) made.emplace(event.subject, event.at);
    if (const auto* link = std::get_if<Link>(&event.payload)) {
      CHECK(link->type == "LABELED_AS");
      CHECK(made.count(event.subject) == 1);  // before the edge, both ends
      CHECK(made.count(link->target) == 1);
    }
  }
  CHECK(made == std::map<std::string, TimeMs>{{"issue-1", kCreated2020},
                                              {"issue-2", kCreated2020 + kDay},
                                              {"label-bug", kCreated2020},
                                              {"label-ui", kCreated2020 + kDay}});
}

TEST_CASE("closings: completed is a success, not planned a failure, others say nothing") {
  const auto completed = read_all(read_github, "[" + issue(1, closed("COMPLETED")) + "]");
  CHECK(summary(completed) == "node issue-1@0 node issue-1@2 outcome issue-1@2 ");
  const auto& success = payload_of<OutcomeSignal>(completed[2]);
  CHECK(success.outcome == OutcomeKind::success);
  CHECK(event_of(completed[2]).key == "5:issue-1/closed/2020-01-03T00:00:00Z");
  CHECK(summary(read_all(read_github, "[" + issue(1, closed("")) + "]")) == summary(completed));

  const auto dropped = read_all(read_github, "[" + issue(1, closed("NOT_PLANNED")) + "]");
  CHECK(summary(dropped) == "node issue-1@0 node issue-1@2 state issue-1@2 outcome issue-1@2 ");
  CHECK(payload_of<StateChange>(dropped[2]).state == "CLOSED");
  CHECK(payload_of<OutcomeSignal>(dropped[3]).outcome == OutcomeKind::failure);

  CHECK(summary(read_all(read_github, "[" + issue(1, closed("DUPLICATE")) + "]")) ==
        "node issue-1@0 node issue-1@2 state issue-1@2 ");
}

TEST_CASE("a reopened issue is open again when it was updated") {
  const std::string reopened =
      R"(,"state":"OPEN","stateReason":"REOPENED","closedAt":null,"updatedAt":"2020-01-05T00:00:00Z")";
  const auto all = read_all(read_github, "[" + issue(1, reopened) + "]");
  REQUIRE(summary(all) == "node issue-1@0 node issue-1@4 state issue-1@4 ");
  CHECK(payload_of<StateChange>(all[2]).state == "OPEN");
}

TEST_CASE("a later export adds only what is new") {
  const std::string updated =
      R"(,"state":"OPEN","labels":[{"name":"bug"}],"updatedAt":"2020-01-02T00:00:00Z")";
  const auto first = read_all(read_github, "[" + issue(1, updated) + "]");
  CHECK(keys(first) == keys(read_all(read_github, "[" + issue(1, updated) + "]")));

  const std::string renamed =
      R"(,"state":"OPEN","labels":[{"name":"bug"}],"updatedAt":"2020-01-04T00:00:00Z")";
  std::vector<std::string> fresh;
  for (const Got& got : read_all(read_github, "[" + issue(1, renamed, "New title") + "]")) {
    if (keys(first).count(event_of(got).key) != 0) continue;
    fresh.push_back(event_of(got).subject);
    CHECK(event_of(got).at == kCreated2020 + 3 * kDay);
    CHECK(payload_of<NodeUpsert>(got).name == "New title");
    CHECK_FALSE(payload_of<NodeUpsert>(got).state);  // an update opens nothing
  }
  CHECK(fresh == std::vector<std::string>{"issue-1"});
}

TEST_CASE("a bad issue gives nothing, its neighbours everything") {
  const auto with = [](const std::string& bad) {
    return summary(read_all(read_github, "[" + bad + ",\n" + issue(2, kOpenIssue) + "]"));
  };
  CHECK(with(R"({"title":"T"})") == "missing_field node issue-2@0 ");
  CHECK(with(issue(0, kOpenIssue)) == "out_of_range node issue-2@0 ");
  CHECK(with(issue(1, R"(,"state":"MERGED")")) == "bad_value node issue-2@0 ");
  // When it was closed, or a label, is a field that an issue can do without.
  const std::string both = "node issue-1@0 node issue-2@0 ";
  const std::string closed = "node issue-1@0 node issue-2@0 outcome issue-1@0 ";
  CHECK(with(issue(1, R"(,"state":"CLOSED")")) == closed);
  CHECK(with(issue(1, R"(,"state":"CLOSED","closedAt":"x")")) == closed);
  CHECK(with(issue(1, R"(,"state":"OPEN","labels":[7])")) == both);
  CHECK(with(issue(1, R"(,"state":"OPEN","labels":[{"name":")" + std::string(507, 'x') + "\"}]")) ==
        both);
  CHECK(with(issue(1, kOpenIssue + R"(,"state":"OPEN")")) == "duplicate_key node issue-2@0 ");
  CHECK(with("7") == "wrong_type node issue-2@0 ");
}

TEST_CASE("one issue, as a dead letter is retried; what is no JSON is refused") {
  CHECK(summary(read_all(read_github, issue(1, kOpenIssue))) == "node issue-1@0 ");
  CHECK(read_all(read_github, "[]").empty());
  CHECK_THROWS_AS(read_all(read_github, ""), UnreadableInput);
  CHECK(reason_of(read_github, "no issues\n") == "not_json");
  CHECK_THROWS_AS(read_all(read_github, "[" + issue(1, kOpenIssue)), UnreadableInput);
  CHECK(read_all(read_github, issue(1, kOpenIssue) + "\n" + issue(2, kOpenIssue)).size() == 2);
}

TEST_CASE("a long body is cut between two characters") {
  std::string body;
  for (int i = 0; i < 3000; ++i) body += "\xc3\xa9";
  const auto all =
      read_all(read_github, R"([{"number":1,"title":"T","body":"x)" + body +
                                R"(","createdAt":"2020-01-01T00:00:00Z")" + kOpenIssue + "}]");
  REQUIRE(all.size() == 1);
  CHECK(payload_of<NodeUpsert>(all[0]).description == "x" + body.substr(0, 4094));
}

TEST_CASE("a time of any length is refused or read, and ends nothing") {
  const std::string fraction(600, '1');
  const auto all =
      read_all(read_github, "[" +
                                issue(1, R"(,"state":"CLOSED","closedAt":"2026-01-02T00:00:00.)" +
                                             fraction + R"(Z","stateReason":"COMPLETED")") +
                                "]");
  REQUIRE(all.size() == 1);
  CHECK(reason_of(all[0]) == "id_too_long");
}
