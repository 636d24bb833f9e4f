#include "tests/docs/page.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace hebb::test {
namespace fs = std::filesystem;

namespace {

constexpr char kMark = '\x1e';  // between the outputs of two commands

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// 0: no heading.
int heading_level(const std::string& line) {
  const auto hashes = line.find_first_not_of('#');
  return hashes != line.npos && line[hashes] == ' ' ? static_cast<int>(hashes) : 0;
}

std::string heading_text(const std::string& line) {
  return line.substr(static_cast<std::size_t>(heading_level(line)) + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_row(const std::string& line) { return line.starts_with("|") && line.ends_with("|"); }

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> out;
  std::string cell;
  for (const char c : row.substr(1)) {
    const bool escaped = cell.ends_with('\\');
    if (c != '|' || escaped) {
      if (c == '|') cell.pop_back();
      cell += c;
      continue;
    }
    out.push_back(trimmed(cell));
    cell.clear();
  }
  return out;
}

}  // namespace

Page::Page(const std::string& path)
    : path_(path), text_(read_text(HEBB_SOURCE_DIR "/" + path)), lines_(lines_of(text_)) {}

std::vector<Table> tables_of(const std::string& markdown) {
  std::vector<Table> found;
  std::string section;
  bool in_table = false;
  for (const std::string& line : lines_of(markdown)) {
    if (heading_level(line) > 0) section = heading_text(line);
    if (!is_row(line)) {
      in_table = false;
    } else if (!in_table) {
      found.push_back({section, cells(line), {}});
      in_table = true;
    } else if (!line.starts_with("|---")) {
      found.back().rows.push_back(cells(line));
    }
  }
  return found;
}

std::vector<Table> Page::tables(const std::string& section) const {
  auto found = tables();
  std::erase_if(found, [&](const Table& t) { return t.section != section; });
  return found;
}

namespace {

// The lines that are not within a fenced block.
std::vector<std::string> lines_outside_code(const std::string& markdown) {
  std::vector<std::string> out;
  bool code = false;
  for (std::string& line : lines_of(markdown)) {
    const bool fence = line.starts_with("```");
    if (fence) code = !code;
    if (!fence && !code) out.push_back(std::move(line));
  }
  return out;
}

// The name of an anchor: letters, digits, - and _, small; a blank is a -. Letters beyond ASCII stay
// as they are, but punctuation (U+2000 to U+206F) goes.
std::string anchor_of(std::string heading) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))"), closing(" +#+ *$");
  heading = std::regex_replace(std::regex_replace(heading, link, "$1"), closing, "");
  std::string name;
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const auto c = static_cast<unsigned char>(heading[i]);
    if (heading.compare(i, 2, "\xe2\x80") == 0 || heading.compare(i, 2, "\xe2\x81") == 0) {
      i += 2;
    } else if (c >= 0x80 || std::isalnum(c) != 0 || c == '-' || c == '_') {
      name += c < 0x80 ? static_cast<char>(std::tolower(c)) : heading[i];
    } else if (c == ' ') {
      name += '-';
    }
  }
  return name;
}

}  // namespace

std::set<std::string> anchors_of(const std::string& markdown) {
  std::set<std::string> all;
  for (const std::string& line : lines_outside_code(markdown)) {
    if (heading_level(line) == 0) continue;
    const std::string name = anchor_of(heading_text(line));
    std::string free = name;
    for (int i = 1; !all.insert(free).second; ++i) free = name + "-" + std::to_string(i);
  }
  return all;
}

std::string Page::without_code() const {
  std::string out;
  for (const std::string& line : lines_outside_code(text_)) out += line + '\n';
  return std::regex_replace(out, std::regex("`[^`\n]*`"), "``");
}

std::vector<Session> Page::sessions() const {
  std::vector<Session> found;
  bool inside = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::string& line = lines_[i];
    if (!inside) {
      inside = line.starts_with("```console");
      if (inside) found.push_back({static_cast<int>(i) + 1, line == "```console continued", {}});
    } else if (line == "```") {
      inside = false;
    } else if (line.starts_with("$ ")) {
      found.back().steps.push_back({line.substr(2), ""});
    } else if (found.back().steps.empty()) {
      throw std::runtime_error(path_ + ": a console block starts with a line that is no command");
    } else if (line.starts_with("> ") && found.back().steps.back().output.empty()) {
      found.back().steps.back().command += '\n' + line.substr(2);
    } else {
      found.back().steps.back().output += line + '\n';
    }
  }
  return found;
}

std::vector<Page> all_pages() {
  std::vector<Page> pages;
  const fs::path root = HEBB_SOURCE_DIR;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"})
    pages.emplace_back(name);
  for (const char* folder : {"docs", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".md") continue;
      pages.emplace_back(fs::relative(entry.path(), root).generic_string());
    }
  }
  return pages;
}

std::vector<std::string> in_backticks(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t from = text.find('`'); from != text.npos; from = text.find('`', from)) {
    const auto to = text.find('`', from + 1);
    if (to == text.npos) break;
    out.push_back(text.substr(from + 1, to - from - 1));
    from = to + 1;
  }
  return out;
}

Shell::Shell() {
  fs::create_directory(folder_.file("bin"));
  fs::create_symlink(HEBB_BINARY, folder_.file("bin/hebb"));
  fs::create_symlink(fs::path(HEBB_SOURCE_DIR) / "examples", folder_.file("examples"));
}

void Shell::write(const std::string& file, const std::string& text) {
  write_text(folder_.file(file), text);
}

std::vector<std::string> Shell::run(const std::vector<std::string>& commands) {
  std::string script;
  for (const std::string& command : commands) script += "printf '\\036'\n" + command + '\n';
  std::string output = run(script).output;
  std::vector<std::string> outputs;
  for (std::size_t from = output.find(kMark); from != output.npos;) {
    const auto to = output.find(kMark, from + 1);
    outputs.push_back(output.substr(from + 1, to == output.npos ? to : to - from - 1));
    from = to;
  }
  return outputs;
}

// Into a file, not a pipe: what a command leaves running must not hold up the next.
Shell::Result Shell::run(const std::string& command) {
  const ProcessOptions options{
      {},
      {{"PATH", folder_.file("bin") + ":" + std::getenv("PATH")}, {"HEBB_DB", "hebb.db"}},
      folder_.path()};
  const auto ended = run_process({"sh", "-c", "exec >output 2>&1 </dev/null\n" + command}, options);
  return {ended.exit_code, read_text(folder_.file("output"))};
}

}  // namespace hebb::test
