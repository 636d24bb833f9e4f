// The only code that writes to standard output and standard error. (The recorder and the trace
// filter pass on the bytes of other programs; capture/ writes these.)
//
// Output for people is written line by line, and each line goes through visible_line() here, so
// that no caller can forget it: ids, names, paths and messages cannot control a terminal, hide
// anything, or start a new line. Styles are added after that, from an enumeration; no text can
// become one. The characters are the same on a terminal and in a pipe. Output for programs goes to
// a pipe or a file byte for byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::cli {

// Addresses that no line shows from now on: see secret_addresses().
void hide_addresses(std::vector<std::string> addresses);

enum class Style { plain, heading };  // heading: bold on a terminal, unless NO_COLOR is set

// A line on stdout; the newline is added.
void write_line(std::string_view text, Style style = Style::plain);
// Text for programs on stdout, unchanged; on a terminal it goes through visible_text().
void write_data(std::string_view text);
// JSON on stdout, always through visible_text(): escapes are part of JSON, so its meaning is the
// same.
void write_json(std::string_view json);
void write_json_part(std::string_view json);  // all but the last part
// A line on stderr; stdout is flushed first.
void write_message(std::string_view text);
// The same, but skips the line if nobody reads stderr and it would block for 100 ms.
void write_message_or_skip(std::string_view text);

// A line at the end of stderr that the next one replaces; only on a terminal, cut to its width.
void show_status(std::string_view text);
void clear_status();

// How many columns text without control characters takes: none for combining characters, two for
// wide ones.
std::size_t display_width(std::string_view visible);
// The text, cut to `width` columns with "…" at its end if it is longer. Whole characters only.
std::string cut_to_width(std::string_view visible, std::size_t width);

// False: some output could not be written to stdout.
bool flush_output();

// The width of a line on stdout in columns: $COLUMNS, else the terminal's; nullopt if the output is
// not a terminal.
std::optional<std::size_t> line_width();
// The same for stderr; nullopt if it is not a terminal.
std::optional<std::size_t> message_width();

}  // namespace hebb::cli
