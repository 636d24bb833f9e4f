// Each operation that names the command line is there: in help, in completions, in the man page.
#include <string>

#include <catch2/catch.hpp>

#include "api/operations.h"
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

// Two operations in one command each (`undo` without an event is `events`): written by hand, with
// arguments of their own.
bool by_hand(const api::Operation& o) {
  for (const auto* name :
       {"events", "undo", "explain", "explain_edge", "topology", "neighborhood"}) {
    if (o.about.name == name) return true;
  }
  return false;
}

TEST_CASE("each operation of the command line is a command with its fields", "[slow]") {
  const std::string man = printed({"manpage"});
  const std::string bash = printed({"completions", "bash"}), zsh = printed({"completions", "zsh"}),
                    fish = printed({"completions", "fish"});
  std::size_t seen = 0;
  for (const api::Operation& o : api::operations()) {
    if ((o.about.doors & api::kCommandLine) == 0) continue;
    INFO(o.about.name);
    ++seen;
    auto arguments = words(o.about.command);
    const std::string last = arguments.back();
    arguments.emplace_back("--help");
    const std::string help = printed(arguments);
    for (const auto* shell : {&bash, &zsh, &fish}) CHECK(shell->find(last) != std::string::npos);
    CHECK(man.find(last) != std::string::npos);
    if (by_hand(o)) continue;
    CHECK(help.find(o.about.summary) != std::string::npos);
    for (const api::Field& field : o.request()) {
      if (field.bounds.hidden) continue;
      INFO(field.name);
      CHECK(help.find(field.option_name()) != std::string::npos);
      if (field.bounds.positional) continue;
      const std::string option = field.option_name().substr(2);
      for (const auto* shell : {&bash, &zsh, &fish})
        CHECK(shell->find(option) != std::string::npos);
    }
  }
  CHECK(seen > 40);
}

}  // namespace
}  // namespace hebb
