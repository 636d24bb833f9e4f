// The current state: all that the ledger holds, folded, with the claims of its tasks. It is read
// from the graph cache, or else folded from the first event, when it is first asked for, and then
// kept in step with the ledger, to which others may append.
//
// An event that is later than all that touched the same nodes and edges is applied at once. What
// other events touch waits, and settle() folds it again from its own events.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/claims/claims.h"
#include "engine/current/graph_cache_keeper.h"
#include "engine/fold/state.h"
#include "engine/storage/storage.h"

namespace hebb {

// Nodes and edges touched by events that came out of order. They wait to be folded again, so that
// the history of a node is read once for all these events.
class Late {
 public:
  const Scope& scope() const { return scope_; }
  // touched: by e, which is not folded yet.
  void add(const Event& e, const Scope& touched, const State& state);
  // Whether the waiting events may change what resolving e looks up: whether its nodes exist and,
  // for an outcome, the edges and states by which its contexts and related nodes are found.
  bool is_read_by(const Event& e, const State& state) const;
  Scope take();  // none waits after it

 private:
  Scope scope_;
  bool changes_lookups_ = false;  // not only outcomes wait, or one changes context edges
};

// The gcs of hebb before 0.3, each one event with all nodes and edges that it removed: read once,
// when first asked for, and kept as the events that a gc writes today.
class WholeGcs {
 public:
  explicit WholeGcs(const Ledger& ledger) : ledger_(ledger) {}
  // The removals of the node, or of edges of which it is the subject.
  const std::vector<Event>& removals_of(const std::string& id) const;
  void take(const Event& e);  // one that is appended to the ledger
  void forget() { read_.reset(); }

 private:
  struct Read {
    std::int64_t position;  // up to here; no default: clang 14 cannot make one in an optional
    std::unordered_map<std::string, std::vector<Event>> by_subject;
    void add(const Event& e);
  };

  const Ledger& ledger_;
  mutable std::optional<Read> read_;
};

class Folded {
 public:
  // Keeps references to all three.
  Folded(Storage& storage, GraphCacheKeeper& graph_cache, const EngineOptions& options);

  // --- reading -----------------------------------------------------------------------------------
  State& state();  // loaded and caught up; call inside a transaction or as a read
  // The state as it is: events may wait, and others may have appended. nullptr: not loaded.
  State* loaded() { return loaded_ ? &*loaded_ : nullptr; }
  // Who completed a task: the agent that its last success names, or else that had claimed it.
  // Empty: not known. O(its events), and then kept until an event about the task comes.
  const std::string& completed_by(const std::string& task);
  // The state at an earlier time, from the events up to a position. O(events).
  State as_of(TimeMs until, std::int64_t last = kEndOfTime);
  // All events up to here are folded, or wait.
  std::int64_t position() const { return position_; }
  // A key for caches: changes whenever the state does.
  std::pair<std::int64_t, std::int64_t> version() const { return {loads_, changed_at_}; }
  const Claims& claims() const { return claims_; }  // up to position()
  const Undone& undone() const { return undone_; }
  const Late& late() const { return late_; }
  const WholeGcs& whole_gcs() const { return whole_gcs_; }
  Storage& storage() const { return storage_; }

  // --- within a write transaction ----------------------------------------------------------------
  // Folds the event that this engine has just appended.
  void take(const Event& e);
  void settle();        // folds waiting events; no cost where there are none
  void write_mirror();  // up to position()
  // Forgets the state, which is loaded again when it is next asked for: a transaction was rolled
  // back.
  void drop() { loaded_.reset(); }
  // Makes the state anew from the ledger. claims: as of the whole ledger, if known.
  void fold_whole(std::optional<Claims> claims = {});

 private:
  void load();
  void start_anew();
  void catch_up(std::int64_t last);  // folds the events up to there
  void follow(const Event& e);       // the next event
  void fold_undo(const Event& e);
  bool waits(const Event& e);
  void fold_all();
  // Folds the events up to a time and a position into a fresh state that tracks changes, without
  // those that `without` names.
  void fold_into(State& state, TimeMs until, std::int64_t last, const Undone& without);

  Storage& storage_;
  Ledger& ledger_;
  GraphCacheKeeper& graph_cache_;
  const EngineOptions& options_;
  std::optional<State> loaded_;
  std::int64_t loads_ = 0;  // how often it was made anew
  std::int64_t position_ = 0;
  std::int64_t changed_at_ = 0;  // no event after this one is more than a claim
  Claims claims_;
  std::unordered_map<std::string, std::string> completed_by_;  // by task
  Late late_;
  Undone undone_;
  WholeGcs whole_gcs_;
};

// The name, description … of a node: what the graph does not hold.
NodeContent content_of(Folded& folded, std::string_view id);

// The error text for a mirror that is ahead of its ledger: what is wrong and what to do.
std::string ahead_of_ledger(std::int64_t mirrored, std::int64_t last);

}  // namespace hebb
