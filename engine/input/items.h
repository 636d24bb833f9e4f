// What readers share: where the items of a file begin and end, found without parsing them, so that
// a bad item does not stop the reader from finding the next ones; and what more than one format
// carries. Internal to the readers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/input/outcome_report.h"
#include "engine/values/json.h"

namespace hebb::input {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // of UTF-8

struct RawItem {
  std::int64_t line = 0;    // of its first byte
  std::string_view text;    // without blanks around it; of one that is too long, the beginning
  bool cut = false;         // the last line, without a newline: it may have been cut off
  std::uint64_t bytes = 0;  // of the whole item
  std::string hash;         // of the whole item, if the text is only a part of it; else empty
  std::size_t most = Limits::kLineBytes;  // bytes that it may have
  std::size_t place = 0;                  // in a list, from 1; 0: its line tells which it is
};
using RawSink = std::function<void(const RawItem&)>;

// NDJSON: each line that is not blank, of at most so many bytes. Needs the memory of a line.
void split_lines(Input& input, const RawSink& sink, std::size_t most = Limits::kLineBytes);

// Objects that hold a part of a list, as interfaces give it page by page.
struct Pages {
  std::string_view list = {};  // the field that has the list; empty: there are no such objects
  std::function<void(std::string_view page)> page = {};  // called after the items of each
};

// Decides by the first value: arrays, objects over several lines, and what follows them, or else
// the lines. An item is an element of an array, also of one in an array, or an object. True: there
// was a list. Throws UnreadableInput if a value does not end, or if something else follows one.
bool split_items(Input& input, const RawSink& sink, const Pages& pages = {});

// The array or object with which the text begins; all of the text, if it does not end.
std::string_view value_at(std::string_view text);

// What parse() returns, or the refusal that it throws.
template <typename Parse>
auto attempt(const RawItem& raw, const Parse& parse)
    -> std::variant<decltype(parse(raw.text)), Refusal> {
  try {
    if (raw.bytes > raw.most) {
      refuse(refusal::kTooLong, "the item has " + std::to_string(raw.bytes) + " bytes; at most " +
                                    std::to_string(raw.most) + " are allowed");
    }
    return parse(raw.text);
  } catch (ItemRefused& refused) {
    Refusal& refusal = refused.refusal;
    if (raw.cut && (refusal.reason == refusal::kNotJson || refusal.reason == refusal::kNotUtf8)) {
      return Refusal{std::string(refusal::kTruncatedLine),
                     "the file's last line was cut off: " + refusal.detail};
    }
    return std::move(refusal);
  }
}

// The item that a reader passes to its sink. name: of the item, for a refusal; empty: not known.
inline Item as_item(const RawItem& raw, Parsed parsed, std::string_view name = {}) {
  if (auto* refusal = std::get_if<Refusal>(&parsed)) {
    std::string which(name);  // "item 3 (A-2)", "item 3", "A-2"
    if (raw.place > 0 && !name.empty()) which = " (" + which + ")";
    if (raw.place > 0) which.insert(0, "item " + std::to_string(raw.place));
    if (!which.empty()) refusal->detail.insert(0, which + ": ");
  }
  return {raw.line, std::string(raw.text), std::move(parsed), raw.bytes, raw.hash};
}

// Passes on what parse() makes of each item. To be called at once: it refers to both.
template <typename Parse>
auto each_parsed(const ItemSink& sink, const Parse& parse) {
  return [&](const RawItem& raw) { sink(as_item(raw, attempt(raw, parse))); };
}

// How many there are of something, and the first of them.
struct Examples {
  std::int64_t count = 0;
  std::string first;
  void add(std::string_view example, std::int64_t shown = 1, std::string_view between = "; ") {
    if (++count <= shown) first.append(count == 1 ? "" : between).append(example);
  }
};

// As event_of(), but throws ItemRefused.
Event outcome_event(OutcomeReport report, TimeMs now);
// The outcome that an object reports. time: of the line around it, for an object without one.
Event parse_outcome(JsonReader& reader, Object object, TimeMs now, std::optional<TimeMs> time = {});

// A line of a history log. of_ledger: as in ReadOptions.
Event parse_history(JsonReader& reader, std::string_view text, bool of_ledger = false);

}  // namespace hebb::input
