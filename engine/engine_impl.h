// The engine's inside: the state beside the ledger, and the two kept together.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <unordered_set>

#include "engine/engine.h"
#include "engine/mirror/image.h"
#include "engine/storage/storage.h"

namespace hebb {

// Why a mirror cannot be ahead of its ledger, and what to do.
std::string ahead_of_ledger(std::int64_t mirrored, std::int64_t last);

// What undos take out of the fold.
struct Undone {
  std::unordered_set<std::int64_t> events;       // positions
  std::unordered_set<std::int64_t> quarantined;  // of these: undone at all times, and never noted
  bool contains(std::int64_t position) const { return events.contains(position); }
};

class EngineImpl {
 public:
  explicit EngineImpl(EngineOptions options);

  // A write transaction with the state caught up. Nothing is durable before commit(); if it is left
  // without one, the ledger rolls back and the state is loaded again when next needed.
  class Batch {
   public:
    explicit Batch(EngineImpl& impl, std::optional<TimeMs> latest = {});  // see IngestRequest
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    // Validates, resolves, appends and folds. Applied or why not.
    std::variant<Applied, Refusal> add(Event e);
    // The same for one of the engine's own, which needs no resolving; gives it its position. Throws
    // Refused, which only the caller's time can bring about.
    void add_own(Event& e);
    void commit();

   private:
    std::variant<Applied, Refusal> add_removal(Event& e);  // an undo or a gc
    bool append_and_fold(Event& e);                        // false: its key was there already
    std::optional<Refusal> refuse(Event& e) const;
    std::variant<Applied, Refusal> known(const Event& e);

    EngineImpl& impl_;
    std::optional<TimeMs> latest_;
    std::unique_ptr<Storage::Transaction> transaction_;
    bool committed_ = false;
  };

  State& state();            // loaded and caught up; call inside a transaction or as a read
  void load_and_catch_up();  // precondition: inside a transaction
  void catch_up();           // folds what others appended
  // The next of the ledger. What is out of order waits for settle(), which has to come before the
  // state is read.
  void fold(const Event& e);
  void forget_late();
  void settle();                          // no cost where nothing waits
  bool reads_late(const Event& e) const;  // whether taking it has to wait for settle()
  // Whether e makes a node anew of which only damaged events are left out, so that others that
  // speak of it count again.
  bool brings_back(const Event& e) const;
  void fold_undo(const Undo& undo);
  void fold_late(const Event& e);
  void refold(const Scope& scope);
  void fold_all();
  // The events up to a time and a position into a fresh state, but for those undone.
  void fold_into(State& state, TimeMs until, std::int64_t last, const Undone& left_out);
  // Drops what hangs where events are missing from the fold. Returns the ids of such nodes.
  std::unordered_set<std::string> drop_hanging(State& state, const Undone& left_out);
  // Writes the image where it is due: where what has come since is more than an eighth of it, or
  // anything, or whatever there is. What goes wrong is no error: nobody needs it.
  enum class Due { when_old, when_behind, always };
  void keep_image(Due due);
  // What is wrong with the image, a full check included; empty: nothing, or there is none.
  std::string image_fault();
  bool sync(int wait_ms);  // false: another process is writing, and nothing waits for this one
  // As long as it lives, all that is read is of one moment; nothing inside a transaction, where
  // that is so anyway.
  std::shared_ptr<void> one_moment();
  void require_writable() const;
  NodeContent content(std::string_view id);  // name, description …; what the graph does not hold
  // The active events about a scope, in the fold's order.
  std::vector<Event> events_of(const Scope& scope, TimeMs until);
  // Why an event cannot be undone, as far as can be told before it is.
  std::optional<Refusal> refuse_undo(std::int64_t event);
  // By undos up to a time and a position.
  Undone undone_at(TimeMs until, std::int64_t last = std::numeric_limits<std::int64_t>::max());

  // --- events that cannot be read: left out of the fold, with a warning -------------------------
  void leave_out(std::int64_t position, const std::string& why);
  void warn();                                                   // of those that were not told yet
  void apply(State& state, const Event& e, const Scope* scope);  // or leaves it out
  // The faults of the ledger that no quarantine has dealt with.
  std::vector<LedgerFault> open_faults();

  EngineOptions options;
  std::unique_ptr<Storage> storage;
  Ledger& ledger;
  Mirror& mirror;
  Inbox& inbox;
  std::optional<State> loaded;
  std::int64_t position = 0;          // folded up to here, but for
  Scope late;                         // what waits for settle(),
  bool late_changes_lookups = false;  // which is more than what outcomes do
  Undone undone;
  std::map<std::int64_t, std::string> unreadable;  // by position, why
  std::int64_t left_out = 0;                       // how often one was, to notice that one was
  std::unordered_set<std::int64_t> told;
  // Ids that events speak of and none that is left has made; unknown until a whole fold.
  std::optional<std::unordered_set<std::string>> hanging;
  // Inputs that were read to their end, whose row in `progress` stays until the next sync.
  std::unordered_set<std::string> finished;

 private:
  struct NeedsWholeFold {};  // thrown by fold_all() while an image is brought up to date
  bool replaying_ = false;
  std::int64_t image_position_ = 0;  // of the image that is there, as far as is known; 0: of none
  std::int64_t useful_from_ = 0;     // an older one needs a whole fold to be brought up to date
  bool no_image_ = false;            // writing one has failed: not tried again
  bool seal_due_ = false;            // an image that is whole was found with another seal, or none

  void write_mirror();
  void forget_finished();
  void load_policies();
  // From the image, as of the mirror's position. False: there is none that helps, and the state is
  // still to be loaded.
  bool load_image();
  std::string path_of_image() const;                            // empty: there is to be none
  std::variant<Image, NoImage> open_image(Image::Check check);  // of this very ledger
  bool image_is_due(Due due, std::size_t items) const;
  void write_image(Due due);
};

}  // namespace hebb
