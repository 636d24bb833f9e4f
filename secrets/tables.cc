// Columns of tables (CSV, tabs, Markdown) whose heading is the name of a secret.
#include <algorithm>
#include <string_view>
#include <vector>

#include "secrets/find.h"
#include "secrets/names.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kHeadBytes = 2048;   // of the line of headings
constexpr std::size_t kHeadingBytes = 48;  // of one heading

// The cells of a line. A separator between quotes is part of a cell.
std::vector<SecretSpan> cells(std::string_view text, SecretSpan line, char separator) {
  std::vector<SecretSpan> out;
  std::size_t from = line.from;
  bool in_quotes = false;
  for (std::size_t i = line.from; i <= line.to; ++i) {
    if (i < line.to && text[i] == '"') in_quotes = !in_quotes;
    if (i < line.to && (in_quotes || text[i] != separator)) continue;
    std::size_t to = i;
    const auto skipped = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (from < to && skipped(text[from])) ++from;
    while (to > from && skipped(text[to - 1])) --to;
    out.push_back({from, to, false});
    from = i + 1;
  }
  return out;
}

bool is_heading(std::string_view cell) {
  return cell.size() <= kHeadingBytes && std::all_of(cell.begin(), cell.end(), [](char c) {
           return is_word_char(c) || c == ' ' || c == '-' || c == '.' || (c & 0x80) != 0;
         });
}

// Whether a line may have headings; one of the first characters excludes most lines.
bool may_be_headings(std::string_view line) {
  static constexpr Characters kSigns = characters(" \t\r\",;|-.");
  return line.size() >= 3 && std::all_of(line.begin(), line.end(), [](char c) {
           return is_word_char(c) || (c & 0x80) != 0 || kSigns[static_cast<unsigned char>(c)];
         });
}

struct Column {
  std::size_t at = 0;
  std::string_view heading;
};

// The columns whose headings name a secret; empty: none, or the line is no line of headings.
std::vector<Column> secret_columns(std::string_view text, const std::vector<SecretSpan>& head) {
  std::vector<Column> columns;
  constexpr std::ptrdiff_t kWords = 4;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const std::string_view cell = text.substr(head[i].from, head[i].to - head[i].from);
    const auto blanks = std::count(cell.begin(), cell.end(), ' ');
    if (!is_heading(cell) || head.size() < 2 || blanks >= kWords) return {};
    if (!cell.empty() && is_secret_name(cell)) columns.push_back({i, cell});
  }
  return columns;
}

SecretSpan line_at(std::string_view text, std::size_t from) {
  return {from, std::min(text.find('\n', from), text.size())};
}

// A line of a list in a program has a comma behind its last word; and it has one word, or blanks
// before its words.
bool is_list(std::string_view text, SecretSpan line, const std::vector<SecretSpan>& head) {
  if (head.back().from != head.back().to) return false;
  return head.size() == 2 || is_blank(text[line.from]) ||
         std::any_of(head.begin(), head.end(), [&](const SecretSpan& word) {
           return word.from > line.from && text[word.from - 1] == ' ';
         });
}

// Masks the columns in the lines after the headings; returns where the table ends.
std::size_t mask_rows(std::string_view text, std::size_t from, char separator, std::size_t width,
                      const std::vector<Column>& columns, std::vector<SecretSpan>& found) {
  while (from < text.size()) {
    const SecretSpan line = line_at(text, from);
    const std::vector<SecretSpan> row = cells(text, line, separator);
    if (row.size() != width) return from;
    for (const auto& [i, heading] : columns) {
      const std::string_view cell = text.substr(row[i].from, row[i].to - row[i].from);
      const bool one_word = cell.find(' ') == std::string_view::npos;
      const bool secret =
          separator == '|' ? is_token_like(cell) || is_chosen_under(heading, cell) : one_word;
      if (secret && !is_placeholder_value(cell) && may_hold(heading, cell)) found.push_back(row[i]);
    }
    from = line.to + 1;
  }
  return from;
}

}  // namespace

void find_in_tables(std::string_view text, std::vector<SecretSpan>& found) {
  if (text.find('\n') == std::string_view::npos) return;
  for (std::size_t from = 0; from < text.size();) {
    const SecretSpan line = line_at(text, from);
    from = line.to + 1;
    const std::string_view head = text.substr(line.from, line.to - line.from);
    if (head.size() > kHeadBytes || from >= text.size()) continue;
    if (!may_be_headings(head)) continue;
    for (const char separator : {',', ';', '\t', '|'}) {
      if (head.find(separator) == std::string_view::npos) continue;
      const std::vector<SecretSpan> headings = cells(text, line, separator);
      const std::vector<Column> columns = secret_columns(text, headings);
      if (columns.empty() || (separator != '|' && is_list(text, line, headings))) continue;
      from = mask_rows(text, from, separator, headings.size(), columns, found);
      break;
    }
  }
}

}  // namespace hebb::secrets
