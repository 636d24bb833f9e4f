// `hebb help`, what a mistyped command line gets for an answer, what -q leaves
// out, and tables that fit.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/cli/all_commands.h"
#include "tests/support/terminal.h"

using hebb::test::all_commands;
using hebb::test::Args;
using hebb::test::calls;
using hebb::test::Hebb;
using hebb::test::lines_of;
using hebb::test::name_of;
using hebb::test::words_of;

TEST_CASE("help COMMAND is COMMAND --help", "[slow]") {
  const Hebb hebb;
  CHECK(hebb.run({"help"}).out == hebb.run({"--help"}).out);
  for (const Args& command : all_commands(hebb)) {
    Args help = command, option = command;
    help.insert(help.begin(), "help");
    option.push_back("--help");
    INFO(name_of(command));
    const auto r = hebb.run(help);
    CHECK(r.exit_code == 0);
    CHECK(r.out == hebb.run(option).out);
  }
  CHECK(hebb.run({"help", "node"}).out == hebb.run({"node", "--help"}).out);
  CHECK(hebb.json({"help", "rank"})["help"] == hebb.run({"rank", "--help"}).out);
}

TEST_CASE("a mistyped command or option gets the one that was meant") {
  const Hebb hebb;
  struct Typed {
    Args args;
    std::string meant;  // empty: nothing is near
  };
  const std::vector<Typed> kTyped = {
      {{"rnak"}, "rank"},
      {{"ran", "--limit", "3"}, "rank"},
      {{"recal"}, "recalibrate"},
      {{"dead-leters"}, "dead-letters"},
      {{"deadletters", "list"}, "dead-letters"},
      {{"explian", "x"}, "explain"},
      {{"xyzzy"}, ""},
      {{"node", "gte", "x"}, "get"},
      {{"policy", "shwo"}, "show"},
      {{"help", "rnak"}, "rank"},
      {{"help", "node", "delte"}, "delete"},
      {{"rank", "--fromat", "ids"}, "--format"},
      {{"rank", "--fromat=ids"}, "--format"},
      {{"rank", "--prof", "seed"}, "--profile"},
      {{"rank", "--quite"}, "--quiet"},
      {{"rank", "--profile", "sead"}, "seed"},
      {{"rank", "--format", "cetst"}, "ctest"},
      {{"rank", "--format", "xyzzy"}, ""},
      {{"policy", "set", "--preset", "tess"}, "tests"},
      {{"claim", "list", "--status", "expried"}, "expired"},
      {{"--jsn", "rank"}, "--json"},
      {{"rank", "--xyzzy"}, ""},
      {{"gc", "--older-then", "3d"}, "--older-than"},
  };
  for (const auto& [args, meant] : kTyped) {
    const auto r = hebb.run(args);
    INFO(name_of(args) << ": " << r.err);
    CHECK(r.exit_code == 2);
    CHECK(r.out.empty());
    CHECK(lines_of(r.err).size() == 1);
    if (meant.empty()) {
      CHECK(r.err.find("did you mean") == std::string::npos);
    } else {
      CHECK(r.err.find("did you mean " + meant + "?") != std::string::npos);
    }
    const bool names_choices = r.err.find("has to be one of") != std::string::npos;
    CHECK((names_choices || r.err.find("--help` says what there is") != std::string::npos));
  }
}

TEST_CASE("with -q nothing is printed but errors and what was asked for", "[slow]") {
  const Hebb hebb;
  hebb.fill();
  const Args kActs = {"init",     "import",        "ingest",        "recalibrate",
                      "node set", "node delete",   "link",          "unlink",
                      "pivot",    "policy set",    "rebuild",       "undo",
                      "backup",   "actions score", "actions prune", "verify"};
  std::size_t tried = 0;
  for (const auto& call : calls()) {
    Args args = words_of(call.command);
    args.insert(args.end(), call.arguments.begin(), call.arguments.end());
    args.push_back("-q");
    const auto r = hebb.run(args, call.in);
    INFO(name_of(args) << ": " << r.out << r.err);
    CHECK(r.err.empty() == (r.exit_code == 0));  // one of them is refused again
    const bool acts = std::count(kActs.begin(), kActs.end(), call.command) > 0;
    if (acts) {
      CHECK(r.out.empty());
      ++tried;
    } else if (call.command == "rank" || call.command == "explain" || call.command == "stats") {
      CHECK_FALSE(r.out.empty());
    }
  }
  CHECK(tried > 15);
  const auto refused =
      hebb.run({"-q", "ingest", "-"}, R"({"taskId":"nobody","outcome":"success"})");
  CHECK(refused.exit_code == 3);
  CHECK(lines_of(refused.err).size() == 1);
  CHECK_FALSE(hebb.run({"-q", "--json", "recalibrate"}).out.empty());
  CHECK(hebb.run({"-q", "explain", "nobody"}).err.find("nobody") != std::string::npos);
}

TEST_CASE("tables fit the terminal; in a pipe they are as wide as they need") {
  const Hebb hebb;
  hebb.fill();
  const std::string name(58, 'n');
  hebb.run({"node", "set", "long-name", "--type", "TASK", "--state", "OPEN", "--name", name});
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    for (const auto& line : lines_of(text)) {
      most = std::max(most, line.size());
    }
    return most;
  };
  hebb::test::ProcessOptions options;
  options.env = {{"NO_COLOR", "1"}, {"COLUMNS", ""}};
  for (const unsigned short columns : std::initializer_list<unsigned short>{60, 72, 80, 200}) {
    for (const Args& command : {Args{"rank", "--limit", "9"}, Args{"search", name},
                                Args{"dead-letters", "list"}, Args{"undo"}}) {
      Args args{HEBB_BINARY, "--db", hebb.db()};
      args.insert(args.end(), command.begin(), command.end());
      const auto r = hebb::test::run_on_terminal(args, options, {columns, 24});
      INFO(columns << " columns:\n" << r.out);
      CHECK(r.exit_code == 0);
      CHECK(widest(r.out) <= columns + std::string("…").size() * 2);  // bytes; … is one column
    }
  }
  CHECK(hebb.run({"rank", "--limit", "9"}).out.find(name) != std::string::npos);
  options.env = {{"COLUMNS", "60"}};
  const auto piped = hebb::test::run_process(
      {HEBB_BINARY, "--db", hebb.db(), "--now", hebb.now, "rank", "--limit", "9"}, options);
  CHECK(piped.out.find(name) == std::string::npos);
}

TEST_CASE("columns are aligned by what a terminal shows: wide and combining characters") {
  const Hebb hebb;
  for (const std::string id : {"修复登录", "e\u0301", "plain-id"}) {
    hebb.run({"node", "set", id, "--type", "TASK", "--state", "OPEN", "--name", "wide"});
  }
  const auto out = hebb.run({"search", "wide"}).out;
  INFO(out);
  CHECK(out.find("id        type  state  name\n") == 0);
  CHECK(out.find("\n修复登录  TASK  OPEN   wide\n") != std::string::npos);
  CHECK(out.find("\ne\u0301         TASK  OPEN   wide\n") != std::string::npos);
  CHECK(out.find("\nplain-id  TASK  OPEN   wide\n") != std::string::npos);
}
