#include "capture/actions/scrub.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/actions/columns.h"
#include "capture/actions/payload.h"
#include "capture/actions/row.h"
#include "secrets/secrets.h"

namespace hebb::capture {
namespace {

using secrets::Redactor;
using secrets::SecretBounds;

constexpr int kScrubBatch = 64;  // calls per transaction; each has at most 128 KiB

// Memory for one session at a time: a few hundred MiB if a session has as many.
constexpr SecretBounds kScrubBounds{1 << 17, 1 << 17};

// The next calls of a session, with what may hold secrets alone.
std::vector<ActionRow> read_batch(sql::Database& db, std::string_view session, std::int64_t after) {
  sql::Statement& rows = db.query(sql::Query::action_session_rows);
  const sql::Reset reset(rows);
  bind_values(rows, session, after, kScrubBatch);
  std::vector<ActionRow> batch;
  while (rows.step()) {
    ActionRow& row = batch.emplace_back();
    read_columns(rows, row.position, row.tool, row.args, row.args_bytes, row.result,
                 row.result_bytes, row.failure);
  }
  return batch;
}

// Masks a call; true: it changed.
bool mask(ActionRow& row, Redactor& secrets) {
  bool changed = mask_payload_again(row.args, row.args_bytes, [&](std::string_view json, bool cut) {
    return secrets.arguments(row.tool, json, cut);
  });
  if (row.result) {
    changed |= mask_payload_again(
        *row.result, row.result_bytes,
        [&](std::string_view json, bool cut) { return secrets.result(json, cut); });
  }
  if (row.failure) {
    std::string failure = secrets.text(*row.failure);
    changed |= failure != *row.failure;
    row.failure = std::move(failure);
  }
  return changed;
}

void write_back(sql::Database& db, const ActionRow& row) {
  bind_values(db.query(sql::Query::action_scrub), row.position, row.args, row.args_bytes,
              row.result, row.result_bytes, row.failure)
      .run();
}

void learn_session(sql::Database& db, std::string_view session, Redactor& secrets) {
  for (std::int64_t after = 0;;) {
    std::vector<ActionRow> batch = read_batch(db, session, after);
    if (batch.empty()) return;
    for (ActionRow& row : batch) mask(row, secrets);
    after = batch.back().position;
  }
}

void scrub_session(sql::Database& db, std::string_view session, Redactor& secrets,
                   ScrubReport& report) {
  for (std::int64_t after = 0;;) {
    sql::Transaction transaction(db);
    std::vector<ActionRow> batch = read_batch(db, session, after);
    if (batch.empty()) return;
    for (ActionRow& row : batch) {
      ++report.calls;
      if (!mask(row, secrets)) continue;
      write_back(db, row);
      ++report.changed;
    }
    transaction.commit();
    after = batch.back().position;
  }
}

std::optional<std::string> next_session(sql::Database& db,
                                        const std::optional<std::string>& after) {
  sql::Statement& row = db.query(sql::Query::action_session_after);
  const sql::Reset reset(row);
  row.bind(1, after);
  if (!row.step() || row.is_null(0)) return std::nullopt;
  return std::string(row.text(0));
}

}  // namespace

ScrubReport scrub_actions(sql::Database& db) {
  db.exec("PRAGMA secure_delete = ON");
  ScrubReport report;
  std::optional<std::string> session;
  while ((session = next_session(db, session))) {
    Redactor secrets(kScrubBounds);
    learn_session(db, *session, secrets);
    scrub_session(db, *session, secrets, report);
    ++report.sessions;
  }
  db.exec("VACUUM");
  report.erased = db.scalar("PRAGMA wal_checkpoint(TRUNCATE)") == 0;
  return report;
}

}  // namespace hebb::capture
