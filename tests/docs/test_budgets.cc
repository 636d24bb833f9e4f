// Pages stay short: how many words of each people may write.
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/docs/blocks.h"
#include "tests/docs/page.h"
#include "tests/support/process.h"

using namespace hebb::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kAll = 29'200;

const std::map<std::string, std::size_t>& budgets() {
  static const std::map<std::string, std::size_t> kBudgets{
      {"README.md", 835},
      {"CHANGELOG.md", 1565},
      {"CONTRIBUTING.md", 1000},
      {"SECURITY.md", 280},
      {"llms.txt", 270},
      {"docs/agents.md", 2140},
      {"docs/api.md", 200},
      {"docs/architecture.md", 1320},
      {"docs/cpp.md", 655},
      {"docs/formats.md", 2130},
      {"docs/languages.md", 900},
      {"docs/measurements.md", 2080},
      {"docs/ranking.md", 3260},
      {"docs/scale.md", 820},
      {"docs/schema.md", 450},
      {"docs/serve.md", 1250},
      {"docs/skills.md", 2000},
      {"docs/start.md", 1330},
      {"docs/storage.md", 860},
      {"docs/tests.md", 1130},
      {"docs/tools.md", 2200},
      {"docs/upkeep.md", 1260},
      {"python/README.md", 260},
      {"python/README-pytest.md", 110},
      {"examples", 940},  // all below it together
      {"node/README.md", 400},
      {"tests", 250},
  };
  return kBudgets;
}

// What stands between blanks and has a letter or a digit.
std::size_t words_of(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;) {
    for (const char c : word) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) continue;
      ++count;
      break;
    }
  }
  return count;
}

// Without what is made from the program.
std::size_t written_words(const std::string& path, const std::string& text) {
  // All of it is printed by the program, where its head is written.
  if (path == "docs/api.md") return words_of(text.substr(0, text.find("\n## ")));
  const auto nothing = [](const std::string&, const std::string&) { return std::string(); };
  std::istringstream in(with_blocks(text, nothing));
  std::string without;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("<!-- ")) without += line + '\n';
  }
  return words_of(without);
}

// What git has, or a folder of sources without it: hidden folders, builds and what npm brings stay
// out.
std::vector<std::string> texts_of_project() {
  const std::set<std::string> not_ours{"build", "node_modules"};
  const fs::path root = HEBB_SOURCE_DIR;
  std::vector<std::string> paths{"llms.txt"};
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    const std::string name = it->path().filename();
    if (it->is_directory() && (name.starts_with(".") || not_ours.contains(name)))
      it.disable_recursion_pending();
    if (it->is_regular_file() && it->path().extension() == ".md")
      paths.push_back(fs::relative(it->path(), root).generic_string());
  }
  return paths;
}

}  // namespace

TEST_CASE("every page has a budget of words and keeps it") {
  std::map<std::string, std::size_t> words;
  std::size_t sum = 0;
  for (const std::string& path : texts_of_project()) {
    INFO(path);
    const std::string folder = path.substr(0, path.find('/'));
    const bool together = folder == "examples" || folder == "tests";
    const std::string budget = together ? folder : path;
    CHECK(budgets().contains(budget));
    const std::size_t written =
        written_words(path, read_text(std::string(HEBB_SOURCE_DIR "/") + path));
    words[budget] += written;
    sum += written;
  }
  for (const auto& [path, most] : budgets()) {
    INFO(path);
    CHECK(words[path] > 0);
    CHECK(words[path] <= most);
  }
  CHECK(sum <= kAll);
  CHECK(words_of(read_text(HEBB_SOURCE_DIR "/docs/api.md")) <= 9500);
}

TEST_CASE("words are counted as people write them") {
  CHECK(words_of("One, two - | `x` 3 &\n**four**") == 5);
  CHECK(written_words("a.md", "one\n<!-- generated: a -->\ntwo three\n<!-- end -->\nfour\n") == 2);
  CHECK(written_words("docs/api.md", "one two\n\n## three\nfour\n") == 2);
}
