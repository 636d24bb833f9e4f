// Every page: sessions give what they show, links lead somewhere, commands exist.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/docs/page.h"

using hebb::test::all_pages;
using hebb::test::anchors_of;
using hebb::test::Page;
using hebb::test::Session;
using hebb::test::Shell;
namespace fs = std::filesystem;

namespace {

// scripts/quickstart has its database in a temporary folder.
std::string without_folder(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(/\S*/hebb\.db)"), "hebb.db");
}

// Puts what the commands print now into the page, where it differs.
void update(const Page& page, const std::vector<std::vector<std::string>>& outputs) {
  std::istringstream in(page.text());
  std::string text;
  int line_number = 0;
  std::size_t session = 0;
  const std::vector<Session> sessions = page.sessions();
  for (std::string line; std::getline(in, line);) {
    text += line + '\n';
    if (session == sessions.size() || ++line_number != sessions[session].line) continue;
    for (std::size_t s = 0; s < outputs[session].size(); ++s) {
      const auto& step = sessions[session].steps[s];
      const std::string& now = outputs[session][s];
      text += "$ " + std::regex_replace(step.command, std::regex("\n"), "\n> ") + '\n';
      text += without_folder(now) == without_folder(step.output) ? step.output : now;
    }
    while (std::getline(in, line) && line != "```") ++line_number;
    ++line_number;
    text += "```\n";
    ++session;
  }
  std::ofstream(fs::path(HEBB_SOURCE_DIR) / page.path(), std::ios::binary) << text;
}

void check_sessions(const Page& page) {
  std::vector<Session> sessions = page.sessions();
  std::vector<std::vector<std::string>> printed;
  for (std::size_t i = 0; i < sessions.size();) {
    // A block and those that continue it run in one shell.
    std::vector<hebb::test::Step> steps = sessions[i].steps;
    const int line = sessions[i].line;
    for (++i; i < sessions.size() && sessions[i].continued; ++i) {
      steps.insert(steps.end(), sessions[i].steps.begin(), sessions[i].steps.end());
    }
    std::vector<std::string> commands;
    for (const auto& step : steps) commands.push_back(step.command);
    Shell shell;
    const auto outputs = shell.run(commands);
    INFO(page.path() << ":" << line);
    REQUIRE(outputs.size() == steps.size());
    auto next = outputs.begin();
    while (printed.size() < i) {
      const auto count = static_cast<std::ptrdiff_t>(sessions[printed.size()].steps.size());
      printed.emplace_back(next, next + count);
      next += count;
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      INFO("$ " << steps[s].command);
      CHECK(without_folder(outputs[s]) == without_folder(steps[s].output));
    }
  }
  if (std::getenv("HEBB_UPDATE_DOCS") != nullptr && !sessions.empty()) update(page, printed);
}

}  // namespace

TEST_CASE("console sessions print what the pages show") {
  std::size_t sessions = 0;
  for (const Page& page : all_pages()) {
    check_sessions(page);
    sessions += page.sessions().size();
  }
  CHECK(sessions >= 3);
}

TEST_CASE("a session that prints something else is noticed") {
  Shell shell;
  const auto outputs =
      shell.run(std::vector<std::string>{"echo one", "echo two; echo 3 >&2", "true"});
  CHECK(outputs == std::vector<std::string>{"one\n", "two\n3\n", ""});
}

TEST_CASE("links between pages lead somewhere, to headings that are there") {
  const std::regex link(R"(\]\(([^)#\s]*)(#([^)\s]*))?\))");
  std::size_t seen = 0, anchors_seen = 0;
  for (const Page& page : all_pages()) {
    const fs::path root = HEBB_SOURCE_DIR, folder = fs::path(page.path()).parent_path();
    const std::string text = page.without_code();
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1], anchor = (*it)[3];
      if (target.find(':') != target.npos) continue;  // elsewhere
      const std::string to =
          target.empty() ? page.path() : (folder / target).lexically_normal().generic_string();
      INFO(page.path() << " links to " << to);
      const bool there = fs::exists(root / to);
      CHECK(there);
      ++seen;
      if (!there || anchor.empty() || !to.ends_with(".md")) continue;
      INFO("#" << anchor);
      CHECK(Page(to).anchors().contains(anchor));
      ++anchors_seen;
    }
  }
  CHECK(seen > 10);
  CHECK(anchors_seen > 5);
}

TEST_CASE("anchors are those that GitHub makes of headings") {
  CHECK(anchors_of("# One `two`: 3/4, x_y\n## über – [a link](b.md)\n```sh\n# no heading\n```\n"
                   "# one Two 34 x_y\n# One `two`: 3/4, x_y #\n") ==
        std::set<std::string>{"one-two-34-x_y", "über--a-link", "one-two-34-x_y-1",
                              "one-two-34-x_y-2"});
}

TEST_CASE("commands that pages name exist") {
  const std::regex command(
      R"((`|\$ |^    (?:.*[|&] )?)hebb ((?:--?[a-z]+(?: [0-9]+)? )*)([a-z][a-z-]+))");
  std::set<std::string> names;
  for (const Page& page : all_pages()) {
    std::istringstream in(page.text());
    for (std::string line; std::getline(in, line);) {
      const auto end = std::sregex_iterator();
      for (std::sregex_iterator it(line.begin(), line.end(), command); it != end; ++it) {
        names.insert((*it)[3]);
      }
    }
  }
  CHECK(names.size() > 10);
  CHECK(names.contains("recalibrate"));
  Shell shell;
  for (const std::string& name : names) {
    INFO("hebb " << name);
    CHECK(shell.run("hebb " + name + " --help").code == 0);
  }
}
