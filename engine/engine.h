// hebb's engine: one database, the graph that it folds to, and its queries.
//
// Whoever embeds hebb makes an Engine, appends events or ingests inputs, and asks for a ranking:
//
//   hebb::Engine engine({.path = "tasks.db"});
//   engine.append(event);
//   for (const auto& row : engine.rank({})) …
//
// A call that writes appends to the ledger and writes what changed in the tables that people read
// with SQL, the ranking among it, in one transaction: all of it is durable when it returns, or,
// where it throws, nothing is. Only what appends more than 64 events at once (an import) leaves the
// tables to the next call that writes, or to sync().
//
// Every call sees what other processes have committed. Times come from the caller, in milliseconds
// since 1970, UTC: no event and no ranking is dated by a clock. An engine belongs to one thread at
// a time; several engines, in any number of processes, may share a database. Any number of threads
// may read the State that state() returns as long as no call is made to its engine: a program with
// a thread that writes holds a shared lock around reading, and an exclusive one around every call.
//
// Beside the errors named at each call, any call may throw the storage's error, which says whether
// the database was busy, is damaged, or cannot be written.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "engine/fold/state.h"
#include "engine/requests.h"

namespace hebb {

struct EngineImpl;
struct TaskExplanation;  // engine/rank/explain.h
struct EdgeExplanation;

// More events than that are mirrored together, by sync(), after the commit that appends them.
inline constexpr std::int64_t kMirroredAtOnce = 64;

class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(Engine&&) noexcept;

  // --- writing -----------------------------------------------------------------------------------
  // Runs `work`, which reads and then appends by calls of this engine, as one write transaction:
  // nobody else writes between its reads and its appends. Each of its calls is all or nothing, and
  // durable when write() returns. An exception of `work` rolls all of it back. Within another
  // write() it is a part of that one. With a ledger on a server `work` may run twice, so it must
  // not use up its inputs. Others wait meanwhile: it asks no server, and ingests nothing large.
  void write(const std::function<void()>& work);
  // One event, given by hand: validated, resolved, appended, committed, folded. All or nothing.
  // Throws Refused and reward::BadPolicy.
  Applied append(Event e, const AppendOptions& options = {});
  // Several in one transaction. All or nothing: throws Refused for the first one that is refused.
  std::vector<Applied> append(std::vector<Event> events, const AppendOptions& options = {});
  // Reads the input, sorts its events by (at, key), and appends them in that order: all of it, or
  // part by part, if longer than IngestRequest::memory_bytes. An event that names a node which a
  // later one makes is tried once more at the end, in the same order. Not all or nothing: batches
  // of a thousand items are, each with its dead letters. One transaction, and so all or nothing, is
  // an input of a tracker, a `strict` request, which takes nothing if an item is refused, and an
  // input from the first part on that has an item with neither id nor time. Throws UnreadableInput,
  // and takes nothing, for an input that is not of its format as a whole; but the parts taken from
  // a longer one stay.
  IngestSummary ingest(const IngestRequest& request);
  // The tasks that came once in a snapshot of this format, prefix and home, are not closed, and are
  // not in this one, if it is a whole list. prune: closes them, in one transaction. O(nodes).
  Gone find_gone(const SnapshotRequest& request, bool prune);
  // Tries dead letters again; those that are taken now leave the list. An item without a time gets
  // the time when it was refused. latest: as in IngestRequest. In batches, as ingest().
  IngestSummary retry_dead_letters(std::span<const std::int64_t> ids, TimeMs now,
                                   std::optional<TimeMs> latest = {});
  // Ranks everything as of `now` and writes the recommendations. All or nothing. The same `now`
  // again changes nothing. Throws Refused for a time before the last recalibration's.
  RecalibrationReport recalibrate(TimeMs now);
  // Claims tasks in one write transaction, best first: the ones that nobody has claimed at that
  // time and that are not stuck. Fewer than asked for if there are no more. If another process
  // writes, it tries again after a few milliseconds, for the busy timeout in all. All or nothing.
  // Throws std::invalid_argument for a vector that cannot be compared with the
  // database's.
  std::vector<ClaimedTask> claim_next(const ClaimNext& asked);
  // Takes an event out of the fold, or all of one gc from it to `last`. All or nothing. Throws
  // std::invalid_argument if it cannot be undone, with the reason.
  UndoneEvent undo(std::int64_t position, TimeMs now, std::int64_t last = 0);
  // Removes dormant edges and orphaned nodes that nothing touched for `age_ms`, an event for each.
  // All or nothing. dry_run: only says which.
  GcReport gc(TimeMs now, TimeMs age_ms, bool dry_run);
  // Writes the mirror anew from the ledger, and what readers of the database need beside it. All or
  // nothing. Throws DamagedLedger if events are damaged, or the ledger's end is lost; force: gives
  // up the lost end.
  void rebuild(bool force = false);
  // Brings the tables up to date after an import. false: another process was writing for longer
  // than the busy timeout, or the disk refused the write (options.warning is called). The ledger is
  // complete all the same. All or nothing. Throws if the database is damaged. The tables of a copy
  // may stay kMirroredAtOnce events behind, and so may they while several calls are one commit;
  // try_sync() leaves none out.
  bool sync();
  // As sync(), for readers: does not wait, and returns false if the tables cannot be written, for
  // example because the engine was opened read-only. Does nothing where they are at most `behind`
  // events behind. The tables of a copy lack what its own writers have just appended, so for behind
  // = 0 it waits for its turn, up to a second.
  bool try_sync(std::int64_t behind = 0);

  // --- reading -----------------------------------------------------------------------------------
  const State& state();  // folded up to the last committed event
  // The ranking: the candidates that the query asks for, best first. summary: set, if given.
  // Throws std::invalid_argument for a node without a vector to be near to, and for a vector that
  // cannot be compared with the database's. O(candidates), and O(nodes + edges of candidates and
  // their contexts) for another profile or a time before the hour of the latest event; as_of:
  // O(events).
  std::vector<RankRow> rank(const RankQuery& query, RankSummary* summary = nullptr);
  std::vector<ClaimRow> claims();     // that have not ended, expired ones included; by task
  std::vector<std::string> verify();  // what is wrong, a line each; empty: nothing
  const std::unordered_set<std::int64_t>& undone();  // positions of all undone events
  NodeContent content(std::string_view id);  // name, description …; what the graph does not hold
  // The events as they were appended, up to the last commit. Reading them does not update the
  // mirror.
  const Ledger& ledger() const;
  // As long as the result lives, all reads see the database as it was at the first read.
  std::shared_ptr<void> read_snapshot();
  // Dead letters after an id, by id, until their texts have more than so many bytes.
  std::vector<DeadLetter> dead_letters(std::int64_t after = 0,
                                       std::size_t bytes = std::numeric_limits<std::size_t>::max());
  // Copies the whole database into one file, while others go on writing. The file is there as a
  // whole or not at all. Throws if it exists and `replace` is false.
  void back_up(const std::string& path, bool replace);

  EngineImpl& impl() { return *impl_; }  // for engine/ alone

 private:
  std::unique_ptr<EngineImpl> impl_;
};

// --- functions beside the class ----------------------------------------------------------------

// Gives the events that name nodes, and have no vector, one of this embedder. Called before they
// are appended, since it may be a server, for which others must not wait. Throws Refused.
void embed(Engine& engine, std::span<Event> events, Embedder& embedder);
// Several events in one transaction: refused ones are left out, and the others are all or nothing.
// Makes no vectors: nodes have those that the events bring.
std::vector<std::variant<Applied, Refusal>> offer(Engine& engine, std::vector<Event> events);
// Removes dead letters. Returns how many of the ids there were. All or nothing.
std::int64_t drop_dead_letters(Engine& engine, std::span<const std::int64_t> ids);
// The claim of a task, of those that claims() lists. O(log claims).
std::optional<ClaimRow> claim_of(Engine& engine, const std::string& task);
// Both throw Refused, stale_lease, if the claim has ended. All or nothing.
ClaimRow renew_claim(Engine& engine, std::int64_t token, TimeMs now, TimeMs lease_ms);
ClaimRow release_claim(Engine& engine, std::int64_t token, TimeMs now);

State state_as_of(Engine& engine, TimeMs at);
Stats stats_of(Engine& engine, TimeMs now);
// Why a task has its place in the ranking, and how an edge got its weight; see
// engine/rank/explain.h. as_of: the state at that time. now: the time to evaluate at; default:
// as_of, else the stored priorities'; for an edge when it was last touched, if that is later.
TaskExplanation explain(Engine& engine, std::string_view id, std::optional<TimeMs> as_of = {},
                        std::optional<TimeMs> now = {});
EdgeExplanation explain(Engine& engine, const EdgeName& edge, std::optional<TimeMs> as_of = {},
                        std::optional<TimeMs> now = {});
// Events that shaped a node, in the fold's order, without undone ones.
std::vector<Event> events_of_node(Engine& engine, std::string_view id, TimeMs until);
// A node's outcomes and `node` events, in the fold's order, without undone ones. O(these events),
// but reads of an outcome only its result.
void records_of_node(Engine& engine, std::string_view id,
                     const std::function<void(Ledger::Record&&)>& sink);
using LineSink = std::function<void(std::string_view line)>;
// All that counts as a history log, a line at a time with its newline, in the fold's order: the
// events that nobody has undone, and no undo. Importing it elsewhere gives the same graph. salvage:
// leaves out events that are damaged, and what depends on them, rather than throw, and returns
// what is wrong and left out, so nothing where nothing is. O(events).
std::vector<std::string> export_log(Engine& engine, const LineSink& write, bool salvage = false);
// A cycle of tasks that block one another: each blocks the next, the last the first. Empty: there
// is none.
std::vector<std::string> blocking_cycle(Engine& engine, std::optional<TimeMs> now = {});

}  // namespace hebb
