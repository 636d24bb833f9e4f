// Each operation that names the command line is there: in help and in the man page.
#include <string>

#include <catch2/catch.hpp>

#include "api/operation.h"
#include "tests/support/process.h"

namespace hebb {
namespace {

std::string printed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HEBB_BINARY);
  const auto run = test::run_process(arguments);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return run.out;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto blank = text.find(' ');
    words.emplace_back(text.substr(0, blank));
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return words;
}

// Two operations in one command each (`undo` without an event is `events`), with a summary and
// arguments of both.
bool shares_command(const api::Operation& o) {
  for (const auto* name :
       {"events", "undo", "explain", "explain_edge", "topology", "neighborhood"}) {
    if (o.about.name == name) return true;
  }
  return false;
}

TEST_CASE("each operation of the command line is a command with its fields", "[slow]") {
  const std::string man = printed({"manpage"});
  std::size_t seen = 0;
  for (const api::Operation& o : api::operations()) {
    if ((o.doors & api::kCommandLine) == 0) continue;
    INFO(o.about.name);
    ++seen;
    auto arguments = words(o.command);
    const std::string last = arguments.back();
    arguments.emplace_back("--help");
    const std::string help = printed(arguments);
    CHECK(man.find(last) != std::string::npos);
    if (shares_command(o)) continue;
    CHECK(help.find(o.about.summary) != std::string::npos);
    for (const api::Field& field : o.request()) {
      if (field.bounds.hidden) continue;
      INFO(field.name);
      std::vector<std::string> names{api::option_name(field)};
      if (!field.bounds.flag_words.empty()) names = {"--in", "--out"};
      for (const auto& name : names) {
        CHECK(help.find(name) != std::string::npos);
      }
    }
  }
  CHECK(seen > 40);
}

}  // namespace
}  // namespace hebb
