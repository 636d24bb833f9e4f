#include "capture/actions/scrub.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/actions/payload.h"
#include "secrets/secrets.h"

namespace hebb::capture {
namespace {

using secrets::Redactor;
using secrets::SecretBounds;

constexpr int kScrubBatch = 64;  // calls per transaction; each has at most 128 KiB

// Memory for one session at a time: a few hundred MiB if a session has as many.
constexpr SecretBounds kScrubBounds{1 << 17, 1 << 17};

struct Stored {
  std::int64_t position = 0;
  std::string tool;
  Payload args;
  std::optional<Payload> result;
  std::optional<std::string> failure;
};

std::vector<Stored> read_batch(sql::Database& db, std::string_view session, std::int64_t after) {
  sql::Statement& rows = db.query(sql::Query::action_session_rows);
  const sql::Reset reset(rows);
  rows.bind(1, session).bind(2, after).bind(3, kScrubBatch);
  std::vector<Stored> batch;
  while (rows.step()) {
    Stored& row = batch.emplace_back();
    row.position = rows.integer(0);
    row.tool = rows.text(1);
    row.args = {std::string(rows.text(2)), static_cast<std::size_t>(rows.integer(3))};
    if (!rows.is_null(4)) {
      row.result = {std::string(rows.text(4)), static_cast<std::size_t>(rows.integer(5))};
    }
    if (!rows.is_null(6)) row.failure = std::string(rows.text(6));
  }
  return batch;
}

// Masks a call; true: it changed.
bool mask(Stored& row, Redactor& secrets) {
  Payload args = masked_again(row.args.text, row.args.bytes, [&](std::string_view json, bool cut) {
    return secrets.arguments(row.tool, json, cut);
  });
  bool changed = args.text != row.args.text;
  if (changed) row.args = std::move(args);
  if (row.result) {
    Payload result =
        masked_again(row.result->text, row.result->bytes,
                     [&](std::string_view json, bool cut) { return secrets.result(json, cut); });
    if (result.text != row.result->text) {
      row.result = std::move(result);
      changed = true;
    }
  }
  if (row.failure) {
    std::string failure = secrets.text(*row.failure);
    changed = changed || failure != *row.failure;
    row.failure = std::move(failure);
  }
  return changed;
}

void write_back(sql::Database& db, const Stored& row) {
  sql::Statement& update = db.query(sql::Query::action_scrub);
  update.bind(1, row.position)
      .bind(2, std::string_view(row.args.text))
      .bind(3, static_cast<std::int64_t>(row.args.bytes))
      .bind(5, static_cast<std::int64_t>(row.result ? row.result->bytes : 0));
  if (row.result) {
    update.bind(4, std::string_view(row.result->text));
  } else {
    update.bind_null(4);
  }
  update.bind(6, row.failure).run();
}

void learn_session(sql::Database& db, std::string_view session, Redactor& secrets) {
  for (std::int64_t after = 0;;) {
    std::vector<Stored> batch = read_batch(db, session, after);
    if (batch.empty()) return;
    for (Stored& row : batch) mask(row, secrets);
    after = batch.back().position;
  }
}

void scrub_session(sql::Database& db, std::string_view session, Redactor& secrets,
                   ScrubReport& report) {
  for (std::int64_t after = 0;;) {
    sql::Transaction transaction(db);
    std::vector<Stored> batch = read_batch(db, session, after);
    if (batch.empty()) return;
    for (Stored& row : batch) {
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
