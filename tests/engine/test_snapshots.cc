// A later snapshot of a tracker is a difference.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/engine.h"
#include "tests/engine/input_support.h"
#include "tests/support/history.h"

using namespace hebb;
using hebb::test::kDay;

namespace {

constexpr TimeMs kMonthLater = kCreated2020 + 30 * kDay;

Engine fresh() {
  EngineOptions options;
  options.path = ":memory:";
  return Engine(options);
}

IngestSummary take_snapshot(Engine& engine, std::string_view format, std::string_view text,
                            bool prune = false, TimeMs now = kMonthLater) {
  IngestRequest request;
  request.content = text;
  request.file = "snapshot";
  for (const Format& f : formats()) {
    if (f.name == format) request.format = &f;
  }
  request.read.now = now;
  request.prune = prune;
  IngestSummary summary = engine.ingest(request);
  for (const auto& r : summary.refusals) UNSCOPED_INFO(r.refusal.reason + r.refusal.detail);
  CHECK(summary.refused == 0);
  return summary;
}

std::string labelled_issue(int number, const std::string& title, const std::string& labels,
                           const std::string& updated,
                           const std::string& more = R"(,"state":"OPEN")") {
  return fmt::format(R"({{"number":{},"title":"{}","body":"","createdAt":"2020-01-01T00:00:00Z",)"
                     R"("updatedAt":"2020-01-{}T00:00:00Z","labels":[{}]{}}})",
                     number, title, updated, labels, more);
}

std::optional<TimeMs> touched(Engine& engine, const EdgeName& name) {
  const State& s = engine.state();
  const auto e = s.find_edge(name);
  if (!e) return std::nullopt;
  return s.graph().edges().touched_at[*e];
}

std::string state_of(Engine& engine, const std::string& id) {
  const State& s = engine.state();
  return std::string(s.graph().states().name(s.graph().nodes().state[*s.find(id)]));
}

const std::string kBug = R"({"name":"bug"})", kUi = R"({"name":"ui"})";

}  // namespace

TEST_CASE("a label that is gone is unlinked, and a new one is of the snapshot's day") {
  Engine engine = fresh();
  take_snapshot(engine, "github", "[" + labelled_issue(1, "T", kBug, "01") + "]");
  CHECK(touched(engine, {"issue-1", "label-bug", "LABELED_AS"}) == kCreated2020);

  take_snapshot(engine, "github", "[" + labelled_issue(1, "T", kUi, "05") + "]");
  CHECK_FALSE(touched(engine, {"issue-1", "label-bug", "LABELED_AS"}));
  CHECK(touched(engine, {"issue-1", "label-ui", "LABELED_AS"}) == kCreated2020 + 4 * kDay);

  // And back again.
  const std::string third = "[" + labelled_issue(1, "T", kBug + "," + kUi, "09") + "]";
  CHECK(take_snapshot(engine, "github", third).refused == 0);
  CHECK(touched(engine, {"issue-1", "label-bug", "LABELED_AS"}) == kCreated2020 + 8 * kDay);
  CHECK(touched(engine, {"issue-1", "label-ui", "LABELED_AS"}) == kCreated2020 + 4 * kDay);
  CHECK(take_snapshot(engine, "github", third).applied == 0);

  // What was not asked for says nothing.
  take_snapshot(engine, "github",
                R"([{"number":1,"title":"T","state":"OPEN","createdAt":"2020-01-01T00:00:00Z",)"
                R"("updatedAt":"2020-01-20T00:00:00Z"}])");
  CHECK(touched(engine, {"issue-1", "label-bug", "LABELED_AS"}));
}

TEST_CASE("a label that was given by hand after the snapshot stays") {
  Engine engine = fresh();
  take_snapshot(engine, "github", "[" + labelled_issue(1, "T", kBug + "," + kUi, "01") + "]");
  take_snapshot(engine, "github", "[" + labelled_issue(2, "T", kBug, "01") + "]");
  Event by_hand;
  by_hand.at = kCreated2020 + 6 * kDay;
  by_hand.subject = "issue-2";
  by_hand.payload = Link{"label-ui", "LABELED_AS", 1.0, {}};
  engine.append(by_hand);
  take_snapshot(engine, "github", "[" + labelled_issue(2, "T", kBug, "03") + "]");
  CHECK(touched(engine, {"issue-2", "label-ui", "LABELED_AS"}) == kCreated2020 + 6 * kDay);
}

TEST_CASE("a title that changed gets a new vector") {
  Engine engine = fresh();
  take_snapshot(engine, "github", "[" + labelled_issue(1, "parse the file", "", "01") + "]");
  const auto vector = [&] {
    const auto row = engine.state().vectors().row(*engine.state().find("issue-1"));
    return std::vector<float>(row.begin(), row.end());
  };
  const auto before = vector();
  REQUIRE_FALSE(before.empty());
  // Without a time of change it is of the time of the import.
  take_snapshot(engine, "github",
                R"([{"number":1,"title":"draw the window","body":"","state":"OPEN",)"
                R"("createdAt":"2020-01-01T00:00:00Z"}])");
  CHECK(vector() != before);
  CHECK(engine.content("issue-1").name == "draw the window");
  CHECK(engine.state().graph().nodes().updated_at[*engine.state().find("issue-1")] == kMonthLater);
}

TEST_CASE("states follow the snapshot") {
  Engine engine = fresh();
  const auto bead = [](const std::string& status, const std::string& day,
                       const std::string& more = "") {
    return fmt::format(
        R"({{"id":"bd-1","title":"T","status":"{}","priority":2,"issue_type":"task",)"
        R"("created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-{}T00:00:00Z"{}}})"
        "\n",
        status, day, more);
  };
  take_snapshot(engine, "beads", bead("open", "01"));
  CHECK(state_of(engine, "bd-1") == "OPEN");
  take_snapshot(engine, "beads", bead("in_progress", "02"));
  CHECK(state_of(engine, "bd-1") == "IN_PROGRESS");
  take_snapshot(engine, "beads", bead("open", "03"));
  CHECK(state_of(engine, "bd-1") == "OPEN");
  take_snapshot(engine, "beads", bead("closed", "04", R"(,"closed_at":"2020-01-04T00:00:00Z")"));
  CHECK(state_of(engine, "bd-1") == "CLOSED");
  take_snapshot(engine, "beads", bead("open", "05"));
  CHECK(state_of(engine, "bd-1") == "OPEN");
  CHECK(engine.state().graph().nodes().reopened_at[*engine.state().find("bd-1")] ==
        kCreated2020 + 4 * kDay);
}

TEST_CASE("what a tracker says of a task, it says, and takes back") {
  Engine engine = fresh();
  const auto task = [](const std::string& more, const std::string& day) {
    return R"([{"uuid":"u","description":"d","status":"pending","entry":"20200101T000000Z",)"
           R"("modified":"202001)" +
           day + R"(T000000Z")" + more + "}]";
  };
  const auto nodes = [&]() -> const graph::NodeColumns& { return engine.state().graph().nodes(); };
  take_snapshot(
      engine, "taskwarrior",
      task(R"(,"priority":"H","due":"20200301T000000Z","wait":"20200201T000000Z")", "01"));
  const auto n = *engine.state().find("u");
  CHECK(int{nodes().priority[n]} == 1);
  CHECK(nodes().due_at[n] == kCreated2020 + 60 * kDay);
  CHECK(nodes().snoozed_until[n] == kCreated2020 + 31 * kDay);
  take_snapshot(engine, "taskwarrior", task(R"(,"priority":"L")", "02"));
  CHECK(int{nodes().priority[n]} == 3);
  CHECK(nodes().due_at[n] == graph::kNever);
  CHECK(nodes().snoozed_until[n] == graph::kNever);
}

TEST_CASE("a dependency that is gone is unlinked") {
  Engine engine = fresh();
  const auto beads = [](const std::string& dependencies, const std::string& day) {
    return std::string(
               R"({"id":"bd-1","title":"T","priority":2,"created_at":"2020-01-01T00:00:00Z"})"
               "\n") +
           R"({"id":"bd-2","title":"T","priority":2,"created_at":"2020-01-01T00:00:00Z",)" +
           R"("updated_at":"2020-01-)" + day + R"(T00:00:00Z")" + dependencies + "}\n";
  };
  const std::string blocked =
      R"(,"dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks",)"
      R"("created_at":"2020-01-02T00:00:00Z"}])";
  take_snapshot(engine, "beads", beads(blocked, "02"));
  CHECK(touched(engine, {"bd-1", "bd-2", "BLOCKS"}) == kCreated2020 + kDay);
  take_snapshot(engine, "beads", beads("", "03"));
  CHECK_FALSE(touched(engine, {"bd-1", "bd-2", "BLOCKS"}));
}

TEST_CASE("what is gone from a list is told, and closed where that is asked for") {
  Engine engine = fresh();
  const std::string one = labelled_issue(1, "T", "", "01"), two = labelled_issue(2, "T", "", "01");
  CHECK(take_snapshot(engine, "github", "[" + one + "," + two + "]").gone.empty());
  // One that never came from there is nobody's business.
  Event own;
  own.at = kCreated2020;
  own.subject = "issue-9";
  NodeUpsert node;
  node.type = "ISSUE";
  node.state = "OPEN";
  own.payload = node;
  engine.append(own);

  const auto told = take_snapshot(engine, "github", "[" + one + "]");
  CHECK(told.gone == std::vector<std::string>{"issue-2"});
  CHECK(told.pruned == 0);
  CHECK(state_of(engine, "issue-2") == "OPEN");
  CHECK(take_snapshot(engine, "github", one).gone.empty());  // one that is shown is no list
  CHECK(take_snapshot(engine, "beads", "").gone.empty());

  const auto pruned = take_snapshot(engine, "github", "[" + one + "]", true);
  CHECK(pruned.pruned == 1);
  CHECK(state_of(engine, "issue-2") == "CLOSED");
  CHECK(state_of(engine, "issue-1") == "OPEN");
  CHECK(take_snapshot(engine, "github", "[" + one + "]", true).gone.empty());
}

TEST_CASE("a report with --each says what is new of its tests") {
  Engine engine = fresh();
  const auto report = [](const std::string& day, bool fails) {
    return fmt::format(
        R"(<testsuites><testsuite name="pytest" timestamp="2020-01-{}T00:00:00Z">)"
        R"(<testcase classname="tests.test_a.TestX" name="test_one[1-2]" file="tests/test_a.py")"
        R"( time="0.25">{}</testcase>)"
        R"(<testcase classname="tests.test_a" name="test_two" file="tests/test_a.py" time="1"/>)"
        R"(<testcase classname="tests.test_a" name="test_three"><skipped/></testcase>)"
        R"(</testsuite></testsuites>)",
        day, fails ? "<failure>no</failure>" : "");
  };
  TimeMs now = kMonthLater;
  const auto ingest = [&](const std::string& text, std::vector<std::string> changed = {}) {
    IngestRequest request;
    request.content = text;
    request.format = &formats()[2];
    REQUIRE(request.format->name == "junit");
    request.read.now = now;
    request.read.each = true;
    request.read.changed = std::move(changed);
    return engine.ingest(request);
  };
  const std::string one = "tests.test_a.TestX.test_one[1-2]";
  Event policy;
  policy.at = kCreated2020 - kDay;
  policy.subject = "policy";
  policy.payload = PolicyChange{false, {{"close_on_success", "false"}}};
  engine.append(policy);

  const auto first = ingest(report("02", true), {"src/a.py"});
  CHECK(first.refused == 0);
  CHECK(first.applied == 12);  // 5 nodes, 4 contexts, an edge to the file that changed, 2 outcomes
  CHECK(touched(engine, {one, "tests/test_a.py", "LABELED_AS"}));
  CHECK(touched(engine, {one, "suite-pytest", "LABELED_AS"}));
  CHECK(touched(engine, {one, "src/a.py", "FAILS_WITH"}));
  CHECK_FALSE(touched(engine, {"tests.test_a.test_two", "src/a.py", "FAILS_WITH"}));
  CHECK_FALSE(engine.has_node("tests.test_a.test_three"));
  CHECK(touched(engine, {"frontier", one, "REWARD_NEGATIVE"}));
  CHECK(state_of(engine, "tests.test_a.test_two") == "OPEN");

  CHECK(ingest(report("02", true), {"src/a.py"}).applied == 0);  // the same report counts once
  CHECK(ingest(report("03", false)).applied == 2);               // and a later one its outcomes

  // One that does not say when it was counts once as well, whenever it is given.
  std::string undated = report("04", true);
  const std::string when = R"( timestamp="2020-01-04T00:00:00Z")";
  undated.erase(undated.find(when), when.size());
  CHECK(ingest(undated, {"src/a.py"}).applied == 3);  // an edge and 2 outcomes
  now += kDay;
  CHECK(ingest(undated, {"src/a.py"}).applied == 0);
}

TEST_CASE(
    "where tests are tasks, one that was closed is open again when it reports, once a report") {
  Engine engine = fresh();
  Event policy;
  policy.at = kCreated2020 - kDay;
  policy.subject = "policy";
  policy.payload = PolicyChange{false, {{"test.by_failures", "false"}}};
  engine.append(policy);
  const auto ingest = [&](const std::string& day, const char* verdict) {
    const std::string report = fmt::format(
        R"(<testsuite timestamp="2020-01-{}T00:00:00Z"><testcase name="a" classname="a" status="run">{})"
        R"(</testcase></testsuite>)",
        day, verdict);
    IngestRequest request;
    request.content = report;
    request.format = &formats()[2];
    REQUIRE(request.format->name == "junit");
    request.read.now = kMonthLater;
    request.read.each = true;
    return engine.ingest(request);
  };
  ingest("02", "");
  CHECK(state_of(engine, "a") == "CLOSED");
  CHECK(ingest("03", "<failure/>").applied == 2);
  CHECK(state_of(engine, "a") == "OPEN");
  ingest("04", "");
  CHECK(state_of(engine, "a") == "CLOSED");
  CHECK(ingest("03", "<failure/>").applied == 0);
  CHECK(state_of(engine, "a") == "CLOSED");
}

TEST_CASE("a snapshot that linked something new says nothing new when it is given again") {
  Engine engine = fresh();
  take_snapshot(engine, "github", "[" + labelled_issue(1, "One", kUi, "02") + "]");
  const std::string later = "[" + labelled_issue(1, "One", kUi + "," + kBug, "05") + "]";
  CHECK(take_snapshot(engine, "github", later).applied > 0);
  const EdgeName edge{"issue-1", "label-bug", "LABELED_AS"};
  const double before = hebb::test::weight(engine.state(), edge);
  for (int i = 0; i < 2; ++i) CHECK(take_snapshot(engine, "github", later).applied == 0);
  CHECK(hebb::test::weight(engine.state(), edge) == before);

  Engine beads = fresh();
  const auto bead = [](int n, const char* more) {
    return fmt::format(R"({{"id":"bd-{}","title":"t","created_at":"2020-01-01T00:00:00Z"{}}})", n,
                       more) +
           "\n";
  };
  take_snapshot(beads, "beads", bead(1, "") + bead(2, ""));
  const std::string blocked =
      bead(1, "") +
      bead(2, R"(,"dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks"}])");
  CHECK(take_snapshot(beads, "beads", blocked).applied == 1);
  for (int i = 0; i < 2; ++i) CHECK(take_snapshot(beads, "beads", blocked).applied == 0);
}

TEST_CASE("a snapshot takes back what an earlier one said, also without a later time") {
  Engine engine = fresh();
  const std::string one = labelled_issue(1, "One", kBug, "02"),
                    two = labelled_issue(2, "Two", kBug, "02");
  const std::string both = "[" + one + "," + two + "]";
  take_snapshot(engine, "github", both);
  take_snapshot(engine, "github", "[" + one + "]", true);
  REQUIRE(state_of(engine, "issue-2") == "CLOSED");
  CHECK(take_snapshot(engine, "github", both).applied == 1);
  CHECK(state_of(engine, "issue-2") == "OPEN");
  CHECK(take_snapshot(engine, "github", both).applied == 0);

  // What was closed here stays closed.
  engine.append(hebb::test::success(kMonthLater, "issue-1", {}));
  take_snapshot(engine, "github", both);
  CHECK(state_of(engine, "issue-1") == "CLOSED");

  // A label that is renamed and renamed back changes no issue's time.
  for (const std::string& label : {kUi, kBug, kUi, kBug}) {
    const std::string text = "[" + one + "," + labelled_issue(2, "Two", label, "02") + "]";
    take_snapshot(engine, "github", text);
    CHECK(touched(engine, {"issue-2", "label-ui", "LABELED_AS"}).has_value() == (label == kUi));
    CHECK(touched(engine, {"issue-2", "label-bug", "LABELED_AS"}).has_value() == (label == kBug));
    CHECK(take_snapshot(engine, "github", text).applied == 0);
  }

  Engine beads = fresh();
  const auto bead = [](const char* updated, const char* dependencies) {
    return fmt::format(R"({{"id":"bd-2","title":"t","created_at":"2020-01-01T00:00:00Z",)"
                       R"("updated_at":"2020-01-{}T00:00:00Z","dependencies":[{}]}})",
                       updated, dependencies) +
           "\n" + R"({"id":"bd-1","title":"t","created_at":"2020-01-01T00:00:00Z"})" + "\n";
  };
  const char* blocked = R"({"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks",)"
                        R"("created_at":"2020-01-02T00:00:00Z"})";
  const EdgeName edge{"bd-1", "bd-2", "BLOCKS"};
  take_snapshot(beads, "beads", bead("02", blocked));
  CHECK(touched(beads, edge));
  take_snapshot(beads, "beads", bead("03", ""));
  CHECK_FALSE(touched(beads, edge));
  take_snapshot(beads, "beads", bead("04", blocked));
  CHECK(touched(beads, edge));
  CHECK(take_snapshot(beads, "beads", bead("04", blocked)).applied == 0);
}

TEST_CASE("a task that a snapshot has twice is taken as it was updated last, each time") {
  const std::string open = labelled_issue(1, "Before", kBug, "02");
  const std::string closed = labelled_issue(
      1, "After", kUi, "05",
      R"(,"state":"CLOSED","stateReason":"COMPLETED","closedAt":"2020-01-05T00:00:00Z")");
  for (const std::string& both : {open + "," + closed, closed + "," + open}) {
    Engine engine = fresh();
    const std::string text = "[" + both + "]";
    take_snapshot(engine, "github", text);
    CHECK(state_of(engine, "issue-1") == "CLOSED");
    CHECK(touched(engine, {"issue-1", "label-ui", "LABELED_AS"}));
    CHECK_FALSE(touched(engine, {"issue-1", "label-bug", "LABELED_AS"}));
    const auto position = engine.ledger().last_position();
    CHECK(take_snapshot(engine, "github", text).applied == 0);
    CHECK(engine.ledger().last_position() == position);
  }
  // Without a time the later line counts.
  Engine engine = fresh();
  const std::string task = R"({"uuid":"u","entry":"20200101T000000Z","description":"x",)";
  take_snapshot(engine, "taskwarrior",
                "[" + task + R"("status":"pending"},)" + task +
                    R"("status":"deleted","end":"20200103T000000Z"}])");
  CHECK(state_of(engine, "u") == "CLOSED");
}
