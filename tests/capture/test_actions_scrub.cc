#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/actions/scrub.h"
#include "tests/capture/actions_support.h"

namespace hebb::capture::test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ActionRow with_result(ActionRow row, std::string result) {
  row.result = std::move(result);
  row.result_bytes = static_cast<std::int64_t>(row.result->size());
  return row;
}

// As a version before stored them: what a session shows last was in its first calls.
void add_old_rows(Log& log) {
  log.add(
      {with_result(row(0, "a_1", "browser_type", R"({"target":"e7","text":"orchid-77"})"),
                   R"({"content":[{"type":"text","text":"typed orchid-77"}]})"),
       with_result(
           row(1, "a_2", "look", R"({"n":1})"),
           R"({"content":[{"type":"text","text":"- textbox \"Password\" [ref=e7]: orchid-77"}]})"),
       failed(row(2, "a_3", "push", R"({"to":"https://u:pa55word@h.example/x"})"),
              "error -1: no access with token=tUl1p99xQ2vB7")});
  ActionRow other = row(3, "b_1", "note", R"({"text":"orchid-77 is a flower"})");
  other.session_id = "another";
  log.add({other});
}

}  // namespace

TEST_CASE("scrub: what is stored is masked with all that its session knows") {
  Log log;
  add_old_rows(log);
  const ScrubReport report = scrub_actions(log.db);
  CHECK(report.sessions == 2);
  CHECK(report.calls == 4);
  CHECK(report.changed == 3);
  CHECK(report.erased);
  const auto rows = log.rows();
  CHECK(rows[0].args == R"({"target":"e7","text":"[masked]"})");
  CHECK(rows[0].args_bytes == static_cast<std::int64_t>(rows[0].args.size()));
  CHECK(rows[0].result == R"({"content":[{"type":"text","text":"typed [masked]"}]})");
  CHECK(rows[1].args == R"({"n":1})");
  CHECK(rows[2].args == R"({"to":"https://u:[masked]@h.example/x"})");
  CHECK(rows[2].failure == "error -1: no access with token=[masked]");
  // Another session's flower is no secret of this one's.
  CHECK(rows[3].args == R"({"text":"orchid-77 is a flower"})");
  CHECK(scrub_actions(log.db).changed == 0);
}

TEST_CASE("scrub: a session may have thousands of secrets") {
  constexpr int kCount = 3000;
  Log log;
  std::vector<ActionRow> rows;
  for (int i = 0; i < kCount; ++i) {
    const std::string id = std::to_string(i);
    rows.push_back(with_result(row(i, "a_" + id, "login", R"({"password":"sesame-)" + id + "\"}"),
                               R"({"passphrase":"opened-)" + id + "\"}"));
  }
  rows[0].result = R"({"text":"sesame-2999 and opened-2998"})";
  rows[kCount - 1].result = R"({"text":"sesame-0 and opened-1"})";
  log.add(rows);
  scrub_actions(log.db);
  const auto scrubbed = log.rows();
  CHECK(scrubbed[0].result == R"({"text":"[masked] and [masked]"})");
  CHECK(scrubbed[kCount - 1].result == R"({"text":"[masked] and [masked]"})");
}

TEST_CASE("scrub: the old bytes are in no file any more") {
  Log log;
  add_old_rows(log);
  log.add({failed(row(5, "a_9", "gone", R"({"text":"pruned tUl1p99xQ2vB7 too"})"))});
  prune_actions(log.db, kStart + 5);
  add_old_rows(log);
  log.db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  const auto on_disk = [&](std::string_view secret) {
    return (bytes_of(log.path) + bytes_of(log.path + "-wal")).find(secret) != std::string::npos;
  };
  REQUIRE(on_disk("tUl1p99xQ2vB7"));
  REQUIRE(on_disk("pa55word"));
  CHECK(scrub_actions(log.db).erased);
  CHECK_FALSE(on_disk("tUl1p99xQ2vB7"));
  CHECK_FALSE(on_disk("pa55word"));
  CHECK_FALSE(on_disk("typed orchid-77"));
}

TEST_CASE("scrub: a reader keeps the old bytes, and that is told") {
  Log log;
  add_old_rows(log);
  sql::Database reader(log.path, sql::Database::Mode::read_only);
  log.db.set_busy_timeout(0);
  {
    sql::Transaction reading(reader, sql::Transaction::Kind::deferred);
    CHECK(reader.scalar("SELECT count(*) FROM action_log") == 4);
    CHECK_FALSE(scrub_actions(log.db).erased);
  }
  CHECK(scrub_actions(log.db).erased);
}

TEST_CASE("scrub: a payload that was cut stays one") {
  Log log;
  ActionRow cut = row(0, "a_1", "t", R"({"password":"hunter2hunter2"})");
  cut.args_bytes = 90'000;
  ActionRow end = with_result(row(1, "a_2", "t"), R"({"a":"it is hunter2hun)");
  end.result_bytes = 80'000;
  log.add({cut, end});
  scrub_actions(log.db);
  const auto rows = log.rows();
  CHECK(rows[0].args_cut());
  CHECK(rows[0].args_bytes == 90'000);
  CHECK(rows[1].result == R"({"a":"it is [masked])");
  CHECK(rows[1].result_bytes == 80'000);
}

}  // namespace hebb::capture::test
