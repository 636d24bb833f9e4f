// The ledger: what happened, in the order in which it arrived. It is the only truth; everything
// else that hebb stores or computes is made from it.
//
// What it promises:
// - What is appended within one write transaction (engine/storage/storage.h) is taken as a whole or
//   not at all, and is on disk when the commit returns.
// - Positions count from 1 without gaps, in the order of the commits: whoever has read up to a
//   position has seen all that will ever be below it.
// - No two events ever have the same key.
// - There may be many writers, one at a time, and any number of readers, who wait for nobody.
// - A damaged event stops whatever reads it: damaged_event() is thrown. Only check() goes past it,
//   and every reader past one that an older hebb has set aside.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ledger/event.h"

namespace hebb::sql {
class Database;
class Error;
class Statement;
}  // namespace hebb::sql

namespace hebb {

// How to proceed with a damaged event, as the end of a sentence.
inline constexpr std::string_view kAboutDamage =
    "restore a backup, or go on without it and what depends on it: `hebb export --salvage` writes "
    "all other events, and `hebb import` makes a new database of them";
// The error, with corrupt(), that names an event which cannot be read or applied.
sql::Error damaged_event(std::int64_t position, const std::string& why);

using EventSink = std::function<void(Event&&)>;

// One fault of the ledger, found from its rows and their checksums.
struct LedgerFault {
  std::int64_t first = 0, last = 0;  // positions
  std::string what;                  // is wrong; names the event
  bool is_undo = false;
  // What the checksum should be: the event is what was appended, its checksum is not.
  std::optional<std::int64_t> checksum = std::nullopt;
};

// In the table `event`.
class Ledger {
 public:
  explicit Ledger(sql::Database& db) : db_(db) {}

  // Gives the event a position (and a key, if it has none); false: its key was there already.
  // Precondition: inside a write transaction.
  bool append(Event& e);

  std::int64_t last_position() const;  // 0: it is empty
  std::optional<std::int64_t> position_of(std::string_view key) const;
  // nullopt for one that is not there.
  std::optional<Event> event(std::int64_t position) const;
  void events_after(std::int64_t position,
                    const EventSink& sink) const;  // by position
  // By (at, key), without those at these positions.
  void events_until(TimeMs at, const EventSink& sink,
                    const std::unordered_set<std::int64_t>& without = {}) const;
  void events_of_subject(std::string_view subject, const EventSink& sink) const;
  // The subject's outcomes and `node` events, by (at, key). Of an outcome only the result is read,
  // since a subject may have very many of them.
  struct Record {
    std::int64_t position = 0;
    TimeMs at = 0;
    std::variant<OutcomeKind, NodeUpsert> what;
  };
  void records_of_subject(std::string_view subject,
                          const std::function<void(Record&&)>& sink) const;
  void gcs_of_subject(std::string_view subject, const EventSink& sink) const;  // in no order
  // By (at, key). kind: pivot, recalibrate, policy, undo or gc.
  void events_of_kind(std::string_view kind, const EventSink& sink) const;
  // The last event of the kind, in the fold's order, that is dated up to `until` and for whose
  // position wanted() is true. wanted() is called for the latest first. Reads no other events.
  std::optional<Event> latest_of_kind(
      std::string_view kind, TimeMs until,
      const std::function<bool(std::int64_t position)>& wanted) const;
  std::int64_t count_outcomes() const;

  // The checksum of the row at the position, which depends on all rows before it; nullopt: no row.
  std::optional<std::int64_t> checksum_at(std::int64_t position) const;
  // The faults of all rows, in order of position. The sink gets the events that can be read. Uses
  // no index, since one may be damaged. O(rows).
  std::vector<LedgerFault> check(const EventSink& sink) const;
  // Writes the right checksum of an event that is whole. Precondition: inside a write transaction.
  void mend(const LedgerFault& fault);

 private:
  void each_event(sql::Statement& rows, const EventSink& sink,
                  const std::unordered_set<std::int64_t>& without = {}) const;
  // Whether hebb before 0.4 has set the damaged event aside (Undo::damage).
  bool is_set_aside(std::int64_t position) const;

  sql::Database& db_;
};

// Which events the undos of a ledger take out of the fold: positions.
struct Undone {
  std::unordered_set<std::int64_t> events;    // all of them
  std::unordered_set<std::int64_t> repeated;  // those left out by Undo::repeats
  bool contains(std::int64_t position) const { return events.contains(position); }
};

// The events that these undos take out.
Undone undone_by(std::vector<Event> undos);
// The events that the undos up to a time and a position take out.
Undone undone_at(const Ledger& ledger, TimeMs until,
                 std::int64_t last = std::numeric_limits<std::int64_t>::max());

}  // namespace hebb
