// The ledger: what happened, in the order in which it arrived. It is the only truth; everything
// else that hebb stores or computes is made from it.
//
// What every implementation promises:
// - What is appended within one write transaction (engine/storage/storage.h) is taken as a whole or
//   not at all, and is on disk when the commit returns.
// - Positions count from 1 without gaps, in the order of the commits: whoever has read up to a
//   position has seen all that will ever be below it.
// - No two events ever have the same key.
// - There may be many writers, one at a time, and any number of readers, who wait for nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ledger/event.h"

namespace hebb {

// Called for a row of the ledger that cannot be read, with the reason. The reading function skips
// the row and goes on.
using UnreadableSink = std::function<void(std::int64_t position, const std::string& why)>;
using EventSink = std::function<void(Event&&)>;

// One fault of the ledger, found from its rows and their checksums.
struct LedgerFault {
  enum class Kind : std::uint8_t {
    changed,     // the row is not what was appended
    unreadable,  // the row is what was appended, but is not an event
    missing,     // there are no rows from `first` to `last`
    checksum     // only the row's checksum is damaged, as the next row's checksum shows
  };
  Kind kind = Kind::changed;
  std::int64_t first = 0, last = 0;  // positions
  std::string why;
  std::int64_t checksum = 0;  // Kind::checksum: what it should be
};

class Ledger {
 public:
  virtual ~Ledger() = default;
  virtual void on_unreadable(UnreadableSink sink) = 0;

  // Gives the event a position (and a key, if it has none); false: its key was there already.
  // Precondition: inside a write transaction.
  virtual bool append(Event& e) = 0;

  virtual std::int64_t last_position() const = 0;  // 0: it is empty
  virtual std::optional<std::int64_t> position_of(std::string_view key) const = 0;
  // Whether a key begins so. Precondition: the last character is '/'.
  virtual bool has_keys_in(std::string_view beginning) const = 0;
  // nullopt for one that is not there or cannot be read.
  virtual std::optional<Event> event(std::int64_t position) const = 0;
  virtual void events_after(std::int64_t position,
                            const EventSink& sink) const = 0;             // by position
  virtual void events_until(TimeMs at, const EventSink& sink) const = 0;  // by (at, key)
  virtual void events_of_subject(std::string_view subject, const EventSink& sink) const = 0;
  // By (at, key). kind: pivot, recalibrate, policy, undo or gc.
  virtual void events_of_kind(std::string_view kind, const EventSink& sink) const = 0;
  // The last event of the kind, in the fold's order, that is dated up to `until` and for whose
  // position wanted() is true. wanted() is called for the latest first. Reads no other events.
  virtual std::optional<Event> latest_of_kind(
      std::string_view kind, TimeMs until,
      const std::function<bool(std::int64_t position)>& wanted) const = 0;
  virtual std::int64_t count_outcomes() const = 0;

  // The checksum of the row at the position, which depends on all rows before it; nullopt: no row.
  virtual std::optional<std::int64_t> checksum_at(std::int64_t position) const = 0;
  // Faults of the rows from `first` to `last`, in order of position. The checksum of the row before
  // `first` is taken to be right. The sink gets the events that can be read. O(rows).
  virtual std::vector<LedgerFault> check(std::int64_t first, std::int64_t last,
                                         const EventSink& sink) const = 0;
  // Preconditions: fault.kind is Kind::checksum; inside a write transaction.
  virtual void mend_checksum(const LedgerFault& fault) = 0;
};

}  // namespace hebb
