#include "capture/actions/store.h"

#include <unordered_map>
#include <utility>

#include "capture/actions/columns.h"

namespace hebb::capture {
namespace {

void bind_query(sql::Statement& rows, const ActionQuery& query) {
  bind_values(rows, query.since, query.sequence_id, query.session_id);
}

ActionRow read_row(const sql::Statement& rows) {
  ActionRow row;
  stored_columns(row,
                 [&](auto&... stored) { read_columns(rows, row.position, row.reward, stored...); });
  return row;
}

}  // namespace

std::string insert_action(sql::Database& db, const ActionRow& row) {
  sql::Statement& insert = db.query(sql::Query::action_insert);
  const sql::Reset reset(insert);
  stored_columns(row, [&](const auto&... stored) { bind_values(insert, stored...); });
  return insert.step() ? std::string(insert.text(0)) : row.id;
}

void read_actions(sql::Database& db, const ActionQuery& query,
                  const std::function<void(ActionRow)>& sink) {
  sql::Statement& rows = db.query(sql::Query::action_rows);
  const sql::Reset reset(rows);
  bind_query(rows, query);
  while (rows.step()) sink(read_row(rows));
}

ActionSource::ActionSource(sql::Database& db, ActionQuery query)
    : db_(db), query_(std::move(query)), snapshot_(db, sql::Transaction::Kind::deferred) {}

void ActionSource::each(
    const std::function<void(const ActionRow&, std::int64_t step, std::int64_t steps)>& sink) {
  struct Sequence {
    std::int64_t step = 0, steps = 0;
  };
  std::unordered_map<std::string, Sequence> open;  // sequences whose last call was not read yet
  read_actions(db_, query_, [&](const ActionRow& row) {
    const auto [at, is_new] = open.try_emplace(row.sequence_id);
    Sequence& sequence = at->second;
    if (is_new) sequence.steps = calls_of_sequence(row.sequence_id);
    sink(row, ++sequence.step, sequence.steps);
    if (sequence.step == sequence.steps) open.erase(at);
  });
}

void ActionSource::each_session(const std::function<void(std::span<const ActionRow>)>& sink) {
  std::vector<std::pair<std::string, std::string>> sessions;
  {
    sql::Statement& found = db_.query(sql::Query::action_sessions);
    const sql::Reset reset(found);
    bind_query(found, query_);
    while (found.step()) sessions.emplace_back(found.text(0), found.text(1));
  }
  for (const auto& [session, app] : sessions) {
    sql::Statement& rows = db_.query(sql::Query::action_rows_of_session);
    const sql::Reset reset(rows);
    bind_values(rows, query_.since, query_.sequence_id, session, app);
    std::vector<ActionRow> all;
    while (rows.step()) all.push_back(read_row(rows));
    sink(all);
  }
}

std::int64_t ActionSource::calls_of_sequence(std::string_view id) {
  sql::Statement& count = db_.query(sql::Query::action_count_sequence);
  const sql::Reset reset(count);
  bind_values(count, id, query_.since, query_.session_id);
  return count.step() ? count.integer(0) : 0;
}

std::vector<Sequence> list_sequences(sql::Database& db, const SequenceQuery& query) {
  sql::Statement& rows = db.query(sql::Query::action_sequences);
  const sql::Reset reset(rows);
  bind_values(rows, query.since, query.min_success_rate, query.limit.value_or(-1));
  std::vector<Sequence> sequences;
  while (rows.step()) {
    Sequence& s = sequences.emplace_back();
    read_columns(rows, s.sequence_id, s.agent_id, s.session_id, s.app_name, s.started_at,
                 s.duration_ms, s.calls, s.succeeded, s.success_rate, s.tools, s.reward);
    if (query.count_bytes)
      query.count_bytes(s.agent_id.size() + s.session_id.size() + s.tools.size());
  }
  return sequences;
}

std::int64_t prune_actions(sql::Database& db, std::int64_t until) {
  sql::Transaction transaction(db);
  db.query(sql::Query::action_prune).bind(1, until).run();
  const std::int64_t pruned = db.changes();
  transaction.commit();
  return pruned;
}

}  // namespace hebb::capture
