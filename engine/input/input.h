// Bytes in, events out: every input format, its limits, and what is wrong with a bad line.
//
// Parsers look at the text alone; what needs the graph (unknown nodes, dimensions) is checked by
// the engine when the event is resolved. One parser per file: input_outcome.cc, input_history.cc …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/input/bytes.h"
#include "engine/ledger/event.h"

namespace hebb {

struct Limits {
  static constexpr std::size_t kIdBytes = 512;              // ids, types, states, agents, sessions
  static constexpr std::size_t kLineBytes = 1 << 20;        // one item, whatever its format
  static constexpr std::size_t kKeptBytes = 64 << 10;       // of an item that is longer than that
  static constexpr std::size_t kInputBytes = 1 << 30;       // one input, unless more is asked for
  static constexpr std::size_t kDocumentBytes = 256 << 20;  // one that is held as a whole: a JSON
                                                            // array, a report, all of it or nothing
  static constexpr std::size_t kPropertiesBytes = 64 << 10;  // as canonical JSON
  static constexpr std::size_t kDepth = 64;                  // of objects and arrays within an item
  static constexpr std::size_t kVectorDimension = 4096;
  static constexpr std::size_t kRelatedNodes = 1024;
  // Edge types, node types, states: of each in one database. Their numbers have 16 bits, and the
  // rest of those is for the names that the engine itself writes.
  static constexpr std::size_t kNames = 65'000;
  // Of a time that is read: in March 1973, before which milliseconds look like seconds of today.
  static constexpr TimeMs kEarliestTime = 100'000'000'000;
  static constexpr TimeMs kLatestTime = 253'402'300'799'999;  // the end of the year 9999
};

// Why an item was not taken. `reason` is one of the codes in engine/ledger/refusals.h; `detail`
// says what, where in the item, and what is allowed.
struct Refusal {
  std::string reason;
  std::string detail;
};

using Parsed = std::variant<Event, Refusal>;

// One item of a file: its line (1-based), its text (what a dead letter keeps, and what the same
// reader takes again), and what it says. Of an item that is longer than Limits::kLineBytes the text
// is the first Limits::kKeptBytes.
struct Item {
  std::int64_t line = 0;
  std::string_view text;  // as long as the sink is running
  Parsed parsed;
  std::uint64_t bytes = 0;  // of the whole item
  std::string hash;         // content_hash() of it where the text is not all of it, else empty
};
using ItemSink = std::function<void(Item)>;

struct ReadOptions {
  TimeMs now = 0;         // for items that carry no time
  std::string task = {};  // junit: whose outcome the report is
  bool kept = false;      // the content is the text of an Item
  // junit: what a time without a zone is in UTC, given as if it were UTC. Without it, it is UTC.
  std::function<TimeMs(TimeMs)> utc_of_local = {};
};

// Each calls the sink once per item, in file order, and throws UnreadableInput; what is wrong may
// be found after some items were given. A byte order mark is skipped; blank lines are none. Texts
// are verbatim, except where noted. Lines are read one at a time; an array, an object over several
// lines and a report are held as a whole, of at most Limits::kDocumentBytes.

// NDJSON, or one object or one array over any number of lines.
void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink);
// The same three shapes; an array is a batch.
void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink);
// One item: the outcome that the report amounts to. Its text is that outcome as JSON; with
// options.kept it takes such JSON, so that a dead letter can be retried without the report and its
// task.
void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink);
// NDJSON.
void read_history(Input& input, const ReadOptions& options, const ItemSink& sink);
// An array or one object. An issue gives several items with the same text; refusals come first,
// then all events in order of time, so that what was resolved on arrival is what was true then.
void read_github(Input& input, const ReadOptions& options, const ItemSink& sink);

using Reader = void (*)(Input&, const ReadOptions&, const ItemSink&);
struct Format {
  std::string_view name;  // of --format, and stored with a dead letter so that it can be retried
  Reader read;
};
std::span<const Format>
formats();  // the visible list: outcome, cloudevents, junit, history, github

// Milliseconds from an RFC 3339 time (fractions of a millisecond cut off); nullopt if it is not
// one.
std::optional<TimeMs> parse_rfc3339(std::string_view text);
std::string format_rfc3339(TimeMs time);  // to the second, "Z"

// The one reading of times, wherever they are given: epoch milliseconds or RFC 3339, within Limits.
// A text instead of the time says why it is none, and what was probably meant.
using ReadTime = std::variant<TimeMs, std::string>;
ReadTime time_of_number(double milliseconds);
ReadTime time_of_rfc3339(std::string_view text);
ReadTime read_time(std::string_view text);  // either; for options

}  // namespace hebb
