// Printing for commands: lines, tables, JSON, progress.
#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "api/visible_text.h"
#include "cli/command.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

constexpr std::string_view kGap = "  ";  // between columns
constexpr std::size_t kShrunkMin = 8;    // columns of text that a column keeps

// Narrows the columns that shrink, the widest first, until a line fits into `available`.
void shrink(const std::vector<Column>& columns, std::vector<std::size_t>& widths,
            std::size_t available) {
  std::size_t total = std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
                      kGap.size() * (widths.size() - 1);
  while (total > available) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].shrinks && (!widest || widths[i] > *widest)) widest = &widths[i];
    }
    if (!widest || *widest <= kShrunkMin) return;
    --*widest;
    --total;
  }
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
  const std::string text = cut_to_width(cell, width);
  const std::string pad(width - display_width(text), ' ');
  return right ? pad + text : text + pad;
}

// The text in lines that are no wider than `width`, if there is one, broken at blanks; all but the
// first begin with `indent` blanks.
std::vector<std::string> wrapped(std::string_view text, std::optional<std::size_t> width,
                                 std::size_t indent) {
  std::vector<std::string> lines;
  std::string rest = visible_line(text);
  while (width && display_width(rest) > *width) {
    const std::size_t first = rest.find_first_not_of(' ');
    std::size_t end = std::string::npos;
    for (auto i = rest.find(' ', first); i != std::string::npos; i = rest.find(' ', i + 1)) {
      if (display_width(std::string_view(rest).substr(0, i)) > *width) break;
      end = i;
    }
    if (end == std::string::npos) break;  // a single word is wider than the terminal
    lines.push_back(rest.substr(0, end));
    const std::size_t next = rest.find_first_not_of(' ', end);
    rest = std::string(indent, ' ') + (next == std::string::npos ? "" : rest.substr(next));
  }
  lines.push_back(std::move(rest));
  return lines;
}

}  // namespace

void Context::line(std::string_view text) const { write_line(text); }

void Context::wrapped_line(std::string_view text, std::size_t indent) const {
  for (const auto& one : wrapped(text, line_width(), indent)) write_line(one);
}

void Context::report(std::string_view text) const {
  if (!quiet) write_line(text);
}

void Context::note(std::string_view text) const {
  if (quiet) return;
  for (const auto& one : wrapped(text, message_width(), 0)) write_message(one);
}

void Context::data(std::string_view text) const { write_data(text); }

void Context::print_json(const Json& value) const {
  write_json(value.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Context::table(const std::vector<Column>& columns,
                    const std::vector<std::vector<std::string>>& rows) const {
  std::vector<std::vector<std::string>> shown = rows;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(display_width(column.heading));
  for (auto& row : shown) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      row[i] = visible_line(row[i]);
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  if (const auto width = line_width()) shrink(columns, widths, *width);
  const auto print = [&](auto&& cell, Style style) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += kGap;
      text += padded(cell(i), widths[i], columns[i].right);
    }
    write_line(text, style);
  };
  print([&](std::size_t i) { return columns[i].heading; }, Style::heading);
  for (const auto& row : shown) print([&](std::size_t i) { return row[i]; }, Style::plain);
}

void Context::fields(const std::vector<std::pair<std::string, std::string>>& pairs) const {
  std::size_t widest = 0;
  for (const auto& [name, value] : pairs) widest = std::max(widest, display_width(name));
  for (const auto& [name, value] : pairs) {
    write_line(padded(name, widest, false) + std::string(kGap) + one_line(value));
  }
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

std::string shortened(std::string text) {
  constexpr std::size_t kColumns = 60;
  return cut_to_width(visible_line(one_line(std::move(text))), kColumns);
}

ProgressBar::ProgressBar(const Context& context, std::string what)
    : enabled_(!context.quiet), what_(std::move(what)) {}

ProgressBar::~ProgressBar() { clear_status(); }

void ProgressBar::update(std::size_t done, std::size_t total) {
  if (!enabled_ || total == 0) return;
  if (done >= total) return clear_status();
  using namespace std::chrono;
  const auto now = duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  if (now - last_drawn_ms_ < 100) return;
  last_drawn_ms_ = now;
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = std::min(kWidth, done * kWidth / total);
  show_status(fmt::format("[{}{}] {:3.0f} % {}", std::string(filled, '#'),
                          std::string(kWidth - filled, '.'),
                          100.0 * static_cast<double>(done) / static_cast<double>(total), what_));
}

}  // namespace hebb::cli
