// Bytes in, events out: every input format, and the refusals of bad items.
//
// Parsers look at the text alone; what needs the graph (unknown nodes, dimensions) is checked by
// the engine when the event is resolved. One parser per file: outcome.cc, history.cc …;
// one for all trackers: tracker_ticket.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/input/bytes.h"
#include "engine/ledger/event.h"
#include "engine/values/limits.h"
#include "engine/values/refusals.h"
#include "engine/values/times.h"
#include "reward/policy.h"

namespace hebb {

using Parsed = std::variant<Event, Refusal>;

// One item of a file: its line (1-based), its text (which a dead letter keeps, and which the same
// reader can parse again), and the event or refusal. If the item is longer than Limits::kLineBytes,
// the text is only its first Limits::kKeptBytes.
struct Item {
  std::int64_t line = 0;
  std::string text;
  Parsed parsed;
  std::uint64_t bytes = 0;  // of the whole item
  std::string hash;         // content_hash() of the item if the text is only a part, else empty
};
using ItemSink = std::function<void(Item)>;

// What the graph held before an input, for readers of snapshots: a snapshot says what is, and the
// events say what changed.
class HeldBefore {
 public:
  struct Edge {
    std::string type, other;  // the node at its other end
    bool operator==(const Edge&) const = default;
  };
  struct Node {
    std::string name, description, state, type;
    std::string source, url;  // the name of its tracker, and where that shows the task
    bool is_undated = false;  // the tracker did not say when the task was made
    TimeMs made_at = graph::kNever;
    int priority = graph::kNoPriority;
    TimeMs due_at = graph::kNever, snoozed_until = graph::kNever, estimate = graph::kNever;
    std::vector<Edge> out, in;
    bool is_unknown = false;  // it was only named: it has neither type nor state
  };
  virtual ~HeldBefore() = default;
  // nullptr: there was no such node. An id has the same answer as long as this lives.
  virtual const Node* find(const std::string& id) = 0;
  virtual bool was_deleted(const std::string& id) = 0;
  // Whether an outcome with this id was taken before; likewise.
  virtual bool has_outcome(const std::string& id) = 0;
  // The events about a node that nobody has undone; likewise.
  virtual const std::vector<Event>& events_of(const std::string& id) = 0;
};

// The tasks that a tracker lists, perhaps in several inputs.
struct Listed {
  std::set<std::string> ids;
  std::set<std::string> homes;   // their repositories or sites; "" for tasks without an address
  bool is_list = false;          // it lists tasks, rather than showing one
  bool has_unread = false;       // some items cannot be read
  bool has_empty = false;        // one of the inputs lists none
  bool has_stale = false;        // of some tasks a later change is known
  std::set<std::string> items;   // names in its tracker, also of items that are no task
  std::size_t pages = 0;         // of a list that comes in pages
  std::size_t going_on = 0;      // pages that say that another follows
  bool says_last = false;        // a page says whether it is the last
  bool is_last = false;          // a page says that it is the last
  bool is_cut = false;           // the tracker could not make one of the pages whole
  std::set<std::size_t> totals;  // how many items there are, as pages of one input say
  // The items of inputs that have fewer than they say, and how many they say.
  std::set<std::string> items_of_parts;
  std::set<std::size_t> totals_of_parts;

  void add(const Listed& other);  // of the same list
  std::string missing() const;    // why it is not the whole list; empty: it may be
  std::string cut_off() const;    // likewise, by its pages
};

// Numbers the rows of one name that have no id, in all inputs of a list: those that are over first,
// by their times, so that an open one keeps its number until it is over. All are counted before the
// first is numbered.
class RowNumbers {
 public:
  // name: a hash; over_at: a text that is sorted by.
  void count(const std::string& name, const std::string& over_at) { ++rows_[name].next[over_at]; }
  std::int64_t next(const std::string& name, const std::string& over_at);  // from 1

 private:
  struct SameName {
    std::map<std::string, std::int64_t> next;  // how many; once `numbered`, the next number
    bool numbered = false;
  };
  std::map<std::string, SameName> rows_;
};

struct ReadOptions {
  TimeMs now = 0;            // for items that carry no time
  std::string task = {};     // junit: whose outcome the report is
  bool single_item = false;  // the content is the text of an Item, as of a dead letter
  // junit: converts a time without a zone, read as if it were UTC, to UTC. Empty: it is UTC.
  std::function<TimeMs(TimeMs)> utc_of_local = {};
  std::optional<TimeMs> latest = {};  // junit: a later time is none
  bool each = false;  // junit: an outcome of each test case rather than one of `task`
  std::vector<std::string> changed = {};  // junit, each: the files that the run was to test
  std::string root = {};  // junit, each: the folder that the files' paths are shown relative to
  // history: the lines may be those of an export, with keys, values that were looked up on arrival,
  // and the kinds that only the engine writes.
  bool of_ledger = false;
  HeldBefore* before = nullptr;            // nullptr: as if there had been nothing
  const reward::Policy* policy = nullptr;  // trackers: says which closing reasons mean failure
  Listed* listed = nullptr;                // trackers: the reader adds its tasks here
  std::string prefix = {};                 // trackers: what stands before the ids of tasks
  std::string columns = {};                // csv: a mapping file that says what its columns are
  RowNumbers* rows = nullptr;  // todotxt, csv: of all inputs of the list; nullptr: this is all
  bool counts_rows = false;    // ... and nothing else: no item is passed on
  bool of_several = false;     // trackers: the list goes on elsewhere, with tasks of other homes
  // Called with each note for the user about the input.
  std::function<void(const std::string& note)> note = {};
  // outcome: the key of the request that brings them. Outcomes without an id get one from it, by
  // their places.
  std::string key = {};
};

// Each calls the sink once per item, in file order. Each throws UnreadableInput, perhaps after some
// items were given. A byte order mark and blank lines are skipped. Texts are verbatim, except where
// noted. Lines are read one at a time; an array, an object over several lines and a report are held
// in memory whole, at most Limits::kDocumentBytes.

// NDJSON, or one object or one array over any number of lines.
void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink);
// NDJSON, one object or one array, as for outcomes; an array is a batch.
void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink);
// One item: the outcome that the report amounts to. Its text is that outcome as JSON. With
// options.each several: a node for each test case that `before` lacks, with its file and suite as
// contexts, its outcome, and for one that failed an edge to each of options.changed; a test that
// was closed is opened. Their texts are lines of a history log. With options.single_item it takes
// such texts, so that a dead letter can be retried without the report and its task.
void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink);
// NDJSON. What export_line() writes, too, with options.of_ledger.
void read_history(Input& input, const ReadOptions& options, const ItemSink& sink);
// An event of a ledger as a line of a history log, without the newline; read_history() with
// of_ledger makes it again, key included. An event with a key from its position gets a key that no
// other event has in any ledger.
std::string export_line(const Event& e);

using Reader = std::function<void(Input&, const ReadOptions&, const ItemSink&)>;
struct Format {
  std::string_view name;  // of --format, and stored with a dead letter so that it can be retried
  Reader read;
  bool of_past = false;  // it tells of the past, as a log or a tracker does
  // Each of its events is recognised when it comes again, so it is taken in parts, between which
  // others write, although its events depend on `before`.
  bool keyed = false;
  // What a tracker exports: a snapshot of its tasks, read as a file of engine/input/trackers/ says.
  // A task gives several items with the same text; refusals come first, then all events in order of
  // time, so that they are resolved against the graph of that time. Differences from `before`
  // become events at the snapshot's time. Taken in one transaction, so that it is never read again
  // when a part is in the graph.
  bool of_tracker = false;
  bool whole = false;  // an input with a refused item is refused as a whole
  bool at_once() const { return keyed || of_tracker; }  // depends on `before`: held in memory
};
// The repositories or sites of the tasks that a tracker's list has, as Listed::homes. Throws
// UnreadableInput.
std::set<std::string> homes_in(const Format& format, Input& input);
std::span<const Format> formats();                 // the visible list, trackers last
const Format* find_format(std::string_view name);  // nullptr: there is none
// Format and prefix of an item, as its dead letter stores them: "github --prefix web-".
std::string kept_format_text(const Format& format, std::string_view prefix);
struct KeptFormat {
  const Format* format = nullptr;  // nullptr: there is none of that name
  std::string prefix;
};
KeptFormat kept_format(std::string_view text);

// The readable part of a tracker's file that is still being written: no array, object or last line
// that does not end. O(size).
std::string_view whole_part(std::string_view text);

}  // namespace hebb
