// Which format an input has, by how it begins. What is of another kind than it should be is refused
// as a whole, and leaves no dead letters.
#pragma once

#include <functional>
#include <string_view>

#include "engine/input/input.h"

namespace hebb {

// By the root of an XML document, the fields of the first JSON object or the header of a CSV, which
// is enough to tell the formats of formats() apart; else by the name of its file: todo.txt,
// done.txt, one that ends with .csv or .tsv. nullptr: it is none of them, or might be two. Nothing
// of the input is skipped; at most its first 64 KiB are looked at.
const Format* recognised(Input& input, std::string_view file = {});

// Receives the items that are read.
struct PartSink {
  std::function<bool(Item)> add;  // true: no more can be held, and append() is called
  std::function<void()> append;   // appends the items that were added since the last call
};
// As format.read(), a part at a time; the last part is left to the caller. Throws UnreadableInput,
// with what to do, where none of the items up to the end of the first part is of the format. A file
// of the format with bad items is read.
void read_as(const Format& format, Input& input, const ReadOptions& options, const PartSink& sink);

// The error for an empty input, where items were to be read.
inline constexpr const char* kEmpty =
    "it is empty, so nothing was read; perhaps the program that was to write it has failed";

namespace input {
// The unread beginning of an input, up to 64 KiB, without a byte order mark and leading blanks.
std::string_view beginning_of(Input& input);
// The text from the value of that field of the first object on. Empty: there is none.
std::string_view value_in_first(std::string_view text, std::string_view field);
}  // namespace input
}  // namespace hebb
