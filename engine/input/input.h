// Bytes in, events out: every input format, its limits, and what is wrong with a bad line.
//
// Parsers look at the text alone; what needs the graph (unknown nodes, dimensions) is checked by
// the engine when the event is resolved. One parser per file: outcome.cc, history.cc …
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
  // How many edge types one database may have, how many node types, and how many states. Their
  // numbers have 16 bits; the rest is for names that the engine itself writes.
  static constexpr std::size_t kNames = 65'000;
  // Bounds of times that are read. The first is in March 1973: smaller numbers look like seconds.
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

// One item of a file: its line (1-based), its text (which a dead letter keeps, and which the same
// reader can parse again), and the event or refusal. If the item is longer than Limits::kLineBytes,
// the text is only its first Limits::kKeptBytes.
struct Item {
  std::int64_t line = 0;
  std::string_view text;  // valid while the sink runs
  Parsed parsed;
  std::uint64_t bytes = 0;  // of the whole item
  std::string hash;         // content_hash() of the item if the text is only a part, else empty
};
using ItemSink = std::function<void(Item)>;

struct ReadOptions {
  TimeMs now = 0;         // for items that carry no time
  std::string task = {};  // junit: whose outcome the report is
  bool kept = false;      // the content is the text of an Item
  // junit: converts a time without a zone, read as if it were UTC, to UTC. Empty: it is UTC.
  std::function<TimeMs(TimeMs)> utc_of_local = {};
};

// Each calls the sink once per item, in file order. It throws UnreadableInput, perhaps after some
// items were given. A byte order mark and blank lines are skipped. Texts are verbatim, except where
// noted. Lines are read one at a time; an array, an object over several lines and a report are held
// in memory whole, at most Limits::kDocumentBytes.

// NDJSON, or one object or one array over any number of lines.
void read_outcomes(Input& input, const ReadOptions& options, const ItemSink& sink);
// The same three shapes; an array is a batch.
void read_cloudevents(Input& input, const ReadOptions& options, const ItemSink& sink);
// One item: the outcome that follows from the report. Its text is that outcome as JSON; with
// options.kept the input is such JSON, so that a dead letter can be retried without the report and
// its task.
void read_junit(Input& input, const ReadOptions& options, const ItemSink& sink);
// NDJSON.
void read_history(Input& input, const ReadOptions& options, const ItemSink& sink);
// An array or one object. An issue gives several items with the same text; refusals come first,
// then all events in order of time, so that they are resolved against the graph of that time.
void read_github(Input& input, const ReadOptions& options, const ItemSink& sink);

using Reader = void (*)(Input&, const ReadOptions&, const ItemSink&);
struct Format {
  std::string_view name;  // of --format, and stored with a dead letter so that it can be retried
  Reader read;
};
std::span<const Format> formats();  // outcome, cloudevents, junit, history, github

// Milliseconds from an RFC 3339 time (fractions of a millisecond cut off); nullopt if it is not
// one.
std::optional<TimeMs> parse_rfc3339(std::string_view text);
std::string format_rfc3339(TimeMs time);  // to the second, "Z"

// Reads times wherever they are given: epoch milliseconds or RFC 3339, within Limits. The string
// is an error text: why it is not a time, and what was probably meant.
using ReadTime = std::variant<TimeMs, std::string>;
ReadTime time_of_number(double milliseconds);
ReadTime time_of_rfc3339(std::string_view text);
ReadTime read_time(std::string_view text);  // either; for options

}  // namespace hebb
