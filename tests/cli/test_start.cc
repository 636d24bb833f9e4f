// What the program loads, and which options it declares, before it does anything.
#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/all_commands.h"

using hebb::test::Args;
using hebb::test::Folder;
using hebb::test::Hebb;
using hebb::test::ProcessOptions;
using hebb::test::ProcessResult;
using hebb::test::read_text;
using hebb::test::run_process;
using hebb::test::write_text;

namespace {

ProcessResult start(const Args& args, const std::string& variable, const std::string& value) {
  ProcessOptions options;
  options.env = {{variable, value}};
  Args all{HEBB_BINARY};
  all.insert(all.end(), args.begin(), args.end());
  return run_process(all, options);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the program starts without OpenSSL") {
  // ld.so then prints what it would load, as ldd does, and starts nothing.
  const auto loaded = start({"--version"}, "LD_TRACE_LOADED_OBJECTS", "1").out;
  CHECK(holds(loaded, "libc.so"));
  CHECK_FALSE(holds(loaded, "libssl"));
  CHECK_FALSE(holds(loaded, "libcrypto"));
}

// Bytes 60 to 63 of a file of SQLite are its PRAGMA user_version.
TEST_CASE("what --version prints names version, commit and the schema of databases") {
  const Hebb hebb;
  hebb.run({"init"});
  const int schema = static_cast<unsigned char>(read_text(hebb.db()).at(63));
  const auto r = hebb.run({"--version"});
  std::smatch parts;
  REQUIRE(std::regex_match(
      r.out, parts, std::regex("hebb ([0-9.]+) \\((?:([0-9a-f]{8}), )?schema ([0-9]+)\\)\n")));
  CHECK(schema > 0);
  CHECK(parts[3] == std::to_string(schema));
  CHECK(holds(hebb.run({"manpage"}).out, "\"hebb " + parts[1].str() + "\""));
}

TEST_CASE("where OpenSSL cannot be loaded, https says what to install, and all else works") {
  const Folder folder;
  write_text(folder.file("libssl.so.3"), "");
  const auto embed = [&](const std::string& server) {
    const Hebb hebb;
    hebb.run({"node", "set", "a", "--type", "LABEL"});  // no name, so no vector of another
    return start({"--db", hebb.db(), "rank", "--near", "y", "--embedder", "openai:" + server,
                  "--model", "m"},
                 "LD_LIBRARY_PATH", folder.path());
  };
  const auto r = embed("https://127.0.0.1:1");
  INFO(r.err);
  CHECK(r.exit_code == 1);
  CHECK(holds(r.err, "https://127.0.0.1:1"));
  CHECK(holds(r.err, "TLS needs libssl.so.3"));
  CHECK(holds(r.err, "libssl3"));
  CHECK(holds(embed("http://127.0.0.1:1").err, "is the server running?"));
}

// Only the options of the command that the line names are declared, so the program finds it before
// CLI11 does.
TEST_CASE("the command of a line is found as CLI11 finds it", "[slow]") {
  const Hebb hebb;
  hebb.fill();
  const auto ids = hebb.run({"rank", "--format", "ids"}).out;
  REQUIRE_FALSE(ids.empty());
  struct Line {
    Args args;
    int exit_code;
    std::string out, err;  // what it begins with
  };
  const std::vector<Line> kLines = {
      {{"-q", "rank", "--format", "ids"}, 0, ids, ""},
      {{"-qq", "rank", "--format", "ids"}, 0, ids, ""},
      {{"--db=" + hebb.db(), "rank", "--format", "ids"}, 0, ids, ""},
      {{"--", "rank"}, 2, "", "hebb: A subcommand is required"},
      {{"--db", "rank", "stats"}, 69, "", "hebb: "},  // there is no file "rank"
      {{"--db", "rank"}, 2, "", "hebb: A subcommand is required"},
      {{"rank", "list"}, 2, "", "hebb: "},
      {{"list", "rank"}, 2, "", "hebb: "},
      {{"xyzzy", "rank"}, 2, "", "hebb: there is no command \"hebb xyzzy\""},
      {{"--version"}, 0, "hebb ", ""},
      {{"rank", "--version"}, 0, "hebb ", ""},
      {{"--xyzzy", "rank", "--limit", "--version"}, 2, "", "hebb: "},  // a value of --limit
      {{"--json", "completions", "bash"}, 0, "{", ""},
  };
  for (const auto& line : kLines) {
    const auto r = hebb.run(line.args);
    INFO(hebb::test::name_of(line.args) << "\n" << r.out << r.err);
    CHECK(r.exit_code == line.exit_code);
    CHECK(r.out.starts_with(line.out));
    CHECK(r.err.starts_with(line.err));
    CHECK(r.out.empty() == line.out.empty());
  }
  const auto commands = hebb::test::all_commands(hebb);
  const auto offered = hebb::test::run_process({HEBB_BINARY, "__complete", ""}).out;
  for (const std::string& text : {offered, hebb.run({"-q", "api", "docs"}).out}) {
    for (const Args& command : commands) CHECK(holds(text, command.front()));
  }
  CHECK(holds(hebb.run({"-q", "manpage"}).out, "hebb backtest"));
}
