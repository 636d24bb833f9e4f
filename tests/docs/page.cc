#include "tests/docs/page.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace hebb::test {
namespace fs = std::filesystem;

namespace {

constexpr char kMark = '\x1e';  // between the outputs of two commands

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

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

bool is_row(const std::string& line) { return line.starts_with("|") && line.ends_with("|"); }

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> out;
  std::string cell;
  for (const char c : row.substr(1)) {
    if (c != '|') {
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
    : path_(path), text_(content(fs::path(HEBB_SOURCE_DIR) / path)) {
  std::istringstream in(text_);
  for (std::string line; std::getline(in, line);) lines_.push_back(line);
}

std::vector<Table> Page::tables() const {
  std::vector<Table> found;
  std::string section;
  bool in_table = false;
  for (const std::string& line : lines_) {
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

std::string Page::section(const std::string& heading) const {
  std::string out;
  bool inside = false;
  for (const std::string& line : lines_) {
    if (heading_level(line) > 0) {
      inside = heading_text(line) == heading;
    } else if (inside) {
      out += line + '\n';
    }
  }
  return out;
}

std::vector<std::string> Page::headings(int level) const {
  std::vector<std::string> out;
  for (const std::string& line : lines_) {
    if (heading_level(line) == level) out.push_back(heading_text(line));
  }
  return out;
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
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
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
  std::string pattern = (fs::temp_directory_path() / "hebb-docs-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
  fs::create_directory(path_ / "bin");
  fs::create_symlink(HEBB_BINARY, path_ / "bin" / "hebb");
  fs::create_symlink(fs::path(HEBB_SOURCE_DIR) / "examples", path_ / "examples");
}

Shell::~Shell() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Shell::write(const std::string& file, const std::string& text) {
  std::ofstream(path_ / file, std::ios::binary) << text;
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

Shell::Result Shell::run(const std::string& command) {
  write("script", "PATH=\"$PWD/bin:$PATH\"\nHEBB_DB=hebb.db\nexport PATH HEBB_DB\n" + command);
  const std::string line =
      "cd '" + path_.string() + "' && exec sh ./script >output 2>&1 </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(path_ / "output")};
}

}  // namespace hebb::test
