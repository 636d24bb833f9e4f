// What is asked of an engine and what it answers: the plain structs of engine/engine.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/embed/embedder.h"
#include "engine/inbox/inbox.h"
#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/ledger/ledger.h"
#include "engine/ledger/validate.h"
#include "reward/factors.h"

namespace hebb {

// Called now and then by work that may take long; done == total at its end.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct EngineOptions {
  std::string path;            // ":memory:" too
  bool create = true;          // make the database if there is none
  bool read_only = false;      // write nothing, not even the mirror; for files one may not write
  int busy_timeout_ms = 5000;  // how long to wait for another writer
  // Inputs without ids count as read when forget_inputs() is called, rather than by sync().
  bool reports_later = false;
  // A database with at least so many events has a packed image beside it, so that opening does not
  // fold them all. The largest value of the type turns images off.
  std::size_t image_from = 1'000;
  Progress progress = {};  // of reading the graph, and of folding the whole ledger
  // Called once for each event that cannot be read and is left out, and when the tables could not
  // be brought up to date after an import (the ledger is complete then).
  std::function<void(const std::string&)> warning = {};
  // Called for each outcome that was appended, with its position: after the commit, in the order of
  // the ledger. Not for what an import tells of the past (Format::of_past).
  std::function<void(const Event&)> outcome_taken = {};
};

// How far the reporter's clock may be ahead of ours, in milliseconds.
inline constexpr TimeMs kClockTolerance = 5 * 60'000;
// The latest time that an event may have, where events dated in the future are refused: until its
// time came, such an outcome would not decay and would hold the task's recency.
inline TimeMs latest_taken(TimeMs now) { return now + kClockTolerance; }

// A single item given by hand was refused.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Refusal refusal);
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

// rebuild() was refused: events are damaged, and the mirror may hold what they said.
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
  Embedder* embedder =
      nullptr;             // nullptr: the built-in one, where the database's vectors are its own
  Progress progress = {};  // total is the whole input
  bool prune = false;      // a snapshot's: close what is gone, see IngestSummary
  // Memory for the items while they are sorted, in bytes; beyond it they are sorted on disk.
  std::size_t memory_bytes = 64 << 20;
};
struct RefusedItem {
  std::int64_t line = 0;  // in the file; for a retried dead letter, its id
  Refusal refusal;
};
// Nodes of an input for which no vector could be made from their words, because the database's
// vectors come from an embedder that was not given.
struct MissingVectors {
  std::int64_t none = 0;      // nodes without a vector now
  std::int64_t outdated = 0;  // nodes whose vector is that of the words they had before
};
struct IngestSummary {
  std::int64_t items = 0, applied = 0, duplicates = 0, refused = 0;
  MissingVectors missing_vectors;
  std::vector<RefusedItem> refusals;  // the first hundred
  std::vector<std::string> notes;     // what else the reader says of the input
  // Of a snapshot: what became different of the tasks that were there, those first that have the
  // smallest ids, and of how many in all.
  std::vector<std::string> changed;
  std::size_t tasks_changed = 0;
  // Of a snapshot that lists tasks: those that are not closed, came in one before, and are not in
  // it.
  std::vector<std::string> gone;
  std::optional<std::size_t> tasks;  // of a snapshot that lists tasks: how many
  std::size_t pruned = 0;            // of those that are gone: closed now
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

// Which nodes are asked for: of this type, in this state, with a context edge to each of these
// labels and to none of those, of this project, assigned to this one, and not of those types. What
// is empty asks for nothing. Labels and assignees are given by id or name; capital letters make no
// difference.
struct WhichNodes {
  std::string type, state;
  std::vector<std::string> labels, not_labels;
  std::string project, assignee;
  std::vector<std::string> not_types = {};
};

// Some tasks only, or others first. For tests, above all.
struct Selection {
  // Only these. One that is no node is ranked as a new task would be; one that is a node and no
  // candidate is left out.
  std::optional<std::vector<std::string>> among;
  // As many as fit into so many seconds, one after the other: one that does not fit into what is
  // left is passed over. A task takes the mean of its last 20 executionTimeMs; one without any, the
  // mean of the others.
  std::optional<double> budget_seconds;
  // Ids of nodes: the priority of a task with edges to them is multiplied by 1 + the sum of the
  // weights of those that count.
  std::vector<std::string> changed;
  std::set<std::string, std::less<>> without;  // never these
};

struct RankQuery {
  std::size_t top = 3;
  WhichNodes which;                    // no state: OPEN
  std::size_t offset = 0;              // how many of these to leave out at the beginning
  bool seed = false;                   // the profile `seed` rather than the policy in force
  std::string near;                    // a node's id, or a text for the embedder
  std::vector<float> vector;           // rank as if the frontier had this one
  std::optional<TimeMs> as_of;         // the state at that time, ranked at that time
  std::optional<TimeMs> now;           // the time to rank at; default: the last recalibration's
  std::optional<TimeMs> unclaimed_at;  // leave out tasks that are claimed at that time
  Embedder* embedder = nullptr;        // for a text
  // Told the bytes of the texts of each row; what it throws ends the query.
  std::function<void(std::size_t)> took = {};
  Selection selection;
  bool reasons = false;  // with PathRow::reasons
  // For this agent: what it has completed last itself comes before what others have, if it is among
  // the last 32 tasks completed. What was asked to be near to goes before it. Empty: for anyone.
  std::string agent;
  // Only tasks to which nothing has happened for the policy's waiting_days, by how long that is
  // times their urgency.
  bool longest_waiting = false;
};

// A row of the golden path.
struct PathRow {
  std::int64_t rank = 0;
  std::string id, name;
  double relative = 0;  // priority divided by the largest of the rows
  reward::Factors factors;
  bool pinned = false;  // above what is not, whatever its priority
  // Where they are asked for: up to three reasons for its place, the strongest first.
  std::vector<std::string> reasons = {};
  std::optional<double> seconds = {};  // where there is a budget: what the task is expected to take
  double change_proximity = 1;         // what Selection::changed multiplied the priority with
};

// What is said of a ranking as a whole.
struct RankSummary {
  std::size_t total = 0;      // how many tasks fit the query, with those that `top` leaves out
  std::size_t claimed = 0;    // how many others would, if nobody had claimed them
  TimeMs at = graph::kNever;  // the time that it is of
  bool recalibrated =
      false;  // that is the last recalibration's; else the latest event's, or as asked
};

// What to claim: the best tasks that nobody has claimed.
struct ClaimNext {
  std::string agent;
  TimeMs now = 0;
  TimeMs lease_ms = 15 * 60'000;
  std::size_t n = 1;
  std::string request;  // the same text of the same agent again gives the same claims; empty: none
  // In what order, and which; without `top`, `offset`, times and another state than OPEN. Of
  // Selection::among, what is no node is not claimed.
  RankQuery query;
  bool spread = false;  // tasks that share contexts with claimed ones count less
  bool expiry_is_failure = false;
};
struct ClaimedTask {
  PathRow row;
  ClaimRow claim;
};

struct TaskExplanation;  // engine/rank/explain.h
struct EdgeExplanation;

struct UndoneEvent {
  Event event;
  std::int64_t by = 0;  // the position of its undo
};

struct GcReport {
  std::vector<EdgeName> edges;
  std::vector<std::string> nodes;
};

struct Stats {
  std::int64_t events = 0, nodes = 0, open = 0, candidates = 0, edges = 0, dormant = 0, vectors = 0,
               dimension = 0, dead_letters = 0, outcomes = 0, bytes = 0;
  std::string embedder;
  std::optional<TimeMs> recalibrated_at, latest_at;
};

struct AppendOptions {
  Embedder* embedder = nullptr;       // for named nodes without a vector, as in IngestRequest
  std::optional<TimeMs> latest = {};  // as in IngestRequest
  MissingVectors* missing = nullptr;  // if given, set for the nodes of these events
};

}  // namespace hebb
