// Rewards for recorded turns, from quantities alone, and the signals that they give the graph.
//
//   failed     the call that finished last failed, or none succeeded      reward -1
//   navigated  it ended well but no tool that changes state succeeded     reward  0
//   changed    otherwise     reward = success rate * (1/2 + 1/2 * speed), in (0, 1]
//
// speed is the mean, over the changing calls that succeeded, of min(1, median / duration), the
// median being that of the same tool's last kHistory successes before the call; 1 where there are
// fewer than kEnough.
//
// A sequence whose reward is above 0 reinforces, for each tool in it that succeeded and each string
// in that tool's arguments that is the id of a node, the edge tool -> node VALIDATES with its
// reward. The edge's property "sequence" names the sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/engine.h"
#include "sql/database.h"

namespace hebb::capture {

inline constexpr std::size_t kHistory = 101;
inline constexpr std::size_t kEnough = 3;

// Whether a successful call of this tool is an observable state change. The first word of its name
// that says anything decides where it is one of moving (navigate, hover, resize, tabs, evaluate,
// snapshot, …): no, whatever the server says. Else the server's hint (readOnlyHint), and without
// one that word again: looking is no, doing is yes, and what is said by neither, no.
bool changes_state(std::string_view tool, std::optional<bool> read_only);

struct ScoreReport {
  std::int64_t sequences = 0;  // scored now
  std::int64_t changed = 0, navigated = 0, failed = 0;
  std::int64_t links = 0;  // signals that counted
  // Signals of an earlier run that was cut short, or of a turn that grew.
  std::int64_t duplicates = 0;
  std::int64_t skipped = 0;  // about a node that gc has forgotten since, or that was just removed
};

// Scores every sequence that has a call without a reward; all its calls get the sequence's. Signals
// first, rewards second, both under stable keys: a run that was killed is completed by the next,
// and nothing counts twice. `db` is the engine's database, by its own connection. Throws
// sql::Error.
ScoreReport score_actions(sql::Database& db, Engine& engine, std::int64_t now);

}  // namespace hebb::capture
