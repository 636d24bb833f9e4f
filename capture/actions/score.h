// Rewards for recorded turns, computed from success and duration, and the links made from them.
//
//   failed     the call that finished last failed, or none succeeded      reward -1
//   navigated  it succeeded, but no tool that changes state did           reward  0
//   changed    otherwise     reward = success rate * (1/2 + 1/2 * speed), in (0, 1]
//
// speed is the mean, over the changing calls that succeeded, of min(1, median / duration), the
// median of the same tool's last kHistory successes before the call; 1 if there are fewer than
// kEnough.
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

// Whether a successful call of this tool is an observable state change. The first known word of its
// name decides. A word of moving (navigate, hover, resize, tabs, evaluate, snapshot, …): no,
// whatever the server says. A word of looking or doing: the server's readOnlyHint, and without a
// hint, no for looking and yes for doing. No known word: yes only if the hint says so.
bool changes_state(std::string_view tool, std::optional<bool> read_only);

struct ScoreReport {
  std::int64_t sequences = 0;  // scored now
  std::int64_t changed = 0, navigated = 0, failed = 0;
  std::int64_t links = 0;  // links added
  // Links of an earlier run: it was interrupted, or the turn has more calls now.
  std::int64_t duplicates = 0;
  std::int64_t skipped = 0;  // links to a node that gc or a user has removed since
};

// Scores every sequence that has a call without a reward; all its calls get the sequence's reward.
// Links are written before rewards, and their keys are stable: if a run is killed, the next one
// completes it and nothing counts twice. `db` is a second connection to the engine's database.
// Throws sql::Error.
ScoreReport score_actions(sql::Database& db, Engine& engine, std::int64_t now);

}  // namespace hebb::capture
