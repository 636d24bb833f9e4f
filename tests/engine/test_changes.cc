// What an import says of the tasks that were there before.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/history.h"

namespace hebb {
namespace {

using Changed = std::vector<std::string>;

Changed changed(const std::string& format, const std::string& before, const std::string& after) {
  Engine engine = test::open(":memory:");
  CHECK(test::ingest(engine, before, format, test::kStart, "file").changed.empty());
  auto summary = test::ingest(engine, after, format, test::kStart + test::kDay, "file");
  CHECK(summary.refused == 0);
  CHECK(summary.tasks_changed == summary.changed.size());
  CHECK(test::ingest(engine, after, format, test::kStart + test::kDay, "file").changed.empty());
  return summary.changed;
}

std::string beads(const std::string& more) {
  return R"({"id":"bd-0","title":"Other","created_at":"2020-01-01T00:00:00Z"})"
         "\n"
         R"({"id":"bd-1","title":"T","created_at":"2020-01-01T00:00:00Z","updated_at":)"
         R"("2020-01-02T00:00:00Z")" +
         more + "}\n";
}
std::string later(const std::string& more) {  // the same under a later time
  std::string text = beads(more);
  text.replace(text.find("01-02"), 5, "01-03");
  return text;
}
std::string depends(const std::string& type) {
  return R"(,"dependencies":[{"depends_on_id":"bd-0","type":")" + type + R"("}])";
}

}  // namespace

TEST_CASE("an import names every field of a task that it changed") {
  struct Case {
    std::string before, after, said;
  };
  const std::vector<Case> cases{
      {"", R"(,"status":"in_progress")", "bd-1: is IN_PROGRESS"},
      {"", R"(,"labels":["ui"])", "bd-1: label-ui added"},
      {R"(,"labels":["ui","db"])", R"(,"labels":["ui","api"])",
       "bd-1: label-api added, label-db taken away"},
      {"", R"(,"assignee":"ann")", "bd-1: assignee user-ann added"},
      {R"(,"assignee":"ann")", R"(,"assignee":"bob")",
       "bd-1: assignee user-bob added, assignee user-ann taken away"},
      {R"(,"description":"a")", R"(,"description":"b")", "bd-1: another description"},
      {R"(,"due_at":"2020-02-01T00:00:00Z")", R"(,"due_at":"2020-02-03T00:00:00Z")",
       "bd-1: due 2020-02-03T00:00:00Z"},
      {R"(,"due_at":"2020-02-01T00:00:00Z")", "", "bd-1: no due date"},
      {"", R"(,"defer_until":"2020-02-03T00:00:00Z")", "bd-1: snoozed until 2020-02-03T00:00:00Z"},
      {"", depends("blocks"), "bd-1: blocker bd-0 added"},
      {depends("blocks"), "", "bd-1: blocker bd-0 taken away"},
      {"", depends("parent-child"), "bd-1: parent bd-0 added"},
      {"", depends("related"), "bd-1: CROSS_REFERENCES bd-0 added"},
  };
  for (const Case& c : cases) {
    INFO(c.before << " then " << c.after);
    CHECK(changed("beads", beads(c.before), later(c.after)) == Changed{c.said});
  }
  CHECK(changed("beads", beads(R"(,"priority":2)"), later(R"(,"priority":0)")) ==
        Changed{"bd-1: priority 0"});
  std::string renamed = later(R"(,"status":"closed")");
  renamed.replace(renamed.find(R"("T")"), 3, R"("New")");
  const auto two = changed("beads", beads(""), renamed);
  CHECK(two == Changed{"bd-1: is CLOSED, another title"});
  CHECK(changed("beads", beads(""), later("")).empty());
}

TEST_CASE("an import of one issue names what it changed") {
  const auto issue = [](const std::string& labels, const std::string& updated) {
    return fmt::format(
        R"({{"number":1,"title":"T","state":"OPEN","createdAt":"2020-01-01T00:00:00Z",)"
        R"("updatedAt":"2020-01-{}T00:00:00Z","labels":[{}],"milestone":{}}})",
        updated, labels, labels.empty() ? R"({"title":"1.0"})" : "null");
  };
  CHECK(changed("github", issue("", "02"), issue(R"({"name":"ui"})", "03")) ==
        Changed{"issue-1: label-ui added, milestone-1.0 taken away"});
}

TEST_CASE("of many tasks that an import changed a hundred are named, and all are counted") {
  const auto list = [](const char* state) {
    std::string text;
    for (int i = 0; i < 150; ++i)
      text += fmt::format(R"({{"id":"bd-{}","title":"T","status":"{}"}})"
                          "\n",
                          i, state);
    return text;
  };
  Engine engine = test::open(":memory:");
  test::ingest(engine, list("open"), "beads", test::kStart, "file");
  const auto summary = test::ingest(engine, list("in_progress"), "beads", test::kStart + 1, "file");
  CHECK(summary.changed.size() == 100);
  CHECK(summary.tasks_changed == 150);
}

}  // namespace hebb
