// Bytes in, events out: every input format, its limits, and what is wrong with a bad line.
//
// Parsers look at the text alone; what needs the graph (unknown nodes, dimensions) is checked by
// the engine when the event is resolved. One parser per file: input_outcome.cc, input_history.cc …
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/event.h"

namespace hebb {

struct Limits {
  static constexpr std::size_t kIdBytes = 512;
  static constexpr std::size_t kLineBytes = 1 << 20;
  static constexpr std::size_t kPropertiesBytes = 64 << 10;
  static constexpr int kDepth = 64;
  static constexpr std::size_t kVectorDimension = 4096;
};

// Why an item was not taken. `reason` is one of a fixed list of snake_case codes (docs/schema.md);
// `detail` says what, where in the item, and what to do.
struct Refusal {
  std::string reason;
  std::string detail;
};

using Parsed = std::variant<Event, Refusal>;

// The file as a whole is not what it was said to be (exit 65).
class UnreadableInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One item of a file: its line (1-based), its text verbatim (what a dead letter keeps), and what it says.
struct Item {
  std::int64_t line = 0;
  std::string_view text;
  Parsed parsed;
};
using ItemSink = std::function<void(Item)>;

struct ReadOptions {
  TimeMs now = 0;           // for items that carry no time
  std::string task;         // junit: whose outcome the report is
};

// Each calls the sink once per item, in file order. Throw UnreadableInput.
void read_outcomes(std::string_view content, const ReadOptions& options, const ItemSink& sink);     // NDJSON, one object, or an array
void read_cloudevents(std::string_view content, const ReadOptions& options, const ItemSink& sink);  // the same three shapes, and batches
void read_junit(std::string_view content, const ReadOptions& options, const ItemSink& sink);
void read_history(std::string_view content, const ReadOptions& options, const ItemSink& sink);      // NDJSON
void read_github(std::string_view content, const ReadOptions& options, const ItemSink& sink);       // a JSON array

using Reader = void (*)(std::string_view, const ReadOptions&, const ItemSink&);
struct Format {
  std::string_view name;  // of --format, and stored with a dead letter so that it can be retried
  Reader read;
};
std::span<const Format> formats();  // the visible list: outcome, cloudevents, junit, history, github

// Milliseconds from an RFC 3339 time; nullopt if it is not one.
std::optional<TimeMs> parse_rfc3339(std::string_view text);

}  // namespace hebb
