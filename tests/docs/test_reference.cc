// The lists of docs/api.md and of the manual page that are written by hand in cli/reference.cc and
// cli/help.cc, against the source.
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/docs/page.h"
#include "tests/support/process.h"

using namespace hebb::test;
namespace fs = std::filesystem;

namespace {

// The lines below a heading, up to the next that begins as `begin` does; none where it is not
// there.
std::istringstream section_of(const std::string& text, const std::string& begin,
                              const std::string& heading) {
  const auto from = text.find("\n" + begin + heading + "\n");
  if (from == text.npos) return std::istringstream();
  return std::istringstream(text.substr(from, text.find("\n" + begin, from + 1) - from));
}

// The names that the list in a section of docs/api.md describes.
std::set<std::string> listed_in(const std::string& section) {
  std::istringstream lines = section_of(Page("docs/api.md").text(), "## ", section);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("- ")) continue;
    for (std::string& name : in_backticks(line.substr(0, line.find(": "))))
      names.insert(std::move(name));
  }
  return names;
}

// Those that a section of the manual page, one of the last, describes.
std::set<std::string> named_in_manual(const std::string& section) {
  std::istringstream lines = section_of(run_process({HEBB_BINARY, "manpage"}).out, ".SH ", section);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(".B ")) continue;
    std::istringstream words(line.substr(3));
    for (std::string name; words >> name;) {
      if (name.ends_with(',')) name.pop_back();
      names.insert(name);
    }
  }
  return names;
}

// The literals that a name in a file of source stands for: `name = "A"`, or each of
// `name : {"A", "B"}`.
std::string value_of_name(const std::string& code, const std::string& name) {
  std::smatch found;
  const std::regex definition(name + R"re(\s*[=:]\s*\{?((\s*"[A-Z_]+",?)+))re");
  return std::regex_search(code, found, definition) ? found[1].str() : "";
}

// What a call asks of the environment, by the argument of getenv() and the like.
void add_variables(std::set<std::string>& all, const std::string& code,
                   const std::string& argument) {
  static const std::regex literal(R"re("([A-Z_]+)")re"), identifier(R"(\w+)");
  const std::string text =
      std::regex_match(argument, identifier) ? value_of_name(code, argument) : argument;
  std::size_t found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), literal), end; it != end; ++it, ++found) {
    const std::string name = (*it)[1];
    all.insert(name.ends_with('_') ? name + "NAME" : name);
  }
  INFO("getenv(" << argument << ") of what variable?");
  CHECK(found > 0);
}

std::set<std::string> variables_of_source() {
  const std::regex call(R"((?:getenv|envname)\((\(?[^()]+))");
  std::set<std::string> all;
  for (const char* folder :
       {"secrets", "graph", "reward", "sql", "engine", "capture", "skill", "api", "serve", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEBB_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
      const std::string code = read_text(entry.path());
      INFO(entry.path());
      for (std::sregex_iterator it(code.begin(), code.end(), call), end; it != end; ++it)
        add_variables(all, code, (*it)[1]);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("every variable of the environment that is read or set is described, and no other") {
  std::set<std::string> read = variables_of_source();
  read.insert({"SSL_CERT_FILE", "SSL_CERT_DIR"});  // OpenSSL reads these
  const std::string hook = read_text(HEBB_SOURCE_DIR "/cli/outcome_hook.cc");
  const std::regex set(R"re(\{"(HEBB_[A-Z]+)",)re");
  for (std::sregex_iterator it(hook.begin(), hook.end(), set), end; it != end; ++it)
    read.insert((*it)[1]);
  CHECK(listed_in("Environment") == read);
  CHECK(named_in_manual("ENVIRONMENT") == read);
}

TEST_CASE("every exit code is described, and no other") {
  const std::string header = read_text(HEBB_SOURCE_DIR "/cli/command.h");
  const auto from = header.find("enum Exit");
  REQUIRE(from != header.npos);
  const std::string list = header.substr(from, header.find('}', from) - from);
  const std::regex code(R"(k\w+ = (\d+))");
  std::set<std::string> codes;
  for (std::sregex_iterator it(list.begin(), list.end(), code), end; it != end; ++it)
    codes.insert((*it)[1]);
  CHECK(listed_in("Exit codes") == codes);
  CHECK(named_in_manual("EXIT STATUS") == codes);
}

TEST_CASE("every command and every option of all of them is described, and no other") {
  std::set<std::string> commands, options;
  for (const auto& [begin, names] : {std::pair("", &commands), std::pair("-", &options)}) {
    std::istringstream all(run_process({HEBB_BINARY, "__complete", begin}).out);
    for (std::string line; std::getline(all, line);) {
      const std::string name = line.substr(0, line.find('\t'));
      if (name.starts_with('-') == (names == &options)) names->insert(name);
    }
  }
  commands.erase("help");
  CHECK(listed_in("Commands") == commands);
  auto listed = listed_in("Options");
  for (const char* with_no_completion : {"-h", "-q", "--help", "--version"}) {
    INFO(with_no_completion);
    CHECK(listed.contains(with_no_completion));
    if (!options.contains(with_no_completion)) listed.erase(with_no_completion);
  }
  CHECK(listed == options);
}
