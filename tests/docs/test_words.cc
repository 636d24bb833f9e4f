// Pages, messages and descriptions keep to words that a stranger understands.
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/docs/page.h"
#include "tests/docs/words.h"
#include "tests/support/process.h"

using namespace hebb::test;
namespace fs = std::filesystem;

namespace {

// Fails with each word, so that all are seen at once.
void none_of(const std::vector<Offence>& offences, const std::string& where) {
  for (const Offence& o : offences) {
    FAIL_CHECK(where << ":" << o.line << ": \"" << o.word << "\": " << o.instead);
  }
}

std::string out_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> line{HEBB_BINARY};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_process(line).out;
}

// The texts for people in a description for programs. A title is a command.
std::size_t check_descriptions(const nlohmann::json& value, const std::string& where) {
  std::size_t texts = 0;
  for (const auto& [key, one] : value.items()) {
    const std::string place = where + "/" + key;
    if (one.is_structured()) texts += check_descriptions(one, place);
    if ((key != "description" && key != "summary") || !one.is_string()) continue;
    none_of(words_in_text(one.get<std::string>()), place);
    ++texts;
  }
  return texts;
}

// What the help says beside names of options and commands.
std::string descriptions(const std::string& help) {
  std::istringstream in(help);
  std::string text;
  for (std::string line; std::getline(in, line); text += '\n') {
    if (line.starts_with("  hebb ") || line.starts_with("Usage:")) continue;
    const auto name = line.find_first_not_of(' ');
    const auto gap = name == 0 || name == line.npos ? line.npos : line.find("  ", name);
    if (gap == line.npos && line.starts_with("  --")) continue;  // what it does is in the next line
    text += gap == line.npos ? line : line.substr(gap);
  }
  return text;
}

// The words that follow `words` in the shell's completion: the commands beneath.
std::vector<std::string> beneath(std::vector<std::string> words) {
  words.insert(words.begin(), "__complete");
  words.emplace_back("");
  std::istringstream lines(out_of(words));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("-")) names.push_back(line.substr(0, line.find('\t')));
  }
  return names;
}

std::size_t check_help(const std::vector<std::string>& command) {
  std::vector<std::string> line = command;
  line.emplace_back("--help");
  const std::string help = out_of(line);
  none_of(words_in_text(descriptions(help)), fmt::format("hebb {}", fmt::join(line, " ")));
  std::size_t pages = 1;
  if (!command.empty() && help.find("\nSubcommands:") == help.npos) return pages;
  for (const auto& name : beneath(command)) {
    auto deeper = command;
    deeper.push_back(name);
    pages += check_help(deeper);
  }
  return pages;
}

}  // namespace

TEST_CASE("words: user pages have none that only hebb's own people know") {
  const std::set<std::string> of_contributors{"CONTRIBUTING.md", "CHANGELOG.md",
                                              "docs/architecture.md", "docs/storage.md"};
  std::size_t pages = 0;
  for (const Page& page : all_pages()) {
    if (of_contributors.contains(page.path())) continue;
    none_of(words_in_page(page.text()), page.path());
    ++pages;
  }
  none_of(words_in_text(read_text(HEBB_SOURCE_DIR "/llms.txt")), "llms.txt");
  CHECK(pages > 15);
}

TEST_CASE("words: messages in the source") {
  std::size_t files = 0;
  for (const char* folder :
       {"api", "cli", "engine", "serve", "reward", "capture", "skill", "secrets"}) {
    const fs::path root = HEBB_SOURCE_DIR;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = fs::relative(entry.path(), root).generic_string();
      const auto kind = entry.path().extension();
      const bool page = kind == ".js" || kind == ".jsx";
      if (kind != ".cc" && kind != ".h" && !(page && path.starts_with("serve/page/src/"))) continue;
      const std::string code = read_text(entry.path());
      none_of(words_in_source(code), path);
      if (page) none_of(words_in_jsx(code), path);
      ++files;
    }
  }
  CHECK(files > 100);
}

TEST_CASE("words: descriptions of operations, tools and commands") {
  std::size_t texts = 0;
  for (const char* what : {"openapi", "mcp", "schemas"})
    texts += check_descriptions(nlohmann::json::parse(out_of({"api", what})), what);
  CHECK(texts > 500);
  CHECK(check_help({}) > 60);
}

TEST_CASE("words: those that are looked for are found, and names are left alone") {
  const auto words = [](const std::vector<Offence>& offences) {
    std::string all;
    for (const Offence& o : offences) all += fmt::format("{}:{} ", o.line, o.word);
    return all;
  };
  CHECK(words(words_in_text("The golden\npath. Doors, and a mirror")) ==
        "1:golden\npath 2:Doors 2:mirror ");
  CHECK(words(words_in_text("`pivot`, GUIDES, hebb pivot A, \"pivot\", node_recall, /v1/recall, "
                            "recall.cc, no room, timestamp")) == "");
  CHECK(words(words_in_page(
            "# fold\n```sh\nfold\n```\n`fold` [x](fold) <!-- fold -->\nfold\n\n    fold = 1\n")) ==
        "6:fold ");
  CHECK(
      words(words_in_source("// a fold\nx(\"a fold\", \"fold\", '\"');\ny(\"a \"\n  \"fold\");")) ==
      "2:fold 4:fold ");
  CHECK(words(words_in_source("R\"(a b\nfold)\", \"pivot, fold\"")) == "2:fold ");
  CHECK(words(words_in_jsx("<p a={1}>\n  A fold <b>x</b></p>")) == "2:fold ");
}
