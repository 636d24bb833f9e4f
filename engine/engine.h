// hebb's engine: one database, the graph it folds to, and what can be asked of it.
//
// A writing call appends to the ledger, commits durably, folds, and returns; sync() brings the
// mirror up to date (a command does so before it exits). Every call sees what other processes have
// committed. No call reads a clock: times come from the caller. Not for use by several threads at
// once; several engines, in any number of processes, may share a database.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "engine/embed/embedder.h"
#include "engine/fold/state.h"
#include "engine/inbox/inbox.h"
#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/ledger/ledger.h"
#include "engine/ledger/validate.h"
#include "engine/mirror/mirror.h"

namespace hebb {

class Storage;

struct EngineOptions {
  std::string path;            // ":memory:" too
  bool create = true;          // make the database if there is none
  bool read_only = false;      // write nothing, not even the mirror; for files one may not write
  int busy_timeout_ms = 5000;  // how long to wait for another writer
  // A database with at least so many nodes and edges has a packed image beside it, so that opening
  // does not read them all. The largest value of the type turns images off.
  std::size_t image_from = 20'000;
  Progress progress = {};  // of reading the graph, and of folding the whole ledger
  // Called once for each event that cannot be read and is left out, and when the mirror could not
  // be written (the ledger is complete then).
  std::function<void(const std::string&)> warning = {};
  // Where everything is kept, if not in a SQLite file at `path`: see engine/storage/storage.h.
  std::function<std::unique_ptr<Storage>(const EngineOptions&)> storage = {};
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

struct RankQuery {
  std::size_t top = 3;
  std::string type, label;       // only nodes of this type, or with a context edge to this label,
                                 // given by its id or name
  bool seed = false;             // the profile `seed` rather than the policy in force
  std::string near;              // a node's id, or a text for the embedder
  std::vector<float> vector;     // rank as if the frontier had this one
  std::optional<TimeMs> as_of;   // the state at that time, ranked at that time
  std::optional<TimeMs> now;     // the time to rank at; default: the last recalibration's
  Embedder* embedder = nullptr;  // for a text
};

struct TaskExplanation;  // engine/explain.h
struct EdgeExplanation;

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

class EngineImpl;

class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(Engine&&) noexcept;

  // --- writing -----------------------------------------------------------------------------------
  // One event, given by hand: validated, resolved, appended, committed, folded. Throws Refused,
  // sql::Error, reward::BadPolicy.
  Applied append(Event e, const AppendOptions& options = {});
  // Several in one transaction, all or none: throws Refused for the first one that is refused.
  std::vector<Applied> append(std::vector<Event> events, const AppendOptions& options = {});
  // Several in one transaction; refused ones are left out, the others are appended. Makes no
  // vectors: nodes have those that the events bring.
  std::vector<std::variant<Applied, Refusal>> offer(std::vector<Event> events);
  // Reads the whole input, sorts its events by (at, key), and appends them in that order. An event
  // that names a node which a later one makes is tried once more at the end, in the same order. An
  // input with items that have neither id nor time counts as read once sync() has returned true:
  // until then another engine that is given the same input goes on where this one stopped.
  IngestSummary ingest(const IngestRequest& request);
  // Tries dead letters again; those that are taken now leave the list. An item without a time gets
  // the time when it was refused. latest: as in IngestRequest.
  IngestSummary retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now,
                                   std::optional<TimeMs> latest = {});
  // Removes dead letters in one transaction. Returns how many of the ids there were.
  std::int64_t drop_dead_letters(std::span<const std::int64_t> ids);
  RecalibrationReport recalibrate(TimeMs now);
  // Takes an event out of the fold and returns it. Throws std::invalid_argument if it cannot be
  // undone, with the reason.
  Event undo(std::int64_t position, TimeMs now);
  // Takes events out of the fold that are damaged: missing, not what was appended, or not readable.
  // What is left of them stays in the ledger. Returns what is wrong with each. Throws
  // std::invalid_argument, and does nothing, if one of them is whole.
  std::vector<std::string> quarantine(std::span<const std::int64_t> positions, TimeMs now);
  // Removes dormant edges and orphaned nodes that nothing touched for `age_ms`. dry_run: only says
  // which.
  GcReport gc(TimeMs now, TimeMs age_ms, bool dry_run);
  // Writes the mirror anew from the ledger, and views, indexes and triggers too. Throws
  // DamagedLedger, and changes nothing, if events are damaged.
  void rebuild();
  // Brings the mirror up to date. false: another process was writing for longer than the busy
  // timeout, or the disk refused the write (options.warning is called). The ledger is complete all
  // the same, and the next sync() writes the mirror. Throws sql::Error if the database is damaged,
  // or if it is busy while an input waits to count as read.
  bool sync();
  // The same for readers: does not wait, and returns false if the mirror cannot be written, for
  // example because the engine was opened read-only.
  bool try_sync();

  // --- reading -----------------------------------------------------------------------------------
  const State& state();  // folded up to the last committed event
  bool has_node(std::string_view id);
  std::vector<PathRow> rank(const RankQuery& query);
  PriorityTime priority_time();  // the time that rank() uses if the query names none
  // Why a task has its place in the ranking, and how an edge got its weight; see engine/explain.h.
  TaskExplanation explain(std::string_view id, std::optional<TimeMs> as_of = {},
                          std::optional<TimeMs> now = {});
  EdgeExplanation explain(const EdgeName& edge, std::optional<TimeMs> as_of = {},
                          std::optional<TimeMs> now = {});
  State state_as_of(TimeMs at);
  Stats stats(TimeMs now);
  std::vector<std::string> verify();  // what is wrong, a line each; empty: nothing
  // Events that may have shaped an edge or a node, in the fold's order, without undone ones: the
  // events about the nodes, and every gc.
  std::vector<Event> events_of_edge(const EdgeName& edge, TimeMs until);
  std::vector<Event> events_of_node(std::string_view id, TimeMs until);
  bool is_undone(std::int64_t position);
  std::unordered_set<std::int64_t> undone();  // positions of all undone events
  NodeContent content(std::string_view id);   // name, description …; what the graph does not hold
  // The vector of a text by the database's embedder (or the one given). Throws
  // std::invalid_argument.
  std::vector<float> embed(const std::string& text, Embedder* embedder);
  // The events as they were appended, up to the last commit. Reading them does not update the
  // mirror.
  const Ledger& ledger() const;
  // As long as the result lives, all reads see the database as it was at the first read.
  std::shared_ptr<void> one_moment();
  std::vector<DeadLetter> dead_letters();  // by id
  // A cycle of tasks that block one another, from the mirror: each blocks the next, the last the
  // first. Empty: there is none.
  std::vector<std::string> blocking_cycle();
  // Copies the whole database into one file, while others go on writing. Throws sql::Error and
  // sql::FileError, the latter also if the file exists and `replace` is false.
  void back_up(const std::string& path, bool replace);

 private:
  friend Storage& storage_of(Engine& engine);

  std::unique_ptr<EngineImpl> impl_;
};

}  // namespace hebb
