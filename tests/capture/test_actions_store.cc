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
  CHECK(rows[1].success);
  CHECK(rows[1].result == "{}");
  CHECK_FALSE(rows[1].read_only);
  CHECK_FALSE(rows[1].args_cut());
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

}  // namespace hebb::capture::test
