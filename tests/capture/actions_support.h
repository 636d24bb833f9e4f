// A database with recorded calls in it, without a recorder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/actions/row.h"
#include "capture/actions/store.h"
#include "tests/capture/record_support.h"

namespace hebb::capture::test {

inline constexpr std::int64_t kStart = 1'767'225'600'000;  // 2026-01-01 UTC

inline ActionRow row(std::int64_t after_ms, std::string sequence, std::string tool,
                     std::string args = "{}") {
  ActionRow r;
  r.agent_id = "a";
  r.session_id = "s";
  r.sequence_id = std::move(sequence);
  r.timestamp = kStart + after_ms;
  r.tool = std::move(tool);
  r.args = std::move(args);
  r.args_bytes = static_cast<std::int64_t>(r.args.size());
  r.result = "{}";
  r.result_bytes = 2;
  r.success = true;
  r.duration_ms = 10;
  r.app_name = "app";
  r.request_id = "7";
  return r;
}

inline ActionRow failed(ActionRow r, std::string why = "tool_error") {
  r.success = false;
  r.failure = std::move(why);
  return r;
}

class Log {
 public:
  Log() : path(dir.file("log.db")), db(path, sql::Database::Mode::read_write_create) {
    sql::migrate(db);
  }

  void add(const std::vector<ActionRow>& rows) {
    sql::Transaction transaction(db);
    for (const ActionRow& row : rows) insert_action(db, row);
    transaction.commit();
  }
  std::vector<ActionRow> rows(const ActionQuery& query = {}) {
    std::vector<ActionRow> all;
    read_actions(db, query, [&](ActionRow r) { all.push_back(std::move(r)); });
    return all;
  }
  std::optional<double> reward(const std::string& sequence) {
    ActionQuery query;
    query.sequence_id = sequence;
    return rows(query).at(0).reward;
  }

  Folder dir;
  std::string path;
  sql::Database db;
};

}  // namespace hebb::capture::test
