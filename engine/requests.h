// Requests to an engine and its answers: the plain structs of engine/engine.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/current/options.h"
#include "engine/embed/embedder.h"
#include "engine/inbox/inbox.h"
#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/ledger/ledger.h"
#include "engine/rank/query.h"

namespace hebb {

// The latest time that an event may have, where events dated in the future are refused: until its
// time came, such an outcome would not decay and would hold the task's recency. The reporter's
// clock may be five minutes ahead of ours.
inline TimeMs latest_taken(TimeMs now) { return now + 5 * 60'000; }

// A single item given by hand was refused.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Refusal refusal);
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

// rebuild() was refused: events are damaged, and the mirror may hold their only good copy.
class DamagedLedger : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Applied : std::uint8_t { applied, duplicate };

struct IngestRequest {
  std::string_view content;
  Input* input = nullptr;  // if given, read instead of `content`
  std::string file;        // its name, for messages and dead letters
  const Format* format = nullptr;
  ReadOptions read;
  bool strict = false;           // refuse the whole file if any of it is refused
  std::optional<TimeMs> latest;  // later events are refused (`future`); see latest_taken()
  // nullptr: the built-in one, where the database's vectors are its own.
  Embedder* embedder = nullptr;
  Progress progress = {};  // total is the whole input
  // Memory for the items while they are sorted, in bytes. A longer input is taken in parts that
  // fit, one after the other, each sorted by itself.
  std::size_t memory_bytes = Limits::kDocumentBytes;
};
struct RefusedItem {
  std::int64_t line = 0;  // in the file; for a retried dead letter, its id
  Refusal refusal;
};
struct IngestSummary {
  std::int64_t items = 0, applied = 0, duplicates = 0, refused = 0;
  MissingVectors missing_vectors;
  std::vector<RefusedItem> refusals;  // the first hundred
  std::vector<std::string> notes;     // the reader's notes about the input
  // Of a snapshot: the changes of tasks that were there, smallest ids first, and the number of such
  // tasks.
  std::vector<std::string> changed;
  std::size_t tasks_changed = 0;
  const Format* format = nullptr;
  Listed listed;                     // of a snapshot
  std::optional<std::size_t> tasks;  // of a snapshot that lists tasks: how many
};

// The tasks that all inputs of one snapshot list.
struct SnapshotRequest {
  const Format* format = nullptr;
  std::string prefix;
  Listed listed;
  TimeMs now = 0;                // when gone tasks are closed
  std::optional<TimeMs> latest;  // as of IngestRequest
};
struct Gone {
  std::vector<std::string> ids;
  std::size_t pruned = 0;  // how many of them are closed now
  std::string unknown;     // why the gone tasks are not known; empty: they are, or none is listed
};

struct EdgeChange {
  EdgeName edge;
  double weight = 0;  // effective
};
struct RecalibrationReport {
  TimeMs at = 0;
  bool repeated = false;  // the same `now` was recalibrated before: nothing changed
  std::size_t candidates = 0;
  std::vector<Guide> guides;
  std::vector<std::string> entered, left;        // of the top k
  std::vector<EdgeChange> became_dormant, woke;  // since the recalibration before
};

// What to claim: the best tasks that nobody has claimed.
struct ClaimNext {
  std::string agent;
  TimeMs now = 0;
  TimeMs lease_ms = 15 * 60'000;  // at most kLongestLeaseMs
  std::size_t n = 1;
  // The same text of the same agent again gives the same claims as long as one of them has not
  // ended; afterwards it is a new request. Empty: none.
  std::string request;
  // In what order, and which; without `top`, `offset`, times and another state than OPEN. An id of
  // Selection::among without a node is not claimed.
  RankQuery query;
  bool spread = false;  // tasks that share contexts with claimed ones count less
};
struct ClaimedTask {
  RankRow row;
  ClaimRow claim;
};

struct UndoneEvent {
  Event event;
  std::int64_t by = 0;  // the position of its undo
};

struct GcReport {
  std::vector<EdgeName> edges;
  std::vector<std::string> nodes;
  std::int64_t first_event = 0, last_event = 0;  // the removals; 0: nothing was removed
};

// One of the tasks completed last, from which nearness is measured.
struct CompletedTask {
  std::string id;
  TimeMs at = 0;
};
struct Stats {
  std::int64_t events = 0, nodes = 0, open = 0, candidates = 0, edges = 0, dormant = 0, vectors = 0,
               dimension = 0, dead_letters = 0, outcomes = 0, bytes = 0;
  std::string embedder;
  std::optional<TimeMs> recalibrated_at, latest_at;
  std::optional<TimeMs> copied_at;  // of a ledger on a server: when the copy was last up to date
  std::vector<CompletedTask> completed_last;  // the latest first
};

struct AppendOptions {
  std::optional<TimeMs> latest = {};  // as in IngestRequest
  MissingVectors* missing = nullptr;  // if given, set for the nodes of these events
};

}  // namespace hebb
