// The database as the engine sees it: the ledger, and the mirror of its fold. The only place that
// knows both rows and graph.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "sql/database.h"

namespace hebb {

inline constexpr int kCorrupt = 11;  // SQLITE_CORRUPT, for what SQLite reads and no program wrote

struct DeadLetter {
  std::int64_t id = 0;
  TimeMs at = 0;
  std::string format, reason, detail, file;
  std::int64_t line = 0;
  std::string text;
  // Of an item that is too long to be kept: how long it was, and the content_hash() of all of it.
  // The hash is empty where the text is whole.
  std::int64_t bytes = 0;
  std::string hash;
};

// How far an input was read whose reading was cut short, or was not said to be done.
struct ReadingProgress {
  std::int64_t items = 0;  // events, in the order in which they are taken; 0: it was not read
  TimeMs now = 0;          // of the first reading; 0: not known
};

// Told now and then by work that may take long; done == total at its end.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// A vector as it is stored: little-endian floats. Nothing if it cannot have been one.
std::optional<std::vector<float>> read_floats(std::span<const std::byte> blob);

// Told of a row of the ledger that cannot be read, and why. Whoever reads events goes on without
// it.
using UnreadableSink = std::function<void(std::int64_t position, const std::string& why)>;

// What is wrong with the ledger, from its rows and their checksums: see sql/ledger_chain.h.
struct LedgerFault {
  enum class Kind : std::uint8_t {
    changed,     // the row is not what was appended
    unreadable,  // it is, but no event
    missing,     // there is no row from `first` to `last`
    checksum     // the row is whole, as the next one's checksum shows, and only its own is damaged
  };
  Kind kind = Kind::changed;
  std::int64_t first = 0, last = 0;  // positions
  std::string why;
  std::int64_t checksum = 0;  // that of the whole row, where only the checksum is damaged
};

class Store {
 public:
  explicit Store(sql::Database db);  // of the newest schema
  void on_unreadable(UnreadableSink sink) { unreadable_ = std::move(sink); }

  sql::Database& database() { return db_; }

  // --- the ledger ------------------------------------------------------------------------------
  std::int64_t last_position();
  // Gives the event a position (and a key, if it has none); false: its key was there already.
  // Precondition: inside a write transaction.
  bool append(Event& e);
  std::optional<std::int64_t> position_of(std::string_view key);
  std::optional<Event> event(std::int64_t position);  // nothing for one that cannot be read
  using EventSink = std::function<void(Event&&)>;
  void events_after(std::int64_t position, const EventSink& sink);  // in order of arrival
  void events_until(TimeMs at, const EventSink& sink);              // in the fold's order
  void events_of_subject(std::string_view subject, const EventSink& sink);
  void events_of_kind(std::string_view kind, const EventSink& sink);
  // In order of position. Those from `first` to `last` only; the checksum of the row before `first`
  // is believed. O(rows).
  std::vector<LedgerFault> check_ledger(
      std::int64_t first = 1, std::int64_t last = std::numeric_limits<std::int64_t>::max());
  void mend_checksum(const LedgerFault& fault);  // precondition: of Kind::checksum

  // --- the mirror ------------------------------------------------------------------------------
  std::int64_t mirror_position();
  void load(State& state, const Progress& progress);  // as of mirror_position()
  // A state was loaded from elsewhere, as of mirror_position(): the keys of its rows are looked up
  // as they are needed.
  void begin_keys();
  // Writes what changed, and the priorities at state.stamp(); touched rows only, in key order.
  // Precondition: inside a write transaction, state folded up to `position`.
  void write(State& state, std::int64_t position);
  NodeContent content(std::string_view id);  // as mirrored
  std::vector<std::string>
  blocking_cycle();  // as mirrored: as of the stamp; see engine/fold/blocking.h

  // --- beside the ledger -----------------------------------------------------------------------
  void add_dead_letter(const DeadLetter& letter);
  // A new reason for the letter of letter.id; false if there is none.
  bool set_dead_letter(const DeadLetter& letter);
  // The id of the newest letter with the same text from the same place.
  std::optional<std::int64_t> same_dead_letter(const DeadLetter& letter);
  std::vector<DeadLetter> dead_letters();
  bool drop_dead_letter(std::int64_t id);
  ReadingProgress progress(std::string_view content);
  void set_progress(std::string_view content, const ReadingProgress& progress);  // 0 items: forget

 private:
  void clear_what_stays();
  void write_policy(const State& state);
  void write_nodes(State& state);
  void write_edges(State& state);
  void drop_nodes(State& state);
  void write_priorities(const State& state);
  void write_marks(const State& state, std::int64_t position);
  void write_node(State& state, graph::NodeId n);
  void write_edge(const State& state, const EdgeKey& key, graph::EdgeId e,
                  const std::string* properties);
  std::int64_t node_key(const State& state, graph::NodeId n);
  std::int64_t type_key(const State& state, graph::TypeId type);
  std::int64_t put_type(const State& state, graph::TypeId type);
  void forget_keys();
  void each_event(sql::Statement& rows, const EventSink& sink);

  sql::Database db_;
  UnreadableSink unreadable_;
  // Of the state that was loaded or written whole last: another one numbers its nodes differently.
  // As of a mirror position: whoever moves that on may have removed rows and given their keys anew.
  std::int64_t keys_as_of_ = 0;
  std::vector<std::int64_t> node_keys_;  // by NodeId; 0: not known yet
  std::vector<std::int64_t> type_keys_;  // by TypeId; 0: not known yet
};

}  // namespace hebb
