#include "tests/docs/blocks.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/docs/page.h"

namespace hebb::test {

namespace {

constexpr std::string_view kBegin = "<!-- generated: ", kClose = " -->", kEnd = "<!-- end -->";

std::string in_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string row_text(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += cell.empty() ? " |" : " " + in_cell(cell) + " |";
  return out + "\n";
}

}  // namespace

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string table_text(const std::vector<std::string>& head, const Rows& rows) {
  std::string out = row_text(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& row : rows) out += row_text(row);
  return out;
}

Generator table_block(std::vector<std::string> head, std::function<Rows()> rows) {
  return [head = std::move(head), rows = std::move(rows)](const std::string&) {
    return table_text(head, rows());
  };
}

Generator half_written_block(std::vector<std::string> head, std::function<Rows()> rows) {
  return [head = std::move(head), rows = std::move(rows)](const std::string& now) {
    std::map<std::string, std::size_t> places;
    std::vector<std::string> written;
    for (const Table& table : tables_of(now)) {
      for (const auto& row : table.rows) {
        places.emplace(row.front(), written.size());
        written.push_back(row.back());
      }
    }
    const auto place = [&](const std::vector<std::string>& row) {
      const auto found = places.find(row.front());
      return found == places.end() ? written.size() : found->second;
    };
    Rows all = rows();
    std::ranges::stable_sort(all, {}, place);
    for (auto& row : all) row.push_back(place(row) < written.size() ? written[place(row)] : "?");
    return table_text(head, all);
  };
}

const Generators& generators() {
  static const Generators kAll = [] {
    Generators all;
    for (auto of_page :
         {ranking_blocks, sender_blocks, formats_blocks, schema_blocks, measurements_blocks})
      all.merge(of_page());
    return all;
  }();
  return kAll;
}

std::string with_blocks(const std::string& markdown, const MakeBlock& make) {
  std::istringstream in(markdown);
  std::string out, name, content;
  int number = 0, begun = 0;
  const auto fail = [](int line, const std::string& what) {
    throw std::runtime_error(fmt::format("line {}: {}", line, what));
  };
  for (std::string line; std::getline(in, line);) {
    ++number;
    const bool begins = line.starts_with(kBegin) && line.ends_with(kClose);
    const auto mark = line.find("<!-- generated");
    if (!begins && mark != line.npos && (mark == 0 || line[mark - 1] != '`'))
      fail(number, "a block begins with a line <!-- generated: NAME -->");
    if (begins && begun > 0) fail(begun, "the block " + name + " is not closed");
    if (line == kEnd) {
      if (begun == 0) fail(number, "ends a block that has not begun");
      out += make(name, content);
      begun = 0;
    }
    if (begun > 0) {
      content += line + '\n';
    } else {
      out += line + '\n';
    }
    if (begins) {
      begun = number;
      content.clear();
      name = line.substr(kBegin.size(), line.size() - kBegin.size() - kClose.size());
    }
  }
  if (begun > 0) fail(begun, "the block " + name + " is not closed");
  return out;
}

}  // namespace hebb::test
