#include <catch2/catch.hpp>

#include "tests/capture/actions_support.h"

namespace hebb::capture::test {

TEST_CASE("actions: a row is read as it was written") {
  Log log;
  ActionRow full = failed(row(5, "a_1", "tool", R"({"x":1})"), "cancelled");
  full.args_bytes = 99'999;
  full.result = std::nullopt;
  full.result_bytes = 0;
  full.duration_ms = 1.5;
  full.trace_parent = "00-1-2-01";
  full.read_only = true;
  full.protocol_version = "2025-11-25";
  full.transport = "http";
  full.mcp_session_id = "m";
  full.server_address = "localhost:1";
  log.add({full, row(6, "a_2", "other")});
  const auto rows = log.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].agent_id == "a");
  CHECK(rows[0].session_id == "s");
  CHECK(rows[0].sequence_id == "a_1");
  CHECK(rows[0].timestamp == kStart + 5);
  CHECK(rows[0].tool == "tool");
  CHECK(rows[0].args == R"({"x":1})");
  CHECK(rows[0].args_cut());
  CHECK_FALSE(rows[0].result);
  CHECK_FALSE(rows[0].success);
  CHECK(rows[0].failure == "cancelled");
  CHECK(rows[0].duration_ms == 1.5);
  CHECK(rows[0].app_name == "app");
  CHECK_FALSE(rows[0].reward);
  CHECK(rows[0].trace_parent == "00-1-2-01");
  CHECK(rows[0].read_only == true);
  CHECK(rows[0].request_id == "7");
  CHECK(rows[0].protocol_version == "2025-11-25");
  CHECK(rows[0].transport == "http");
  CHECK(rows[0].mcp_session_id == "m");
  CHECK(rows[0].server_address == "localhost:1");
  CHECK(rows[1].transport == "stdio");
  CHECK_FALSE(rows[1].protocol_version);
  CHECK_FALSE(rows[1].mcp_session_id);
  CHECK(rows[1].success);
  CHECK(rows[1].result == "{}");
  CHECK_FALSE(rows[1].read_only);
  CHECK_FALSE(rows[1].args_cut());
  // All columns of the table: one that is added is stored and read, too.
  const auto columns = log.db.scalar("SELECT count(*) FROM pragma_table_info('action_log')");
  CHECK(log.db.query(sql::Query::action_rows).columns() == columns);
  CHECK(log.db.query(sql::Query::action_rows_of_session).columns() == columns);
  stored_columns(full, [&](const auto&... column) {
    CHECK(std::int64_t{sizeof...(column)} + 2 == columns);  // without position and reward
  });
}

TEST_CASE("actions: sequences are grouped, newest first, and filtered") {
  Log log;
  log.add({row(0, "a_1", "open"), failed(row(4, "a_1", "click")), row(100, "a_2", "get"),
           row(50, "a_3", "set"), row(60, "a_3", "get"), row(55, "a_3", "list")});
  const auto all = list_sequences(log.db, {});
  REQUIRE(all.size() == 3);
  CHECK(all[0].sequence_id == "a_2");
  CHECK(all[1].sequence_id == "a_3");
  CHECK(all[1].tools == "set,list,get");
  CHECK(all[1].started_at == kStart + 50);
  CHECK(all[1].duration_ms == 20);
  CHECK(all[2].calls == 2);
  CHECK(all[2].succeeded == 1);
  CHECK(all[2].success_rate == 0.5);
  CHECK_FALSE(all[2].reward);
  SequenceQuery since;
  since.since = kStart + 50;
  CHECK(list_sequences(log.db, since).size() == 2);
  SequenceQuery rate;
  rate.min_success_rate = 0.6;
  CHECK(list_sequences(log.db, rate).size() == 2);
  SequenceQuery one;
  one.limit = 1;
  CHECK(list_sequences(log.db, one).size() == 1);
}

TEST_CASE("actions: prune deletes up to the time, that time included") {
  Log log;
  log.add({row(0, "a_1", "x"), row(10, "a_2", "x"), row(20, "a_3", "x")});
  CHECK(prune_actions(log.db, kStart - 1) == 0);
  CHECK(prune_actions(log.db, kStart + 10) == 2);
  CHECK(log.rows().size() == 1);
  CHECK(prune_actions(log.db, kStart + 1000) == 1);
}

TEST_CASE("actions: an id is a UUIDv7 of the call's time, and is never given again") {
  Log log;
  log.add({row(0, "a_1", "x"), row(0, "a_2", "x"), row(65'536, "a_3", "x")});
  const auto before = log.rows();
  // 1'767'225'600'000 ms are 019b76da'a800.
  CHECK(before[0].id.starts_with("019b76da-a800-7"));
  CHECK(before[2].id.starts_with("019b76db-a800-7"));
  for (const ActionRow& r : before) {
    CAPTURE(r.id);
    REQUIRE(r.id.size() == 36);
    CHECK(r.id.find_first_not_of("0123456789abcdef-") == std::string::npos);
    CHECK(std::string_view("89ab").find(r.id[19]) != std::string_view::npos);
  }
  CHECK(before[0].id != before[1].id);
  CHECK(prune_actions(log.db, kStart + 100'000) == 3);
  log.add({row(0, "a_1", "x")});
  CHECK(log.rows()[0].position == 4);
  for (const ActionRow& r : before) CHECK(log.rows()[0].id != r.id);
}

TEST_CASE("actions: a server without a name has none") {
  Log log;
  ActionRow nameless = row(0, "a_1", "x");
  nameless.app_name.clear();
  log.add({nameless, row(1, "a_2", "x")});
  CHECK(log.db.scalar("SELECT count(*) FROM action_log WHERE app_name IS NULL") == 1);
  CHECK(log.rows()[0].app_name.empty());
  CHECK(list_sequences(log.db, {}).back().app_name.empty());
}

}  // namespace hebb::capture::test
