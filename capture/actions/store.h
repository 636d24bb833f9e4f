// The table action_log, which a recorder writes and `hebb actions` reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/actions/row.h"
#include "sql/database.h"

namespace hebb::capture {

// Stores a row and returns its id, a new one if the row has none; a row whose id exists is not
// stored again. Throws sql::Error. Many rows are written faster within one transaction.
std::string insert_action(sql::Database& db, const ActionRow& row);

struct ActionQuery {
  std::optional<std::int64_t> since;  // epoch ms
  std::optional<std::string> sequence_id, session_id;
};
// Calls the sink for each row, in the order they happened. One row at a time is in memory.
void read_actions(sql::Database& db, const ActionQuery& query,
                  const std::function<void(ActionRow)>& sink);

// The rows of a query in one snapshot: it holds a read transaction during its lifetime. Throws
// sql::Error.
class ActionSource {
 public:
  ActionSource(sql::Database& db, ActionQuery query);
  // Calls the sink in the order of the calls, one row at a time: it is the call number `step` of
  // the `steps` that its sequence has.
  void each(
      const std::function<void(const ActionRow&, std::int64_t step, std::int64_t steps)>& sink);
  // Calls the sink with all calls of one session with one server at a time; sessions come in the
  // order of their first calls.
  void each_session(const std::function<void(std::span<const ActionRow>)>& sink);

 private:
  std::int64_t calls_of_sequence(std::string_view id);

  sql::Database& db_;
  const ActionQuery query_;
  sql::Transaction snapshot_;
};

struct Sequence {
  std::string sequence_id, agent_id, session_id, app_name;
  std::int64_t started_at = 0;
  double duration_ms = 0;  // from the first request to the last answer
  std::int64_t calls = 0, succeeded = 0;
  double success_rate = 0;
  std::string tools;  // in order, separated by commas
  std::optional<double> reward;
};
struct SequenceQuery {
  std::optional<std::int64_t> since;       // begun at or after, epoch ms
  std::optional<double> min_success_rate;  // 0 … 1
  std::optional<std::int64_t> limit;
  // Called with the bytes of each row's texts; an exception ends the query.
  std::function<void(std::size_t)> count_bytes = {};
};
// Newest first.
std::vector<Sequence> list_sequences(sql::Database& db, const SequenceQuery& query);

// Deletes calls that began at or before `until`; returns how many.
std::int64_t prune_actions(sql::Database& db, std::int64_t until);

}  // namespace hebb::capture
