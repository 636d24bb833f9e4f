// The wrappers of examples/trace under the real `hebb trace`: the same calls in three languages
// give the same answer.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"

using hebb::test::Folder;
using hebb::test::is_installed;
using hebb::test::ProcessOptions;
using hebb::test::run_process;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

const std::string kSource = HEBB_SOURCE_DIR;
const std::string kPlain = "outer 3\ncaught boom\ncaught undefined\nmethod 5\nkey none\n";

struct Language {
  std::string interpreter, program;
};

// Catch2 runs a case once for each.
Language language() {
  const Language l = GENERATE(Language{"node", "calls.mjs"}, Language{"python3", "calls.py"},
                              Language{"sh", "calls.sh"}, Language{"bash", "calls.sh"});
  CAPTURE(l.interpreter);
  REQUIRE(is_installed(l.interpreter));
  return l;
}

Words command(const Language& l) {
  return {l.interpreter, kSource + "/tests/capture/data/wrappers/" + l.program,
          kSource + "/examples/trace"};
}

// What the program prints without traces.
std::string plain_output(const Folder& folder, const Language& l) {
  return run_process(command(l), {.in = {}, .env = {{"HEBB_TRACE", "0"}}, .folder = folder.path()})
      .out;
}

Words under_hebb(const Folder& folder, const Words& options, const Words& command) {
  Words all = {HEBB_BINARY, "--db", folder.file("hebb.db"), "trace"};
  all.insert(all.end(), options.begin(), options.end());
  all.push_back("--");
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

Json find_start(const Json& traces, const std::string& tool) {
  for (const Json& t : traces) {
    if (t["type"] == "tool_start" && t["tool"] == tool) return t;
  }
  FAIL("no start of " << tool);
  return {};
}

Json find_end(const Json& traces, const Json& start) {
  for (const Json& t : traces) {
    if (t["type"] == "tool_end" && t["trace_id"] == start["trace_id"]) return t;
  }
  FAIL("no end of " << start);
  return {};
}

}  // namespace

TEST_CASE("wrappers: successes and failures are reported, and the calls are what they were",
          "[slow]") {
  const Language l = language();
  const Folder folder;
  const auto ran = run_process(under_hebb(folder, {"--json"}, command(l)));
  CHECK(ran.out == kPlain);
  CHECK(ran.exit_code == 7);
  const Json said = Json::parse(ran.err);
  CHECK(said["tools_called"] == Json({"in:ner", "out:er", "meth:od"}));
  CHECK(said["calls"] == 5);
  CHECK(said["succeeded"] == 3);
  CHECK(said["failed"] == 2);
  CHECK(said["invalid"] == 0);
  CHECK(said["traces_left_out"] == 0);
  const Json& traces = said["traces"];
  CHECK(traces.size() == 10);

  const Json outer = find_start(traces, "out:er");
  CHECK(find_start(traces, "in:ner")["parent_trace_id"] == outer["trace_id"]);
  CHECK_FALSE(outer.contains("parent_trace_id"));
  CHECK(outer["ts"] > 1'700'000'000'000);
  const Json outer_end = find_end(traces, outer);
  CHECK(outer_end["success"] == true);
  CHECK(outer_end["duration_ms"] >= 0);
  CHECK_FALSE(outer_end.contains("error"));

  const Json failed = find_end(traces, find_start(traces, "bro:ken"));
  CHECK(failed["success"] == false);
  const std::string error = failed["error"];
  CHECK(error.starts_with(l.program == "calls.sh" ? "exit code 4" : "boom \"\x1b[31m\" "));

  const auto edges = run_process(
      {HEBB_BINARY, "--db", folder.file("hebb.db"), "tools", "suggest", "out:er", "--json"});
  bool contains = false;
  const Json answer = Json::parse(edges.out);
  for (const Json& row : answer["suggestions"]) {
    contains = contains || (row["relation"] == "CONTAINS" && row["tool"] == "in:ner");
  }
  CHECK(contains);
}

TEST_CASE("wrappers: with a key, what the traced code runs does not know it", "[slow]") {
  const Language l = language();
  const Folder folder;
  const auto ran = run_process(under_hebb(folder, {"--json", "--key", "k\"ey"}, command(l)),
                               {.in = {}, .env = {{"HEBB_TRACE_KEY", "k\"ey"}}, .folder = {}});
  CHECK(ran.out == kPlain);
  CHECK(Json::parse(ran.err)["calls"] == 5);
}

TEST_CASE("wrappers: switched off they print nothing", "[slow]") {
  const Language l = language();
  const auto ran = run_process(command(l), {.in = {}, .env = {{"HEBB_TRACE", "0"}}, .folder = {}});
  CHECK(ran.out == kPlain);
  CHECK(ran.err.empty());
  CHECK(ran.exit_code == 7);
}

TEST_CASE("wrappers: what is piped, captured or redirected has no traces, and none is lost",
          "[slow]") {
  const auto [l, calls] = GENERATE(std::pair{Language{"sh", "captured.sh"}, 5},
                                   std::pair{Language{"bash", "captured.sh"}, 5},
                                   std::pair{Language{"zsh", "captured.sh"}, 5},
                                   std::pair{Language{"python3", "captured.py"}, 2},
                                   std::pair{Language{"node", "captured.mjs"}, 2});
  CAPTURE(l.interpreter);
  if (l.interpreter == "zsh" && !is_installed("zsh")) return;
  const Folder folder;
  const auto ran = run_process(under_hebb(folder, {"--json"}, command(l)),
                               {.in = {}, .env = {}, .folder = folder.path()});
  const std::string plain = plain_output(folder, l);
  CHECK_FALSE(plain.empty());
  CHECK(ran.out == plain);
  CHECK(ran.exit_code == 0);
  const Json said = Json::parse(ran.err);
  CHECK(said["succeeded"] == calls);
  if (l.program == "captured.sh") {
    CHECK(find_start(said["traces"], "in:ner")["parent_trace_id"] ==
          find_start(said["traces"], "out:er")["trace_id"]);
  }
}

TEST_CASE("wrappers: a shell script without a stdout runs as it would without traces") {
  const std::string shell = GENERATE("dash", "bash");
  const auto ran =
      run_process({shell, "-c", "exec >&-; . \"$1/trace.sh\"; traced fa:ils sh -c 'exit 3'", shell,
                   kSource + "/examples/trace"});
  CHECK(ran.exit_code == 3);
  CHECK(ran.err.empty());
}

TEST_CASE("wrappers: a shell's clock is cut to milliseconds, whatever its digits") {
  const std::string clock =
      GENERATE("1701792000.123456", "1701792000,123456", "1701792000.1234567890", "1701792000.123");
  CAPTURE(clock);
  const auto ran = run_process(
      {"dash", "-c", ". \"$1/trace.sh\"; traced ti:me true", "dash", kSource + "/examples/trace"},
      {.in = {}, .env = {{"EPOCHREALTIME", clock}}, .folder = {}});
  CHECK(ran.out.find("\"ts\":1701792000123}") != std::string::npos);
  CHECK(ran.out.find("\"duration_ms\":0}") != std::string::npos);
}

TEST_CASE("wrappers: promises keep their properties and their unhandled rejections") {
  const Language l{"node", "promises.mjs"};
  const Folder folder;
  const auto ran = run_process(under_hebb(folder, {"--json"}, command(l)));
  CHECK(ran.out == "child number \nsame true 1 1\nunhandled nobody minds\n");
  CHECK(ran.out == plain_output(folder, l));
  const Json said = Json::parse(ran.err);
  CHECK(said["succeeded"] == 2);
  CHECK(said["failed"] == 2);
}

TEST_CASE("wrappers: a generator is not reported as a success before it has run") {
  const Language l =
      GENERATE(Language{"node", "generators.mjs"}, Language{"python3", "generators.py"});
  CAPTURE(l.interpreter);
  const Folder folder;
  const auto ran = run_process(under_hebb(folder, {"--json"}, command(l)));
  CHECK(ran.out == "1\nlate\n2\nlater\n");
  CHECK(Json::parse(ran.err)["calls"] == 0);
}

TEST_CASE("wrappers: a Node.js program goes on when nobody reads its traces, until it prints") {
  Words words = {"bash", "-c", "exec > >(true); wait $!; exec \"$@\"", "bash"};
  for (const std::string& word : command({"node", "unread.mjs"})) words.push_back(word);
  const auto ran = run_process(words);
  CHECK(ran.exit_code == 1);
  CHECK(ran.err.starts_with("alive\n"));
  CHECK(ran.err.find("EPIPE") != std::string::npos);
  CHECK(ran.err.find("still alive") == std::string::npos);
}
