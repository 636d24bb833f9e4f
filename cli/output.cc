#include "cli/output.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include "api/open.h"
#include "api/visible_text.h"
#include "text/utf8.h"

namespace hebb::cli {

namespace {

constexpr std::string_view kBold = "\033[1m", kNormal = "\033[m", kEraseLine = "\r\033[K";

bool status_shown = false;

bool is_terminal(int fd) { return ::isatty(fd) != 0; }

bool styled() {
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour);
}

std::optional<std::size_t> terminal_width(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::optional<std::size_t> width_of(int fd) {
  if (const char* columns = std::getenv("COLUMNS")) {
    std::size_t width = 0;
    const char* end = columns + std::strlen(columns);
    const auto [stop, error] = std::from_chars(columns, end, width);
    if (error == std::errc() && stop == end && width > 0) return width;
  }
  return terminal_width(fd);
}

// A byte that is not UTF-8 counts as one column.
std::size_t columns_of(const Utf8Character& character) {
  return character.is_valid ? static_cast<std::size_t>(utf8proc_charwidth(character.code)) : 1;
}

std::vector<std::string> secret_addresses;

// Removes blanks at the end, as after an empty last column.
std::string line_of(std::string_view text) {
  std::string line =
      secret_addresses.empty()
          ? visible_line(text)
          : visible_line(api::without_addresses(std::string(text), secret_addresses));
  return line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

void hide_addresses(std::vector<std::string> addresses) { secret_addresses = std::move(addresses); }

void write_line(std::string_view text, Style style) {
  clear_status();
  const bool bold = style == Style::heading && styled();
  if (bold) std::cout << kBold;
  std::cout << line_of(text);
  if (bold) std::cout << kNormal;
  std::cout << '\n';
}

void write_data(std::string_view text) {
  clear_status();
  if (is_terminal(STDOUT_FILENO)) {
    std::cout << visible_text(text);
  } else {
    std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

void write_json_part(std::string_view json) {
  clear_status();
  std::cout << visible_text(json);
}

void write_json(std::string_view json) {
  clear_status();
  std::cout << visible_text(json) << '\n';
}

void write_message(std::string_view text) {
  clear_status();
  std::cout.flush();
  std::cerr << line_of(text) + '\n';
}

void write_message_or_skip(std::string_view text) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 100) > 0) std::cerr << line_of(text) + '\n';
}

void show_status(std::string_view text) {
  if (!is_terminal(STDERR_FILENO)) return;
  const auto width = message_width();
  std::string shown = visible_line(text);
  if (width) shown = cut_to_width(shown, *width - 1);
  std::cerr << std::string(kEraseLine) + shown << std::flush;
  status_shown = true;
}

void clear_status() {
  if (status_shown) std::cerr << kEraseLine << std::flush;
  status_shown = false;
}

bool flush_output() {
  std::cout.flush();
  return std::cout.good();
}

std::size_t display_width(std::string_view visible) {
  std::size_t width = 0;
  while (!visible.empty()) {
    const Utf8Character c = first_character(visible);
    width += columns_of(c);
    visible.remove_prefix(c.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view visible, std::size_t width) {
  if (display_width(visible) <= width) return std::string(visible);
  if (width == 0) return {};
  std::size_t end = 0, columns = 0;
  while (end < visible.size()) {
    const Utf8Character c = first_character(visible.substr(end));
    if (columns + columns_of(c) > width - 1) break;
    columns += columns_of(c);
    end += c.bytes;
  }
  return std::string(visible.substr(0, end)) + "…";
}

std::optional<std::size_t> line_width() { return width_of(STDOUT_FILENO); }

std::optional<std::size_t> message_width() {
  return is_terminal(STDERR_FILENO) ? width_of(STDERR_FILENO) : std::nullopt;
}

}  // namespace hebb::cli
