// What is listed and exported is read row by row: memory does not grow with the log.
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/export.h"
#include "tests/capture/actions_support.h"
#include "tests/support/heap.h"

namespace hebb::capture::test {
namespace {

constexpr std::int64_t kCalls = 4000;
constexpr std::size_t kResult = 16 << 10;  // 64 MB in all
constexpr std::size_t kBound = 12 << 20;   // SQLite's cache is 2 MB, a request of OTLP another 2

// Two calls a sequence, a session of 40.
void fill(Log& log) {
  const std::string result = fmt::format("\"{:x>{}}\"", "", kResult);
  sql::Transaction transaction(log.db);
  for (std::int64_t i = 0; i < kCalls; ++i) {
    ActionRow call = row(i * 10, "a_" + std::to_string(i / 2), "click");
    call.session_id = "s" + std::to_string(i / 40);
    std::string result(kResult + 2, 'x');
    result.front() = result.back() = '"';
    call.result = std::move(result);
    call.result_bytes = static_cast<std::int64_t>(call.result->size());
    insert_action(log.db, call);
  }
  log.db.exec("UPDATE action_log SET reward = 1");
  transaction.commit();
}

}  // namespace

TEST_CASE("actions: a log is exported in memory that does not grow with it", "[slow]") {
  Log log;
  fill(log);
  for (const ExportFormat& format : export_formats()) {
    CAPTURE(std::string(format.name));
    const hebb::test::HeapPeak peak;
    std::size_t written = 0;
    ActionSource source(log.db, {});
    format.write(source, [&](std::string_view text) { written += text.size(); });
    CHECK(written > kCalls * kResult);
    CHECK(peak.bytes() < kBound);
  }
  const hebb::test::HeapPeak peak;
  std::size_t calls = 0;
  ActionSource source(log.db, {});
  source.each_session([&](std::span<const ActionRow> rows) { calls += rows.size(); });
  CHECK(calls == kCalls);
  CHECK(peak.bytes() < kBound);
}

TEST_CASE("actions: sequences are listed without what their calls said") {
  Log log;
  fill(log);
  const hebb::test::HeapPeak peak;
  SequenceQuery one;
  one.limit = 1;
  CHECK(list_sequences(log.db, one).at(0).sequence_id == "a_1999");
  CHECK(list_sequences(log.db, {}).size() == kCalls / 2);
  CHECK(peak.bytes() < kBound);
}

TEST_CASE("actions: a log of an older database is brought forward without being held", "[slow]") {
  const Folder dir;
  const std::string path = dir.file("old.db");
  {
    std::ifstream in(HEBB_SOURCE_DIR "/tests/capture/data/schema_1.sql");
    sql::Database db(path, sql::Database::Mode::read_write_create);
    db.exec(std::string{std::istreambuf_iterator<char>(in), {}});
    db.exec(fmt::format(
        "PRAGMA user_version=1;"
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})"
        "INSERT INTO action_log (agent_id, session_id, sequence_id, timestamp, tool, args,"
        " args_bytes, result, success, duration_ms)"
        " SELECT 'a', 's', 'q', i, 't', '{{}}', 2, hex(zeroblob({})), 1, 1 FROM n",
        kCalls, kResult / 2));
  }
  sql::Database db(path, sql::Database::Mode::read_write);
  db.exec("PRAGMA cache_size=-2048");  // what SQLite may keep of pages is not what is asked
  const hebb::test::HeapPeak peak;
  sql::migrate(db);
  CHECK(peak.bytes() < kBound);
  CHECK(db.scalar("SELECT count(DISTINCT id) FROM action_log") == kCalls);
}

TEST_CASE("actions: otlp is lines of bounded length, with every span once and parents there",
          "[slow]") {
  Log log;
  fill(log);
  std::size_t lines = 0, calls = 0, turns = 0;
  ActionSource source(log.db, {});
  export_otlp(source, [&](std::string_view line) {
    ++lines;
    CHECK(line.size() < kOtlpRequestBytes + (2 * kResult));
    CHECK(line.back() == '\n');
    const auto request = nlohmann::json::parse(line);
    for (const auto& span : request["resourceSpans"][0]["scopeSpans"][0]["spans"]) {
      ++(span.contains("parentSpanId") ? calls : turns);
    }
  });
  CHECK(lines > 30);
  CHECK(calls == kCalls);
  CHECK(turns == kCalls / 2);
}

}  // namespace hebb::capture::test
