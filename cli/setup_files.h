// Entries in the files of other programs: put in and taken out as text, so that all else in a file
// stays as it is, byte for byte. What takes out is the inverse of what puts in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// A value in a JSON file: a member of the object at a path, or an item of the list at one.
struct JsonEntry {
  std::vector<std::string> path;  // of a member, with its name; of an item, that of the list
  bool item = false;
  Json value;
  // Whether a value that is there is ours, of another version perhaps.
  bool (*ours)(const Json& there) = nullptr;
};

// A part of a text file, between two lines that say whose it is.
struct Block {
  std::string_view begin, end;  // begin: how the line begins; end: the whole line
  std::string text;             // both of these, and what is between them
};

// The text with the entry. As it was, if that is there, or if a member of that name is there which
// is not ours. An empty text becomes a file. Throws std::invalid_argument where that cannot be
// done: the text is no strict JSON, has comments, or something else is in the place.
std::string with(const std::string& text, const JsonEntry& entry);
std::string with(const std::string& text, const Block& block);
// The text without it; empty: there is nothing else. Throws likewise.
std::string without(const std::string& text, const JsonEntry& entry);
std::string without(const std::string& text, const Block& block);

}  // namespace hebb::cli
