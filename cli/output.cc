#include "cli/output.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "api/visible_text.h"
#include "cli/display_width.h"

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

}  // namespace

namespace {

// Without blanks at its end, as where the last of several columns is empty.
std::string line_of(std::string_view text) {
  std::string line = visible_line(text);
  return line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

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

std::optional<std::size_t> line_width() { return width_of(STDOUT_FILENO); }

std::optional<std::size_t> message_width() {
  return is_terminal(STDERR_FILENO) ? width_of(STDERR_FILENO) : std::nullopt;
}

}  // namespace hebb::cli
