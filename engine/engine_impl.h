// The engine's implementation: it keeps the state in memory in step with the ledger.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/claims/claims.h"
#include "engine/engine.h"
#include "engine/inbox/input_locks.h"
#include "engine/mirror/image.h"
#include "engine/rank/reasons.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"

namespace hebb {

// The error text for a mirror that is ahead of its ledger: what is wrong and what to do.
std::string ahead_of_ledger(std::int64_t mirrored, std::int64_t last);

// Positions of the events that undos take out of the fold.
struct Undone {
  std::unordered_set<std::int64_t> events;       // all of them
  std::unordered_set<std::int64_t> quarantined;  // those left out at any time, see Undo::damage
  // Those left out by Undo::repeats, and the position of that undo.
  std::unordered_map<std::int64_t, std::int64_t> repeated;
  bool contains(std::int64_t position) const { return events.contains(position); }
};

class EngineImpl {
 public:
  explicit EngineImpl(EngineOptions options);

  // A write transaction with the state caught up. Nothing is durable before commit(). Destroyed
  // without one, it rolls the ledger back, and the state is loaded again when next needed.
  class Batch {
   public:
    // latest: see IngestRequest; tells: whether EngineOptions::outcome_taken is called.
    explicit Batch(EngineImpl& impl, std::optional<TimeMs> latest = {}, bool tells = true);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    // Validates, resolves, appends and folds; or says why not.
    std::variant<Applied, Refusal> add(Event e);
    // The same for an event that the engine made, which needs no resolving; sets its position.
    // Throws Refused, which happens only if the time that the caller gave is not valid.
    void add_own(Event& e);
    // Writes the mirror in the same transaction, unless so many events came that it is left to
    // whoever writes next, or to sync(); or unless `mirrors` is false.
    void commit(bool mirrors = true);

   private:
    std::variant<Applied, Refusal> add_removal(Event& e);  // an undo or a gc
    bool append_and_fold(Event& e);                        // false: its key was there already
    std::optional<Refusal> refuse(Event& e);
    std::variant<Applied, Refusal> known(const Event& e);
    // Whether every policy that was ever in force keeps its bounds. Where one does not, because a
    // change before it is in quarantine, that is no reason to refuse anything else.
    bool policies_hold() const;
    // Of an event that comes: notes a task of which a completion may be told twice from now on.
    void note_task(const Event& e);
    void tell_completions_once();

    EngineImpl& impl_;
    std::optional<TimeMs> latest_;
    bool tells_;
    std::size_t appended_ = 0;
    std::vector<Event> outcomes_;           // to tell of after the commit
    std::map<std::string, TimeMs> retold_;  // see note_task(), with the time of the last such event
    std::unique_ptr<Storage::Transaction> transaction_;
    bool committed_ = false;
    bool dropped_names_ = false;  // once, because it is O(nodes)
  };

  std::vector<ClaimedTask> claim_next(Engine& engine, const ClaimNext& request);
  std::vector<ClaimedTask> claimed_before(const ClaimNext& request);
  State& state();            // loaded and caught up; call inside a transaction or as a read
  void load_and_catch_up();  // precondition: inside a transaction
  void catch_up();           // folds what others appended
  // Folds the next event of the ledger. One that is out of order waits for settle(), which has to
  // be called before the state is read.
  void fold(const Event& e);
  void forget_late();
  void settle();                          // no cost where nothing waits
  bool reads_late(const Event& e) const;  // whether settle() has to come before e is resolved
  // Whether e makes a node that other events name and only a quarantined event had made: those
  // events count again from now on.
  bool brings_back(const Event& e) const;
  void fold_undo(const Event& e);
  void fold_late(const Event& e);
  void refold(const Scope& scope);
  void renew_vectors();  // of the nodes whose words or vectors were folded
  void fold_all();
  // Folds the events up to a time and a position into a fresh state that tracks changes, without
  // the undone ones.
  void fold_into(State& state, TimeMs until, std::int64_t last, const Undone& left_out);
  // State::drop_hanging(), if events are in quarantine or unreadable; else does nothing.
  std::unordered_set<std::string> drop_hanging(State& state, const Undone& left_out);
  // Writes the image if since the last one more events have come than an eighth of nodes and edges
  // (when_old), if any came (when_behind), or always. A failure is no error: nothing needs it.
  enum class Due { when_old, when_behind, always };
  void keep_image(Due due);
  // Checks the image in full. What is wrong with it; empty: nothing, or there is no image.
  std::string image_fault();
  bool sync(int wait_ms);  // as Engine::sync(), waiting so long for another writer
  void forget_finished();  // see `finished`
  // As long as the result lives, all reads see one moment. nullptr inside a transaction, whose
  // reads see one moment anyway.
  std::shared_ptr<void> one_moment();
  void require_writable() const;
  NodeContent content(std::string_view id);  // name, description …; what the graph does not hold
  // The active events about a scope, in the fold's order.
  std::vector<Event> events_of(const Scope& scope, TimeMs until);
  // The same, by ids, which the graph need not have: gc may have removed them.
  std::vector<Event> events_about(const std::vector<std::string>& subjects, bool of_frontier,
                                  TimeMs until);
  // All events about a task but for those that somebody has undone, in the fold's order: also those
  // that repeat a completion.
  std::vector<Event> events_told_of(std::string_view task);
  // Why an event cannot be undone, as far as that is known before the undo is folded.
  std::optional<Refusal> refuse_undo(std::int64_t event);
  // What the undos up to a time and a position take out, and what these ones do.
  Undone undone_at(TimeMs until, std::int64_t last = std::numeric_limits<std::int64_t>::max());
  static Undone undone_by(std::vector<Event> undos);

  // --- events that cannot be read: left out of the fold, with a warning -------------------------
  void leave_out(std::int64_t position, const std::string& why);
  void warn();  // of the events left out of which no warning was given yet
  void apply(State& state, const Event& e, const Scope* scope);  // or leaves it out, if damaged
  // The faults of the ledger other than events that are in quarantine, found from its rows alone,
  // in order of position: an index may be damaged. What is read is folded into `into`, which is
  // Claims::from_start().
  std::vector<LedgerFault> open_faults(Claims& into);

  EngineOptions options;
  std::unique_ptr<Storage> storage;
  Ledger& ledger;
  Mirror& mirror;
  Inbox& inbox;
  std::optional<State> loaded;
  Claims claims;                      // up to `position`
  std::int64_t changed_at = 0;        // the last event that is more than a claim is not after this
  std::int64_t position = 0;          // all events up to here are folded, except for `late`
  Scope late;                         // what waits for settle()
  bool late_changes_lookups = false;  // `late` may change what reads_late() protects
  Undone undone;
  std::map<std::int64_t, std::string> unreadable;  // by position, why
  std::int64_t left_out = 0;                       // counts calls of leave_out()
  std::unordered_set<std::int64_t> told;
  // Ids that events name although no event in the fold makes them; not known before a whole fold.
  std::optional<std::unordered_set<std::string>> hanging;
  InputLocks input_locks{options.path};
  // Inputs that were read to their end, and by which reader: their rows in `progress` stay, and
  // their locks, until forget_finished().
  std::vector<std::pair<std::string, std::string>> finished;
  // Of the ranking that is kept, and `changed_at` as it was; goes when `loaded` is made anew.
  std::optional<std::pair<std::int64_t, MeanFactors>> mean_of_tasks;

 private:
  struct NeedsWholeFold {};  // fold_all() throws it while an image is brought up to date
  bool replaying_ = false;
  std::int64_t image_position_ = 0;  // of the image as last seen; 0: there is none
  std::int64_t useful_from_ = 0;     // an image from before this position needs a whole fold
  bool no_image_ = false;            // writing one has failed and is not tried again
  bool seal_due_ = false;            // the image is whole, but the database has not its seal

  // Up to `position`. Precondition: in a write transaction, with the state caught up.
  void write_mirror();
  void start_anew();
  void load_policies();
  // Loads the state from the image and folds up to the mirror's position. False: there is no usable
  // image, and what is loaded is of no use.
  bool load_image();
  std::string path_of_image() const;                            // empty: there is to be none
  std::variant<Image, NoImage> open_image(Image::Check check);  // only if it is of this ledger
  bool image_is_due(Due due, std::size_t items) const;
  void write_image(Due due);
};

}  // namespace hebb
