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
  bool read_only = false;      // refuse to write, even the mirror; for what cannot be written
  int busy_timeout_ms = 5000;  // how long to wait for another writer
  // From how many nodes and edges on a packed image is kept beside the database, so that opening
  // does not read them all. The largest value there is: none is written, nor read.
  std::size_t image_from = 20'000;
  Progress progress = {};  // of reading the graph, and of folding the whole ledger
  // Told, once each, of events that cannot be read and are left out; and why the mirror could not
  // be written, when the ledger has everything all the same.
  std::function<void(const std::string&)> warning = {};
  // Where everything is kept, if not in a SQLite file at `path`: see engine/storage/storage.h.
  std::function<std::unique_ptr<Storage>(const EngineOptions&)> storage = {};
};

// How far ahead of ours the clock of whoever reports may be.
inline constexpr TimeMs kClockTolerance = 5 * 60'000;
// The latest time that is taken where times to come are refused: later outcomes would pin a task's
// recency, and not decay, until then.
inline TimeMs latest_taken(TimeMs now) { return now + kClockTolerance; }

// A single item given by hand was refused.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Refusal refusal);
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

// The mirror cannot be made from a ledger of which events are damaged; it may be the better copy.
class DamagedLedger : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Applied : std::uint8_t { applied, duplicate };

struct IngestRequest {
  std::string_view content;
  Input* input = nullptr;  // read instead of the content, where there is one
  std::string file;        // its name, for messages and dead letters
  const Format* format = nullptr;
  ReadOptions read;
  bool strict = false;           // refuse the whole file if any of it is refused
  std::optional<TimeMs> latest;  // what is later is refused (`future`); see latest_taken()
  Embedder* embedder =
      nullptr;             // nullptr: the built-in one, where the database's vectors are its own
  Progress progress = {};  // in parts of the input
  // What items may take while they are put in order; more of them are sorted on disk.
  std::size_t memory_bytes = 64 << 20;
};
struct RefusedItem {
  std::int64_t line = 0;  // of the file; of a dead letter its id
  Refusal refusal;
};
// Nodes of an input whose words no vector could be made from, since the database's vectors are from
// an embedder that was not given.
struct MissingVectors {
  std::int64_t none = 0;      // that have no vector now
  std::int64_t outdated = 0;  // that keep the vector of the words they had before
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
  std::vector<float> vector;     // the frontier's
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
  MissingVectors* missing = nullptr;  // told of the events, if given
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
  // Several in one transaction; a refused one throws and none is appended.
  std::vector<Applied> append(std::vector<Event> events, const AppendOptions& options = {});
  // Several in one transaction; a refused one is left out and the others stand. Vectors are as
  // given.
  std::vector<std::variant<Applied, Refusal>> offer(std::vector<Event> events);
  // All of the input is read before any of it is taken, in the order of (at, key), wherever an item
  // stands in it; what names a node that comes later is taken after the others, in that order too.
  // An input with items that have neither id nor time counts as read once sync() has returned true:
  // until then the same input read again, by another engine, goes on where this one was.
  IngestSummary ingest(const IngestRequest& request);
  // Dead letters given another chance; those taken now are dropped from the list. What has no time
  // of its own is of the time when it was refused. latest: as in IngestRequest.
  IngestSummary retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now,
                                   std::optional<TimeMs> latest = {});
  // How many there were; all or none. The others are gone already.
  std::int64_t drop_dead_letters(std::span<const std::int64_t> ids);
  RecalibrationReport recalibrate(TimeMs now);
  // Takes an event out of the fold. Throws std::invalid_argument where that cannot be.
  Event undo(std::int64_t position, TimeMs now);
  // Takes events out of the fold that are damaged: missing, not what was appended, or not readable.
  // What is left of them stays in the ledger. Returns what is wrong with each. Throws
  // std::invalid_argument, and does nothing, if one of them is whole.
  std::vector<std::string> quarantine(std::span<const std::int64_t> positions, TimeMs now);
  // Removes dormant edges and orphaned nodes that nothing touched for `age_ms`. dry_run: only says
  // which.
  GcReport gc(TimeMs now, TimeMs age_ms, bool dry_run);
  // The mirror anew, from the ledger alone; views, indexes and triggers as well. Throws
  // DamagedLedger, and changes nothing, where the ledger is the damaged side.
  void rebuild();
  // The mirror up to date. false: another process is writing, for longer than the busy timeout, or
  // the disk refused, which options.warning is told. The ledger has everything all the same, and
  // whoever syncs next mirrors it. Throws sql::Error where the database is damaged, and where it is
  // busy while an input waits to count as read.
  bool sync();
  // The same for readers: without waiting, and false where it cannot be written, as by an engine
  // that was opened read-only.
  bool try_sync();

  // --- reading -----------------------------------------------------------------------------------
  const State& state();  // folded up to the last committed event
  bool has_node(std::string_view id);
  std::vector<PathRow> rank(const RankQuery& query);
  PriorityTime priority_time();  // of rank() without a time of its own; from the mirror, if it can
  // Why a task stands where it stands, and how an edge came by its weight; see engine/explain.h.
  TaskExplanation explain(std::string_view id, std::optional<TimeMs> as_of = {},
                          std::optional<TimeMs> now = {});
  EdgeExplanation explain(const EdgeName& edge, std::optional<TimeMs> as_of = {},
                          std::optional<TimeMs> now = {});
  State state_as_of(TimeMs at);
  Stats stats(TimeMs now);
  std::vector<std::string> verify();  // what is wrong, a line each; empty: nothing
  // Events that may have shaped an edge or a node, in the fold's order, undone ones left out: those
  // of the nodes they name, and every gc.
  std::vector<Event> events_of_edge(const EdgeName& edge, TimeMs until);
  std::vector<Event> events_of_node(std::string_view id, TimeMs until);
  bool is_undone(std::int64_t position);
  std::unordered_set<std::int64_t> undone();  // positions of the events that are
  NodeContent content(std::string_view id);   // name, description …; what the graph does not hold
  // The vector of a text by the database's embedder (or the one given). Throws
  // std::invalid_argument.
  std::vector<float> embed(const std::string& text, Embedder* embedder);
  // What happened, as it was appended. Reads what is committed, and nothing of it is mirrored by
  // reading.
  const Ledger& ledger() const;
  // As long as it lives, all that is read is of one moment: that of the first reading.
  std::shared_ptr<void> one_moment();
  std::vector<DeadLetter> dead_letters();  // by id
  // Of tasks that block one another, as mirrored: each blocks the next, the last the first.
  std::vector<std::string> blocking_cycle();
  // A copy of the whole database in one file, while others go on writing. Throws sql::Error and
  // sql::FileError, also where the file is there already and is not to be replaced.
  void back_up(const std::string& path, bool replace);

 private:
  friend Storage& storage_of(Engine& engine);

  std::unique_ptr<EngineImpl> impl_;
};

}  // namespace hebb
