// What holds of every command: an example in its help, --json, completions, the man page.
#include <algorithm>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/cli/all_commands.h"

using hebb::test::all_commands;
using hebb::test::Args;
using hebb::test::Call;
using hebb::test::calls;
using hebb::test::Hebb;
using hebb::test::name_of;
using hebb::test::words_of;

namespace {

// Without their dashes: "-q,--quiet" gives "quiet".
std::vector<std::string> long_options(const std::string& help) {
  const std::string list = help.substr(0, help.find("Examples:"));
  const std::regex option(R"((?:^|\n)  (?:-\w,)?--([a-z-]+))");
  std::vector<std::string> names;
  for (std::sregex_iterator it(list.begin(), list.end(), option), end; it != end; ++it) {
    names.push_back((*it)[1]);
  }
  return names;
}

// These print what another program gave them, or have tests of their own that read their JSON.
const std::vector<std::string> kElsewhere = {
    "api",          "mcp",           "pipe",  "serve",          "record",
    "claim renew",  "claim release", "trace", "actions export", "skill run",
    "skill import", "skill export",  "setup"};

}  // namespace

TEST_CASE("every command's help has an example that names it", "[slow]") {
  const Hebb hebb;
  const auto all = all_commands(hebb);
  REQUIRE(all.size() > 30);
  for (Args args : all) {
    const std::string name = name_of(args);
    INFO(name);
    args.push_back("--help");
    const auto r = hebb.run(args);
    CHECK(r.exit_code == 0);
    const auto examples = r.out.find("Examples:");
    REQUIRE(examples != std::string::npos);
    CHECK(r.out.find("hebb " + name, examples) != std::string::npos);
  }
}

TEST_CASE("every command takes --json and prints one JSON value", "[slow]") {
  const Hebb hebb;
  hebb.fill();
  for (const auto& call : calls()) {
    Args args = words_of(call.command);
    args.insert(args.end(), call.arguments.begin(), call.arguments.end());
    args.push_back("--json");
    INFO(name_of(args));
    const auto r = hebb.run(args, call.in);
    INFO(r.err);
    CHECK(r.exit_code == call.exit_code);
    CHECK(nlohmann::json::accept(r.exit_code == 2 ? r.err : r.out));
  }
  for (const Args& args : all_commands(hebb)) {
    const std::string name = name_of(args);
    INFO(name);
    const bool tried = std::any_of(calls().begin(), calls().end(),
                                   [&](const Call& c) { return c.command == name; });
    const bool elsewhere = std::count(kElsewhere.begin(), kElsewhere.end(), args.front()) > 0 ||
                           std::count(kElsewhere.begin(), kElsewhere.end(), name) > 0;
    CHECK((tried || elsewhere));
  }
}

TEST_CASE("the JSON that others parse has the names that were promised") {
  const Hebb hebb;
  hebb.fill();
  const auto keys = [](const nlohmann::json& row) {
    std::vector<std::string> names;
    for (const auto& [key, value] : row.items()) names.push_back(key);
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto rank = hebb.json({"rank"})["tasks"];
  REQUIRE(!rank.empty());
  CHECK(keys(rank[0]) == std::vector<std::string>{"age",
                                                  "attention",
                                                  "base",
                                                  "context_overlap",
                                                  "duration",
                                                  "failure_penalty",
                                                  "id",
                                                  "labels",
                                                  "name",
                                                  "order_proximity",
                                                  "priority",
                                                  "rank",
                                                  "recency",
                                                  "relative",
                                                  "reward",
                                                  "semantic",
                                                  "structural",
                                                  "success_rate",
                                                  "time_proximity",
                                                  "unblocks",
                                                  "urgency",
                                                  "waiting"});
  CHECK(rank[0]["rank"] == 1);
  CHECK(rank[0]["relative"] == 1.0);
  CHECK(rank[0]["priority"].is_number());
  const auto letters = hebb.json({"dead-letters", "list"})["dead_letters"];
  REQUIRE(letters.size() == 3);
  for (const char* key : {"id", "reason", "file", "line", "text"}) CHECK(letters[0].contains(key));
  const auto edges = hebb.json({"neighbors", "task-1"})["edges"];
  REQUIRE(!edges.empty());
  CHECK(keys(edges[0]) == std::vector<std::string>{"dormant", "source", "stored_weight", "target",
                                                   "touched_at", "type", "weight"});
}

TEST_CASE("bash completes commands, their options, and values") {
  const Hebb hebb;
  hebb::test::write_text(hebb.file("bash"), hebb.run({"completions", "bash"}).out);
  const auto complete = [&](const std::string& line) {
    const std::string script =
        "hebb() { " + std::string(HEBB_BINARY) + " \"$@\"; }; source " + hebb.file("bash") +
        "; COMP_WORDS=(" + line +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hebb; echo \"${COMPREPLY[@]}\"";
    return words_of(hebb::test::run_process({"bash", "-c", script}).out);
  };
  CHECK(complete("hebb reca") == Args{"recalibrate"});
  CHECK(complete("hebb node d") == Args{"delete"});
  CHECK(complete("hebb rank --prof") == Args{"--profile"});
  CHECK(complete("hebb rank --profile s") == Args{"seed"});
  CHECK(complete("hebb rank --format t") == Args{"table", "temporal"});
  CHECK(complete("hebb --db x.db policy sh") == Args{"show"});
  CHECK(complete("hebb completions z") == Args{"zsh"});
  CHECK(complete("hebb rank --vector s").empty());  // bash's own file names
  const auto commands = complete("hebb ''");
  CHECK(std::count(commands.begin(), commands.end(), "dead-letters") == 1);
}

TEST_CASE("every command and each of its options is offered, with its meaning", "[slow]") {
  const Hebb hebb;
  for (const Args& command : all_commands(hebb)) {
    INFO(name_of(command));
    const auto offered = [&](Args words) {
      words.insert(words.begin(), "__complete");
      return "\n" + hebb::test::run_process([&] {
                      words.insert(words.begin(), HEBB_BINARY);
                      return words;
                    }())
                        .out;
    };
    CHECK(offered(command).find("\n" + command.back() + "\t") != std::string::npos);
    Args help = command, options = command;
    help.push_back("--help");
    options.push_back("--");
    const std::string words = offered(options);
    const auto names = long_options(hebb.run(help).out);
    CHECK(!names.empty());
    for (const auto& name : names) {
      INFO(name);
      CHECK(words.find("\n--" + name + "\t") != std::string::npos);
    }
  }
}

TEST_CASE("the shells can read their completions") {
  const Hebb hebb;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const auto script = hebb.run({"completions", shell}).out;
    if (!hebb::test::is_installed(shell)) continue;
    hebb::test::write_text(hebb.file(shell), script);
    const auto read = hebb::test::run_process({shell, "-n", hebb.file(shell)});
    INFO(read.err);
    CHECK(read.exit_code == 0);
    CHECK(read.err.empty());
  }
}

TEST_CASE("a command that is gone works, and says what it is called now") {
  const Hebb hebb;
  struct Gone {
    Args words;
    std::string now;
    int exit_code;
  };
  for (const Gone& gone :
       {Gone{{"policy", "use", "tasks"}, "policy set --preset", 0},
        Gone{{"policy", "load", "/dev/null"}, "policy set --file", 65},
        Gone{{"policy", "use", "--json", "tasks"}, "policy set --preset", 0},
        Gone{{"policy", "--json", "use", "tests"}, "policy set --preset", 0},
        Gone{{"policy", "use", "--help"}, "policy set --preset", 0},
        Gone{{"help", "policy", "use"}, "policy set --preset", 0},
        Gone{{"help", "frontier"}, "neighbors frontier --out", 0},
        Gone{{"frontier", "--json"}, "neighbors frontier --out", 0},
        Gone{{"skill", "list"}, "skill recall", 0},
        Gone{{"skill", "verify", "x", "--runs", "2"}, "skill run --runs 3", 1}}) {
    INFO(name_of(gone.words));
    const auto r = hebb.run(gone.words);
    CHECK(r.exit_code == gone.exit_code);
    CHECK(r.err.find("` is now `hebb " + gone.now + "`") != std::string::npos);
  }
  CHECK(hebb.json({"policy", "show", "test.by_failures"})["settings"]["test.by_failures"] == true);
  const std::string help = hebb.run({"policy", "--help"}).out;
  CHECK(help.find("load") == std::string::npos);
}

TEST_CASE("the man page has every command, and no line that roff would take for its own") {
  const Hebb hebb;
  const auto page = hebb.run({"manpage"}).out;
  for (const Args& args : all_commands(hebb)) {
    std::string name = name_of(args);
    for (std::size_t i = 0; (i = name.find('-', i)) != std::string::npos; i += 2)
      name.insert(i, "\\");
    INFO(name);
    CHECK(page.find(".SS hebb " + name) != std::string::npos);
  }
  const Args kRequests{".TH", ".SH", ".SS", ".TP", ".B", ".PP", ".nf", ".fi"};
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] != '.') continue;
    const auto request = words_of(line).front();
    INFO(line);
    CHECK(std::count(kRequests.begin(), kRequests.end(), request) == 1);
  }
  if (!hebb::test::is_installed("groff")) return;
  hebb::test::ProcessOptions options;
  options.in = page;
  const auto r = hebb::test::run_process({"groff", "-man", "-Tutf8", "-ww", "-z", "-k"}, options);
  CHECK(r.exit_code == 0);
  CHECK(r.err.empty());
}
