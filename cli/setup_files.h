// Entries in the files of other programs, added and removed as text, so that the rest of a file
// stays the same byte for byte. without() is the inverse of with().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// A value in a JSON file: a member of the object at a path, or an item of the list at one.
struct JsonEntry {
  std::vector<std::string> path;  // of a member, with its name; of an item, of its list
  bool item = false;
  Json value;
  // Whether an existing value is hebb's, perhaps of another version.
  bool (*ours)(const Json& there) = nullptr;
};

// A part of a text file, between two lines that mark it as hebb's.
struct Block {
  std::string_view begin, end;  // begin: the start of its line; end: the whole line
  std::string text;             // with both lines
};

// The text with the entry; unchanged if it has the entry, or a member of that name that is not
// hebb's. An empty text becomes a file. Throws std::invalid_argument if the text is no strict JSON,
// has comments, or has something else in the entry's place.
std::string with(const std::string& text, const JsonEntry& entry);
std::string with(const std::string& text, const Block& block);
// The text without the entry; empty: it had nothing else. Throws likewise.
std::string without(const std::string& text, const JsonEntry& entry);
std::string without(const std::string& text, const Block& block);

}  // namespace hebb::cli
