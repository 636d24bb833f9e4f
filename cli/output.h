// The only code that writes to standard output and standard error. (The recorder and the trace
// filter pass on the bytes of other programs; those go by in capture/.)
//
// What is for people is written a line at a time, and each line is made visible here as a whole, so
// that no caller can forget it: ids, names, paths and messages cannot command a terminal, hide
// anything, or begin a line of their own. Styles are added after that, from an enumeration; there
// is no text that becomes one. Terminal or not, the characters are the same. What is for programs
// goes to a pipe or a file byte for byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hebb::cli {

enum class Style { plain, heading };  // heading: bold on a terminal, unless NO_COLOR is set

// A line on stdout; the newline is added.
void write_line(std::string_view text, Style style = Style::plain);
// Text for programs on stdout; on a terminal, made visible with its lines kept.
void write_data(std::string_view text);
// JSON on stdout: escapes are part of JSON, so it is made visible wherever it goes, and says the
// same.
void write_json(std::string_view json);
// A line on stderr, after all that was written to stdout.
void write_message(std::string_view text);
// The same, but not at all where nobody reads stderr and it would block for 100 ms.
void write_message_or_skip(std::string_view text);

// A line at the end of stderr that the next one replaces; only on a terminal, cut to its width.
void show_status(std::string_view text);
void clear_status();

// False: something could not be written to stdout.
bool flush_output();

// Columns that a line on stdout may have: $COLUMNS, else those of the terminal; nothing where the
// output is no terminal.
std::optional<std::size_t> line_width();

}  // namespace hebb::cli
