// Where the items of a file begin and end, found without parsing them: a bad item must not hide its
// neighbours. Internal to the readers.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/input_json.h"

namespace hebb::input {

struct RawItem {
  std::int64_t line = 0;  // of its first byte
  std::string_view text;  // without blanks around it
  bool cut = false;       // a last line without a newline: it may have been cut off
};
using RawSink = std::function<void(const RawItem&)>;

std::string_view without_bom(std::string_view content);

// NDJSON: each line that is not blank.
void split_lines(std::string_view content, const RawSink& sink);

// What the first characters announce: an array (its elements), an object that spans lines (itself),
// or else lines. Throws UnreadableInput if the array or the object does not end where the content
// does.
void split_items(std::string_view content, const RawSink& sink);

// As split_items, but lines are unreadable.
void split_document(std::string_view content, const RawSink& sink);

// The value of `parse`, or why it refused.
template <typename Parse>
auto attempt(const RawItem& raw, const Parse& parse)
    -> std::variant<decltype(parse(raw.text)), Refusal> {
  try {
    if (raw.text.size() > Limits::kLineBytes) {
      refuse(refusal::kTooLong, "the item has " + std::to_string(raw.text.size()) +
                                    " bytes; at most " + std::to_string(Limits::kLineBytes) +
                                    " are allowed");
    }
    return parse(raw.text);
  } catch (Refused& refused) {
    Refusal& refusal = refused.refusal;
    if (raw.cut && (refusal.reason == refusal::kNotJson || refusal.reason == refusal::kNotUtf8)) {
      return Refusal{std::string(refusal::kTruncatedLine),
                     "the file's last line was cut off: " + refusal.detail};
    }
    return std::move(refusal);
  }
}

}  // namespace hebb::input
