// What a tracker counts as not ready is no candidate: docs/trackers.md.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/engine.h"
#include "tests/engine/input_support.h"
#include "tests/support/history.h"

using namespace hebb;

namespace {

using Set = std::set<std::string>;

constexpr TimeMs kLater = kCreated2020 + 40 * test::kDay;

struct Board {
  explicit Board(std::string tracker) : format(std::move(tracker)) {}

  // The notes of the import.
  std::string take(const std::vector<std::string>& items, bool prune = false, TimeMs at = kLater) {
    IngestRequest request;
    const std::string text = fmt::format("[{}]", fmt::join(items, ","));
    request.content = text;
    request.file = "list";
    request.format = find_format(format);
    request.read.now = at;
    request.prune = prune;
    const IngestSummary summary = engine.ingest(request);
    for (const auto& r : summary.refusals) UNSCOPED_INFO(r.refusal.reason + r.refusal.detail);
    CHECK(summary.refused == 0);
    return fmt::format("{}", fmt::join(summary.notes, "\n"));
  }

  Set ready(TimeMs now = kLater) {
    Set ids;
    for (const auto& id : test::ranking(engine, now)) ids.insert(id);
    return ids;
  }

  std::string format;
  Engine engine = [] {
    EngineOptions options;
    options.path = ":memory:";
    return Engine(options);
  }();
};

// `more`: further members, each with a comma before it.
std::string a_bead(const std::string& id, const std::string& more = "",
                   const std::string& status = "open", int updated = 1) {
  return fmt::format(
      R"({{"id":"{}","title":"{}","status":"{}","priority":2,)"
      R"("created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-{:02}T00:00:00Z"{}}})",
      id, id, status, updated, more);
}

std::string on(const std::string& other, const std::string& type, const std::string& more = "") {
  return fmt::format(
      R"({{"depends_on_id":"{}","type":"{}","created_at":"2020-01-01T00:00:00Z"{}}})", other, type,
      more);
}

std::string depends(const std::vector<std::string>& all) {
  return fmt::format(R"(,"dependencies":[{}])", fmt::join(all, ","));
}

std::string typed(const std::string& type) { return fmt::format(R"(,"issue_type":"{}")", type); }

}  // namespace

TEST_CASE("beads: what is behind a dependency that blocks is handed out when that is closed") {
  const auto* type = GENERATE("blocks", "conditional-blocks", "waits-for", "waits_for");
  CAPTURE(type);
  Board board("beads");
  std::vector<std::string> items{a_bead("b-1"), a_bead("b-2", depends({on("b-1", type)}))};
  if (GENERATE(false, true)) std::reverse(items.begin(), items.end());
  CHECK(board.take(items).find("wait") == std::string::npos);
  CHECK(board.ready() == Set{"b-1"});
  board.take({a_bead("b-1", R"(,"closed_at":"2020-01-05T00:00:00Z")", "closed", 5)});
  CHECK(board.ready() == Set{"b-2"});
  board.take({a_bead("b-1", "", "open", 6)});
  CHECK(board.ready() == Set{"b-1"});
}

TEST_CASE("beads: who waits for a bead waits for its parts") {
  const bool any = GENERATE(false, true);
  const std::string gate = R"(,"metadata":"{\"gate\":\"any-children\"}")";
  Board board("beads");
  board.take({a_bead("spawner", "", "closed"),
              a_bead("c-1", depends({on("spawner", "parent-child")})),
              a_bead("c-2", depends({on("spawner", "parent-child")})),
              a_bead("after", depends({on("spawner", "waits-for", any ? gate : "")}))});
  CHECK(board.ready() == Set{"c-1", "c-2"});
  board.take({a_bead("c-1", depends({on("spawner", "parent-child")}), "closed", 3)});
  CHECK(board.ready() == (any ? Set{"c-2", "after"} : Set{"c-2"}));
  board.take({a_bead("c-2", depends({on("spawner", "parent-child")}), "closed", 4)});
  CHECK(board.ready() == Set{"after"});
}

TEST_CASE("beads: the parts of what is held up wait with it, however deep") {
  Board board("beads");
  board.take({a_bead("first"), a_bead("epic", typed("epic") + depends({on("first", "blocks")})),
              a_bead("part", depends({on("epic", "parent-child")})),
              a_bead("deep", depends({on("part", "parent-child")})), a_bead("other")});
  CHECK(board.ready() == Set{"first", "other"});
  board.take({a_bead("first", "", "closed", 3)});
  CHECK(board.ready() == Set{"deep", "other"});
  int day = 4;
  for (const char* status : {"blocked", "deferred"}) {
    CAPTURE(status);
    board.take({a_bead("epic", typed("epic"), status, day++)});
    CHECK(board.ready() == Set{"other"});
    board.take({a_bead("epic", typed("epic"), "open", day++)});
    CHECK(board.ready() == Set{"deep", "other"});
  }
  board.take(
      {a_bead("epic", typed("epic") + R"(,"defer_until":"2020-03-01T00:00:00Z")", "open", day)});
  CHECK(board.ready() == Set{"other"});
  CHECK(board.ready(kLater + 60 * test::kDay) == Set{"deep", "other"});
}

TEST_CASE(
    "beads: an epic is no work while its parts are to be done, nor do they wait for one another") {
  Board board("beads");
  const std::string part = depends({on("epic", "parent-child")});
  // That the epic waits for its own parts is a habit: it does not hold them.
  board.take({a_bead("epic", typed("epic") + depends({on("p-1", "blocks"), on("p-2", "blocks")})),
              a_bead("p-1", part), a_bead("p-2", part), a_bead("decide", typed("decision")),
              a_bead("then", depends({on("decide", "blocks")}))});
  CHECK(board.ready() == Set{"p-1", "p-2"});
  board.take({a_bead("p-1", part, "closed", 3), a_bead("p-2", part, "closed", 3),
              a_bead("decide", typed("decision"), "closed", 3)});
  CHECK(board.ready() == Set{"epic", "then"});
}

TEST_CASE("beads: a gate holds up until it is closed, and is no work") {
  Board board("beads");
  const bool in_parts = GENERATE(false, true);  // of the list
  const std::string waiting = a_bead("task", depends({on("gate-1", "blocks")}));
  const std::string open = a_bead("gate-1", typed("gate")),
                    closed = a_bead("gate-1", typed("gate"), "closed", 5);
  const std::string unused = a_bead("gate-2", typed("gate"));
  if (in_parts) {
    CHECK(board.take({waiting, unused}).find("1 task waits") != std::string::npos);
    board.take({open});
  } else {
    CHECK(board.take({waiting, open, unused}).find("wait") == std::string::npos);
  }
  CHECK(board.ready().empty());
  CHECK_FALSE(board.engine.has_node("gate-2"));
  board.take(in_parts ? std::vector{closed} : std::vector{closed, waiting});
  CHECK(board.ready() == Set{"task"});
  CHECK(board.engine.stats(kLater).outcomes == 0);  // nobody did any work
}

TEST_CASE("beads: what waits for a person does so whatever else of it cannot be read") {
  Board board("beads");
  const std::string odd = R"(,"dependencies":"b-9")";
  board.take({a_bead("b-1", odd + R"(,"labels":["human"])"), a_bead("b-2", odd)});
  CHECK(board.ready() == Set{"b-2"});
  board.take({a_bead("b-1", odd + R"(,"labels":[])", "open", 3)});
  CHECK(board.ready() == Set{"b-1", "b-2"});
}

TEST_CASE("beads: what nobody tells of keeps a task waiting, and is said") {
  Board board("beads");
  const std::vector<std::string> items{
      a_bead("b-1", depends({on("external:other:cap", "blocks")})),
      a_bead("b-2", depends({on("b-99", "blocks"), on("b-98", "blocks")})),
      a_bead("b-3", R"(,"labels":["human"])"),
      a_bead("b-4", depends({on("b-97", "related")})),
      a_bead("b-5", depends({on("b-96", "parent-child")})),
      a_bead("b-6", depends({on("b-95", "blocks")}), "closed", 3)};
  const std::string note =
      "3 tasks wait for what is neither in the list nor known here, and so are not handed out: "
      "b-1 for external:other:cap, b-2 for b-9";
  CHECK(board.take(items).find(note) != std::string::npos);
  CHECK(board.ready() == Set{"b-4", "b-5"});
  CHECK(board.take(items).find(note) != std::string::npos);  // again, and nothing more
  CHECK(board.engine.stats(kLater).nodes ==
        6 + 4 + 1 + 1 + 1 + 1);  // and 4 unknown ones, prio-2, type-task, label-human, the frontier

  // They appear later, each in its own way, in whatever order.
  board.take({a_bead("b-99", "", "closed", 2)});
  CHECK(board.ready() == Set{"b-4", "b-5"});
  board.take({a_bead("b-98")});
  CHECK(board.ready() == Set{"b-4", "b-5", "b-98"});
  board.take({a_bead("b-98", "", "closed", 4)});
  board.take({a_bead("b-1", depends({}), "open", 4), a_bead("b-3", R"(,"labels":[])", "open", 4)});
  CHECK(board.ready() == Set{"b-1", "b-2", "b-3", "b-4", "b-5"});
}

TEST_CASE("a blocker that is listed later has its own times and words") {
  Board late("beads"), whole("beads");
  const std::string waiting = a_bead("b-2", depends({on("b-1", "blocks")}));
  const std::string first =
      R"({"id":"b-1","title":"First","status":"open","created_at":"2019-12-01T00:00:00Z",)"
      R"("updated_at":"2019-12-01T00:00:00Z"})";
  late.take({waiting});
  late.take({first});
  late.take({waiting, first});
  whole.take({waiting, first});
  for (Board* board : {&late, &whole}) {
    CHECK(board->ready() == Set{"b-1"});
    CHECK(board->engine.content("b-1").name == "First");
    const State& s = board->engine.state();
    CHECK(s.graph().nodes().created_at[*s.find("b-1")] == kCreated2020 - 31 * test::kDay);
  }
}

TEST_CASE("beads: a tombstone closes, and what is pinned is neither work nor in the way") {
  Board board("beads");
  board.take({a_bead("gone"), a_bead("after", depends({on("gone", "blocks")})), a_bead("stays"),
              a_bead("free", depends({on("note", "blocks")})), a_bead("note", "", "pinned")});
  CHECK(board.ready() == Set{"gone", "stays", "free"});
  board.take({a_bead("gone", R"(,"deleted_at":"2020-01-05T00:00:00Z")", "tombstone", 5),
              a_bead("never", "", "tombstone"), a_bead("stays", R"(,"pinned":true)", "open", 5)});
  CHECK(board.ready() == Set{"after", "free"});
  CHECK_FALSE(board.engine.has_node("never"));
  board.take({a_bead("gone", "", "open", 7)});
  CHECK(board.ready() == Set{"gone", "free"});
}

TEST_CASE(
    "beads: what becomes pinned holds up neither its whole, nor its parts, nor what it blocks") {
  Board board("beads");
  const std::string part = depends({on("whole", "parent-child")});
  board.take(
      {a_bead("whole"), a_bead("part", part), a_bead("next", depends({on("part", "blocks")}))});
  CHECK(board.ready() == Set{"part"});
  board.take({a_bead("part", part, "pinned", 3)});
  CHECK(board.ready() == Set{"whole", "next"});
  board.take({a_bead("part", part, "open", 4)});
  CHECK(board.ready() == Set{"part"});
  board.take({a_bead("whole", R"(,"defer_until":"2030-01-01T00:00:00Z")", "pinned", 5)});
  CHECK(board.ready() == Set{"part"});
  CHECK(board.engine.stats(kLater).outcomes == 0);
}

TEST_CASE("beads: a reason of closing tells whether the work was done") {
  const auto [reason, done] = GENERATE(table<const char*, bool>({
      {"", true},
      {"Done", true},
      {"Fixed: removed stale cache entries and invalid duplicate rows", true},
      {"Implemented; the old flag is obsolete", true},
      {"wontfix", false},
      {"Won't fix", false},
      {"canceled", false},
      {"Cannot reproduce", false},
      {"Closed as a duplicate of b-2", false},
      {"no longer needed", false},
  }));
  CAPTURE(reason);
  Board board("beads");
  const std::string why =
      fmt::format(R"(,"closed_at":"2020-01-03T00:00:00Z","close_reason":"{}")", reason);
  board.take({a_bead("b-1", why, "closed", 3)});
  CHECK(board.engine.stats(kLater).outcomes == (done ? 1 : 0));
}

TEST_CASE("states that say that the work is over block nothing and are no work, however written") {
  for (const char* over : {"done", "DONE", "Resolved", "cancelled", "canceled", "wontfix",
                           "Won't fix", "won't-do", "MERGED", "duplicate", "Not planned"}) {
    CAPTURE(over);
    Board board("beads");
    board.take({a_bead("b-1", "", over), a_bead("b-2", depends({on("b-1", "blocks")}))});
    CHECK(board.ready() == Set{"b-2"});
    board.take({a_bead("b-1", "", "in_progress", 4)});
    CHECK(board.ready().empty());
  }
  for (const char* not_over : {"in review", "hooked", "backlog", "verwirklicht", "reopened"}) {
    CAPTURE(not_over);
    Board board("beads");
    board.take({a_bead("b-1", "", not_over), a_bead("b-2", depends({on("b-1", "blocks")}))});
    CHECK(board.ready().empty());
  }
}

namespace {

std::string gh_issue(int number, const std::string& more, const std::string& state = "OPEN") {
  return fmt::format(R"({{"number":{},"title":"T","url":"https://github.com/o/r/issues/{}",)"
                     R"("createdAt":"2020-01-01T00:00:00Z","updatedAt":"2020-01-02T00:00:00Z",)"
                     R"("state":"{}","closedAt":{}{}}})",
                     number, number, state, state == "OPEN" ? "null" : R"("2020-01-03T00:00:00Z")",
                     more);
}

std::string gh_other(int number, const std::string& more = "", const std::string& repo = "o/r") {
  return fmt::format(R"({{"number":{},"url":"https://github.com/{}/issues/{}"{}}})", number, repo,
                     number, more);
}

}  // namespace

TEST_CASE("github: dependencies and sub-issues, listed or not") {
  Board board("github");
  CHECK(board
            .take({gh_issue(1, R"(,"blockedBy":[)" + gh_other(50) + "]"),
                   gh_issue(2, R"(,"blockedBy":[)" + gh_other(51, R"(,"state":"CLOSED")") + "]"),
                   gh_issue(3, R"(,"blockedBy":{"nodes":[)" + gh_other(5, "", "a/b") + "]}"),
                   gh_issue(4, R"(,"subIssues":[)" + gh_other(5) + "," + gh_other(52) + "]"),
                   gh_issue(5, R"(,"parent":)" + gh_other(4)),
                   gh_issue(6, R"(,"subIssues":[)" + gh_other(53, R"(,"state":"CLOSED")") + "]")})
            .find("3 tasks wait for what is neither in the list nor known here, and so are not "
                  "handed out: issue-1 for issue-50, issue-3 for github.com/a/b/issue-5, issue-4 "
                  "for issue-52") != std::string::npos);
  CHECK(board.ready() == Set{"issue-2", "issue-5", "issue-6"});
  board.take({gh_issue(50, "", "CLOSED"), gh_issue(52, "", "CLOSED"), gh_issue(5, "", "CLOSED")});
  CHECK(board.ready() == Set{"issue-1", "issue-2", "issue-4", "issue-6"});
}

TEST_CASE("github: counts of what is open, where the lists are not told") {
  Board board("github");
  const auto counts = [](int blockers, int parts) {
    return fmt::format(R"(,"issue_dependencies_summary":{{"blocked_by":{},"total_blocked_by":2}},)"
                       R"("sub_issues_summary":{{"total":2,"completed":{}}})",
                       blockers, 2 - parts);
  };
  board.take({gh_issue(1, counts(1, 0)), gh_issue(2, counts(0, 1)), gh_issue(3, counts(0, 0))});
  CHECK(board.ready() == Set{"issue-3"});
  board.take({gh_issue(1, counts(0, 0)), gh_issue(2, counts(0, 0))}, false, kLater + 1);
  CHECK(board.ready() == Set{"issue-1", "issue-2", "issue-3"});
}

TEST_CASE("taskwarrior: what a task depends on, and when it may be begun") {
  Board board("taskwarrior");
  const auto task = [](const std::string& uuid, const std::string& more,
                       const std::string& status = "pending") {
    return fmt::format(R"({{"uuid":"{}","description":"T","entry":"20200101T000000Z",)"
                       R"("modified":"20200102T000000Z","status":"{}"{}}})",
                       uuid, status, more);
  };
  CHECK(board
            .take({task("a", ""), task("b", R"(,"depends":["a"])"), task("c", R"(,"depends":"zz")"),
                   task("d", R"(,"depends":["r"])"), task("r", "", "recurring"),
                   task("e", R"(,"scheduled":"20200301T000000Z")")})
            .find("c for zz") != std::string::npos);
  CHECK(board.ready() == Set{"a", "d"});
  CHECK(board.ready(kLater + 60 * test::kDay) == Set{"a", "d", "e"});
  board.take({task("a", R"(,"end":"20200103T000000Z")", "deleted"),
              task("zz", R"(,"end":"20200103T000000Z")", "completed")});
  CHECK(board.ready() == Set{"b", "c", "d"});
}
