#include <catch2/catch.hpp>

#include "capture/actions/score.h"
#include "tests/capture/actions_support.h"

namespace hebb::capture::test {
namespace {

constexpr std::int64_t kNow = kStart + 1'000'000;

class Scored : public Log {
 public:
  Scored() : engine(EngineOptions{.path = path}) {}

  ScoreReport score(std::int64_t now = kNow) { return score_actions(db, engine, now); }
  void node(const std::string& id, const std::string& type = "CLASS") {
    NodeUpsert upsert;
    upsert.type = type;
    engine.append(Event{0, kStart, id, event_key(upsert, "test:" + id), std::move(upsert)});
  }
  double weight(const std::string& tool, const std::string& node) {
    const auto edge = engine.state().find_edge({tool, node, "VALIDATES"});
    return edge ? engine.state().graph().edges().weight[*edge] : 0;
  }
  std::int64_t events() { return db.scalar("SELECT count(*) FROM event"); }

  Engine engine;
};

}  // namespace

TEST_CASE("score: what changed something, only navigated, failed") {
  Scored log;
  log.add(
      {row(0, "changed", "open_page"), row(1, "changed", "click"), row(2, "changed", "get_text")});
  log.add({row(10, "navigated", "navigate"), row(11, "navigated", "list_files")});
  log.add({row(20, "failed", "click"), failed(row(21, "failed", "submit"))});
  log.add({failed(row(30, "recovered", "click")), row(31, "recovered", "click"),
           row(32, "recovered", "click")});
  log.add({failed(row(40, "all failed", "click")), failed(row(41, "all failed", "get"))});
  const ScoreReport report = log.score();
  CHECK(report.sequences == 5);
  CHECK(report.changed == 2);
  CHECK(report.navigated == 1);
  CHECK(report.failed == 2);
  CHECK(log.reward("changed") == 1.0);
  CHECK(log.reward("navigated") == 0.0);
  CHECK(log.reward("failed") == -1.0);
  CHECK(log.reward("recovered") == Approx(2.0 / 3));
  CHECK(log.reward("all failed") == -1.0);
  for (const ActionRow& r : log.rows()) CHECK(r.reward == log.reward(r.sequence_id));
}

TEST_CASE("score: what drives or looks at a browser changes nothing, whatever its server says") {
  for (const char* tool : {"browser_hover",
                           "browser_resize",
                           "browser_tabs",
                           "browser_navigate",
                           "browser_evaluate",
                           "browser_navigate_back",
                           "browser_close",
                           "browser_emulate_media",
                           "take_snapshot",
                           "take_heapsnapshot",
                           "new_page",
                           "close_page",
                           "evaluate_script",
                           "navigate_page",
                           "resize_page",
                           "performance_start_trace",
                           "lighthouse_audit",
                           "screencast_start",
                           "browser_wait_for",
                           "puppeteer_screenshot",
                           "browser_scroll",
                           "setViewportSize",
                           "hover",
                           "navigate",
                           "navigate_back",
                           "resize",
                           "tabs",
                           "select_page",
                           "evaluate",
                           "snapshot",
                           "console_messages",
                           "network_requests",
                           "wait_for",
                           "wait",
                           "performance_stop_trace",
                           "go_back",
                           "reload_page",
                           "puppeteer_evaluate",
                           "browser_tab_new",
                           "browser_network_requests",
                           "browser_console_messages"}) {
    CAPTURE(tool);
    CHECK_FALSE(changes_state(tool, false));
    CHECK_FALSE(changes_state(tool, std::nullopt));
  }
  for (const char* tool : {"browser_click", "fill_form", "close_issue", "create_page", "type_text",
                           "update_status", "delete_snapshot", "browser_select_option"}) {
    CAPTURE(tool);
    CHECK(changes_state(tool, false));
    CHECK(changes_state(tool, std::nullopt));
    CHECK_FALSE(changes_state(tool, true));
  }
  // Words of a browser mean something else where the rest of the name is about something else.
  for (const char* tool : {"network_create", "docker_network_create", "console_execute",
                           "performance_review_submit", "wait_and_deploy", "tab_create"}) {
    CAPTURE(tool);
    CHECK(changes_state(tool, false));
    CHECK(changes_state(tool, std::nullopt));
    CHECK_FALSE(changes_state(tool, true));
  }
  for (const char* tool : {"forward_email", "back_up_database", "snapshot_volume", "resize_volume",
                           "evaluate_policy", "reload_config", "pages_deploy"}) {
    CAPTURE(tool);
    CHECK(changes_state(tool, false));
    CHECK_FALSE(changes_state(tool, true));
  }
  // Of these the server knows better than their names.
  CHECK(changes_state("check", false));
  CHECK(changes_state("frobnicate", false));
  CHECK_FALSE(changes_state("check", std::nullopt));
}

TEST_CASE("score: a slow call is measured by the tool's own history") {
  Scored log;
  for (int i = 0; i < 5; ++i) log.add({row(i, "h" + std::to_string(i), "click")});
  ActionRow slow = row(100, "slow", "click");
  slow.duration_ms = 40;
  ActionRow other = row(101, "other", "fill");  // slow too, but without a history
  other.duration_ms = 40;
  ActionRow fast = row(102, "fast", "click");
  fast.duration_ms = 1;
  log.add({slow, other, fast});
  log.score();
  CHECK(log.reward("slow") == Approx(0.5 + 0.5 * 0.25));
  CHECK(log.reward("other") == 1.0);
  CHECK(log.reward("fast") == 1.0);
}

TEST_CASE("score: nodes named in the arguments are reinforced, once for each sequence") {
  Scored log;
  log.node("Button");
  log.node("Grid");
  log.add({row(0, "one", "set_property",
               R"({"target":"Button","deep":[{"id":"Grid"},"nobody","frontier"]})"),
           row(1, "one", "set_property", R"({"target":"Button"})")});
  const ScoreReport first = log.score();
  CHECK(first.links == 2);
  CHECK(first.duplicates == 0);
  CHECK(log.weight("set_property", "Button") == 1.0);
  CHECK(log.weight("set_property", "Grid") == 1.0);
  CHECK_FALSE(log.engine.state().exists("nobody"));
  const auto tool = log.engine.state().find("set_property");
  REQUIRE(tool);
  CHECK(log.engine.state().graph().node_types().name(
            log.engine.state().graph().nodes().type[*tool]) == "TOOL");
  log.add({row(10, "two", "set_property", R"({"target":"Button"})")});
  CHECK(log.score().links == 1);
  CHECK(log.weight("set_property", "Button") > 1.0);
  CHECK(log.weight("set_property", "Grid") == Approx(1.0).margin(1e-6));
}

TEST_CASE("score: nothing counts twice") {
  Scored log;
  log.node("Button");
  log.add({row(0, "one", "click", R"({"on":"Button"})")});
  log.score();
  const double weight = log.weight("click", "Button");
  const std::int64_t events = log.events();
  SECTION("scored again") {
    const ScoreReport again = log.score(kNow + 5);
    CHECK(again.sequences == 0);
  }
  SECTION("killed between the signals and the rewards") {
    log.db.exec("UPDATE action_log SET reward = NULL");
    const ScoreReport again = log.score(kNow + 5);
    CHECK(again.sequences == 1);
    CHECK(again.links == 0);
    CHECK(again.duplicates == 1);
    CHECK(log.reward("one") == 1.0);
  }
  SECTION("the turn grew after it was scored") {
    log.add({row(50, "one", "click", R"({"on":"Button"})")});
    const ScoreReport again = log.score(kNow + 5);
    CHECK(again.duplicates == 1);
    CHECK(again.links == 0);
  }
  SECTION("the rows were pruned, and others have their numbers") {
    prune_actions(log.db, kNow);
    log.add({row(0, "one", "click", R"({"on":"Button"})")});
    CHECK(log.score(kNow + 5).duplicates == 1);
  }
  CHECK(log.weight("click", "Button") == weight);
  CHECK(log.events() == events);
}

TEST_CASE("score: a tool that gc forgot") {
  constexpr std::int64_t kDay = 86'400'000;
  Scored log;
  log.node("Button");
  log.add({row(0, "one", "click", R"({"on":"Button"})")});
  log.score();
  // The nodes that are named stay: they are open.
  log.engine.append(Event{0, kNow, "Button", "", StateChange{"OPEN"}});
  const std::int64_t collected = kNow + 400 * kDay;
  REQUIRE(log.engine.gc(collected, 30 * kDay, false).nodes == std::vector<std::string>{"click"});
  const std::int64_t events = log.events();
  const std::int64_t after = collected - kStart + 1000;
  const std::int64_t now = collected + 1'000'000;
  SECTION("scored again, nothing changes") {
    log.db.exec("UPDATE action_log SET reward = NULL");
    const ScoreReport again = log.score(now);
    CHECK(again.duplicates == 1);
    CHECK(again.skipped == 0);
    CHECK(log.events() == events);
  }
  SECTION("used again, it is there again") {
    log.add({row(after, "two", "click", R"({"on":"Button"})")});
    const ScoreReport report = log.score(now);
    CHECK(report.links == 1);
    CHECK(log.weight("click", "Button") == 1.0);
    CHECK(log.reward("two") == 1.0);
  }
  SECTION("a sequence older than the gc teaches nothing, and takes nothing with it") {
    log.add({row(50, "late", "click", R"({"on":"Button"})")});
    log.add({row(after, "two", "fill", R"({"on":"Button"})")});
    const ScoreReport report = log.score(now);
    CHECK(report.links == 1);
    CHECK(report.skipped == 1);
    CHECK(log.weight("click", "Button") == 0);
    CHECK(log.weight("fill", "Button") == 1.0);
    CHECK(log.reward("late") == 1.0);
    CHECK(log.score(now).sequences == 0);
    SECTION("also when the tool has come back since") {
      log.add({row(after, "three", "click", R"({"on":"Button"})")});
      log.add({row(60, "later", "click", R"({"on":"Button"})")});
      const ScoreReport again = log.score(now);
      CHECK(again.links == 1);
      CHECK(again.skipped == 1);
      CHECK(log.weight("click", "Button") == 1.0);
    }
  }
  SECTION("the turn that made it grew") {
    log.add({row(after, "one", "click", R"({"on":"Button"})")});
    log.node("Grid");
    log.add({row(after + 10, "one", "click", R"({"on":"Grid"})")});
    const ScoreReport report = log.score(now);
    CHECK(report.links == 1);       // click -> Grid
    CHECK(report.duplicates == 1);  // click -> Button counted once, ever
    CHECK(log.weight("click", "Grid") > 0);
  }
  CHECK(log.engine.verify().empty());
}

TEST_CASE("score: a call recorded while its turn is scored waits for the next run") {
  Scored log;
  log.add({row(0, "one", "click")});
  log.add({row(5, "two", "click")});
  // As if it came between the reading and the writing: at the first reward that is written.
  log.db.exec(
      "CREATE TEMP TRIGGER come AFTER UPDATE OF reward ON action_log WHEN new.sequence_id = 'one' "
      "AND NOT EXISTS (SELECT 1 FROM action_log WHERE tool = 'late') BEGIN "
      "INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, "
      "args_bytes, result_bytes, success, failure, duration_ms, app_name) "
      "SELECT 'late', agent_id, session_id, 'two', timestamp + 100, 'late', '{}', 2, 0, 0, "
      "'tool_error', "
      "1, "
      "app_name FROM action_log WHERE position = new.position; END");
  CHECK(log.score().sequences == 2);
  CHECK(log.reward("two") == 1.0);  // of what was read
  CHECK_FALSE(log.rows().back().reward);
  const ScoreReport next = log.score();
  CHECK(next.sequences == 1);
  CHECK(next.failed == 1);
  CHECK(log.reward("two") == -1.0);
  CHECK(log.rows().back().reward == -1.0);
}

TEST_CASE("score: signals come only from what succeeded, and only from tools") {
  Scored log;
  log.node("Button");
  log.node("Task", "TASK");
  log.add({row(0, "nav", "navigate", R"({"to":"Button"})")});
  log.add({failed(row(1, "bad", "click", R"({"on":"Button"})"))});
  log.add({failed(row(2, "part", "fill", R"({"on":"Button"})")), row(3, "part", "click")});
  log.add({row(4, "clash", "Task", R"({"on":"Button"})")});
  ActionRow writes = row(5, "cut", "write", R"({"on":"Button","text":"xxx)");
  writes.args_bytes = 100'000;
  log.add({writes});
  CHECK(log.score().links == 0);
  CHECK(log.weight("Task", "Button") == 0);
  CHECK(log.reward("cut") == 1.0);
}

TEST_CASE("score: a tool changes state by what the server says, else by its name") {
  CHECK(changes_state("get_anything", false));
  CHECK_FALSE(changes_state("delete_all", true));
  for (const char* tool :
       {"click", "browser_click", "puppeteer_fill", "create_entities", "setInstanceProperties",
        "write-file", "simulate_event", "Submit", "add_observations"}) {
    CAPTURE(tool);
    CHECK(changes_state(tool, std::nullopt));
  }
  for (const char* tool :
       {"navigate", "browser_navigate", "get_update_status", "listFiles", "read_graph",
        "search_nodes", "hover", "echo", "mystery", "", "take_screenshot"}) {
    CAPTURE(tool);
    CHECK_FALSE(changes_state(tool, std::nullopt));
  }
}

}  // namespace hebb::capture::test
