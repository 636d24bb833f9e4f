// Text from others cannot control the terminal, hide in it, or forge a line: every command is run
// on a pseudo-terminal, with hostile ids, names, file names, arguments and tool names.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "sql/database.h"
#include "tests/cli/all_commands.h"
#include "tests/support/terminal.h"

using hebb::test::all_commands;
using hebb::test::Args;
using hebb::test::Call;
using hebb::test::calls;
using hebb::test::Hebb;
using hebb::test::name_of;
using hebb::test::words_of;
using nlohmann::json;

namespace {

// What an id may hold, and what a text may.
const std::string kInId = "\\u001b[1m\u202e\u200b\U000e0041";
const std::string kInText = "\x1b[31m\x1b]0;title\x07\u009b1m\u0085\x7f\u202e\ufeff\r\n" +
                            std::string("FORGED: hebb is content\r\x1b[2K\\u001b[1m");
const std::string kInPath = "\x1b[31m\x9b\u009b1m\xff\u202e\x07\nFORGED";
const std::string kInArgument = kInText + "\x9b\xff";

const std::vector<std::string> kForbidden = {"\u202e", "\u200b", "\u2028", "\ufeff", "\U000e0041"};

// Removes the escape sequences that hebb itself prints: bold headings, and the progress bar's.
std::string without_ours(const std::string& out) {
  static const std::regex heading("\x1b\\[1m([A-Za-z0-9@% _]*)\x1b\\[m\n");
  static const std::regex erase("\r\x1b\\[K");
  return std::regex_replace(std::regex_replace(out, heading, "$1\n"), erase, "");
}

// Checks that there is no other invisible character and no forged line.
void check_clean(const std::string& out) {
  const std::string rest = without_ours(out);
  INFO(json(rest).dump(-1, ' ', true, json::error_handler_t::replace));
  CHECK_NOTHROW(json(rest).dump());  // valid UTF-8
  CHECK(std::all_of(rest.begin(), rest.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 ? c != 0x7f : c == '\n' || c == '\t';
  }));
  for (std::size_t i = 0; (i = rest.find('\xc2', i)) != std::string::npos; ++i) {
    CHECK(static_cast<unsigned char>(rest[i + 1]) >= 0xa0);  // U+0080 to U+009F
  }
  for (const auto& hidden : kForbidden) CHECK(rest.find(hidden) == std::string::npos);
  CHECK(("\n" + rest).find("\nFORGED") == std::string::npos);
}

bool is_id(const std::string& text) {
  static const std::regex id("(task|epic)-\\d|bug|docs|fs:read");
  return std::regex_match(text, id);
}

std::string hostile(const std::string& text) { return is_id(text) ? text + kInId : text; }

// The same events, with hostile ids and texts.
json made_hostile(const json& value) {
  if (value.is_string()) return hostile(value.get<std::string>());
  json out = value;
  for (auto it = out.begin(); value.is_structured() && it != out.end(); ++it) {
    *it = made_hostile(*it);
  }
  if (!out.is_object()) return out;
  for (const char* key : {"name", "description"}) {
    if (out.contains(key)) out[key] = out[key].get<std::string>() + kInText;
  }
  if (out.value("kind", "") == "node") {
    out["project"] = out["scope"] = kInText;
    out["properties"] = {{kInText, kInText}};
  }
  return out;
}

std::string hostile_lines(const std::string& ndjson) {
  std::istringstream in(ndjson);
  std::string out;
  for (std::string line; std::getline(in, line);)
    out += made_hostile(json::parse(line)).dump() + "\n";
  return out;
}

// A folder, a database and files with hostile names; hebb, on a terminal or not.
class HostileWorld {
 public:
  HostileWorld() : folder_(outer_.file("d" + kInPath)) {
    std::filesystem::create_directory(folder_);
    for (const char* file : {"world.jsonl", "done.jsonl", "bad.ndjson"}) {
      const std::string text =
          hebb::test::read_text(std::string(HEBB_SOURCE_DIR "/tests/golden/files/") + file);
      hebb::test::write_text(path(file), file[0] == 'w' ? hostile_lines(text) : text + kInText);
    }
  }

  std::string path(const std::string& name) const { return folder_ + "/" + kInPath + name; }

  // Files by their names, ids as they are called here; all else as it is.
  std::string argument(const std::string& text) const {
    if (text.find('.') != std::string::npos && text.find('=') == std::string::npos) {
      return path(text.substr(text.rfind('/') + 1));
    }
    return hostile(text);
  }

  hebb::test::ProcessResult on_terminal(const Args& args, const std::string& in = "") const {
    return hebb::test::run_on_terminal(all(args), options(in));
  }
  hebb::test::ProcessResult piped(const Args& args, const std::string& in = "") const {
    return hebb::test::run_process(all(args), options(in));
  }

  // Calls that a client made of tools with hostile names.
  void add_actions() const {
    hebb::sql::Database db(path("hebb.db"), hebb::sql::Database::Mode::read_write);
    std::string text = kInText;
    std::replace(text.begin(), text.end(), '\'', '"');
    db.exec(
        "INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, "
        "args_bytes, result, result_bytes, success, failure, duration_ms, app_name, "
        "trace_parent, read_only) VALUES ('action-1', 'a" +
        text + "', 's" + text + "', 'q" + text + "', 1767567601000, 'browser_click" + text +
        "', '{\"x\":\"\\u001b[1m\"}', 16, "
        "'{\"content\":[]}', 14, 1, NULL, 40, 'app" +
        text + "', NULL, 0)");
  }

 private:
  Args all(const Args& args) const {
    Args whole{HEBB_BINARY, "--now", "1767571200000"};
    if (args.front() != "--db") whole.insert(whole.end(), {"--db", path("hebb.db")});
    whole.insert(whole.end(), args.begin(), args.end());
    return whole;
  }
  hebb::test::ProcessOptions options(const std::string& in) const {
    hebb::test::ProcessOptions o;
    o.in = in;
    o.folder = outer_.path();
    o.env = {{"NO_COLOR", ""}, {"COLUMNS", ""}};
    return o;
  }

  hebb::test::Folder outer_;
  std::string folder_;
};

Args arguments(const HostileWorld& world, const Call& call) {
  Args args = words_of(call.command);
  for (const auto& a : call.arguments) args.push_back(world.argument(a));
  return args;
}

}  // namespace

TEST_CASE("the check of a terminal's output sees what is not ours") {
  CHECK(without_ours("\x1b[1mrank  id\x1b[m\n\r\x1b[K") == "rank  id\n");
  CHECK(without_ours("\x1b[31mred") == "\x1b[31mred");
  CHECK(without_ours("\x1b[1mtask\x1b[7m\x1b[m\n").find('\x1b') != std::string::npos);
}

TEST_CASE("every command on a terminal shows hostile ids, texts and paths, and obeys none") {
  const HostileWorld world;
  REQUIRE(world.on_terminal({"import", world.path("world.jsonl")}).exit_code == 0);
  check_clean(world.on_terminal({"ingest", world.path("bad.ndjson")}).out);
  world.add_actions();
  std::size_t seen = 0;
  for (const auto& call : calls()) {
    const Args args = arguments(world, call);
    INFO(call.command);
    const auto r = world.on_terminal(args, call.in.empty() ? "" : hostile_lines(call.in));
    check_clean(r.out);
    CHECK(r.exit_code == call.exit_code);
    seen += r.out.find("\\u202e") != std::string::npos;
  }
  CHECK(seen > 20);  // hostile text was there to be shown
}

TEST_CASE("JSON has the original text, on a terminal as in a pipe") {
  const HostileWorld world;
  REQUIRE(world.piped({"import", world.path("world.jsonl")}).exit_code == 0);
  world.piped({"ingest", world.path("bad.ndjson")});
  world.add_actions();
  const std::vector<std::string> kReaders = {"rank",     "explain", "neighbors",
                                             "topology", "search",  "dead-letters list",
                                             "stats",    "undo",    "actions sequences"};
  for (const auto& call : calls()) {
    if (std::find(kReaders.begin(), kReaders.end(), call.command) == kReaders.end()) continue;
    Args args = call.command == "undo" ? Args{"undo"} : arguments(world, call);
    args.insert(args.end(), {"-q", "--json"});
    INFO(call.command);
    const auto shown = world.on_terminal(args), piped = world.piped(args);
    check_clean(shown.out);
    REQUIRE(json::accept(shown.out));
    if (call.command != "search") CHECK(shown.out == piped.out);  // which counts as recall
  }
  const auto node = json::parse(
      world.on_terminal({"-q", "--json", "node", "get", hostile("task-1")}).out)["node"];
  CHECK(node["id"] == hostile("task-1"));
  CHECK(node["name"] == "Login fails after an update" + kInText);
  CHECK(node["properties"] == json{{kInText, kInText}});
}

TEST_CASE("messages about hostile arguments stay one line each", "[slow]") {
  const HostileWorld world;
  REQUIRE(world.piped({"import", world.path("world.jsonl")}).exit_code == 0);
  const std::string x = kInArgument;
  hebb::test::write_text(world.path("x.toml"), "\x1b[31m = \"" + kInText);
  hebb::test::write_text(world.path("y.toml"), "\"\\u001b[31m\\nFORGED\" = 1\n");
  const std::vector<Args> kWrong = {
      {x},
      {"--" + x},
      {"-" + x},
      {"--now", x, "rank"},
      {"rank", x},
      {"rank", "--" + x},
      {"rank", "--limit", x},
      {"rank", "--format", x},
      {"rank", "--near", x},
      {"rank", "--label", x},
      {"rank", "--vector", x},
      {"rank", "--near", "y", "--embedder", "openai:http://127.0.0.1:1/" + x},
      {"rank", "--near", "y", "--embedder", x},
      {"explain", x},
      {"explain", x, x, x},
      {"node", x},
      {"node", "get", x},
      {"node", "delete", x},
      {"node", "set", x, "--type", "TASK"},
      {"node", "set", "t", "--type", x},
      {"node", "set", "t", "--type", "TASK", "--properties", x},
      {"link", x, x, x},
      {"link", hostile("task-1"), hostile("task-2"), x},
      {"unlink", x, x, x},
      {"pivot", x},
      {"neighbors", x},
      {"topology", x},
      {"path", x, x},
      {"search", x},
      {"promoted", "--recalled-within", x},
      {"policy", "show", x},
      {"policy", "set", x},
      {"policy", "set", x + "=1"},
      {"policy", "set", "top_k=" + x},
      {"policy", "load", x},
      {"policy", "load", world.path("x.toml")},
      {"policy", "load", world.path("y.toml")},
      {"export", "/dev/null/" + x},
      {"import", x},
      {"import", world.path("x.toml")},
      {"ingest", x},
      {"ingest", "--format", "junit", "--task", x, world.path("x.toml")},
      {"ingest", "--format", x, "-"},
      {"undo", x},
      {"gc", "--older-than", x},
      {"dead-letters", "drop", x},
      {"backup", "/dev/null/" + x},
      {"backtest", x},
      {"backtest", world.path("x.toml")},
      {"backtest", world.path("world.jsonl"), "--set", x + "=1"},
      {"tools", "suggest", x},
      {"actions", "sequences", "--since", x},
      {"actions", "export", "--format", x},
      {"actions", "prune", "--older-than", x},
      {"trace", "--", x},
      {"record", "--", x},
      {"completions", x},
      {"--db", world.path("none/" + x), "rank"},
      {"--db", world.path("none/" + x), "init"},
      {"--db", world.path("x.toml"), "rank"},
  };
  for (const Args& args : kWrong) {
    INFO(json(args).dump(-1, ' ', true, json::error_handler_t::replace));
    const auto r = world.on_terminal(args);
    check_clean(r.out);
    CHECK(r.exit_code != 139);
    const auto piped = world.piped(args);
    check_clean(piped.out + piped.err);  // a message is the same in a log
    std::istringstream lines(piped.err);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.find("FORGED") != 0);
    }
  }
}

TEST_CASE("help, version, completions and the man page come clean", "[slow]") {
  const HostileWorld world;
  check_clean(world.on_terminal({"--version"}).out);
  check_clean(world.on_terminal({"--help"}).out);
  for (Args args : all_commands(Hebb())) {
    args.push_back("--help");
    INFO(name_of(args));
    const auto r = world.on_terminal(args);
    check_clean(r.out);
    CHECK(r.exit_code == 0);
  }
}

TEST_CASE("a progress bar shows a hostile file name within one line") {
  const HostileWorld world;
  std::string lines;
  for (int i = 0; i < 5000; ++i) {
    lines += json{{"kind", "node"},
                  {"at", 1767225600000 + i},
                  {"id", "n" + std::to_string(i)},
                  {"type", "TASK"}}
                 .dump() +
             "\n";
  }
  hebb::test::write_text(world.path("many.jsonl"), lines);
  const auto r = world.on_terminal({"import", world.path("many.jsonl")});
  check_clean(r.out);
  REQUIRE(r.exit_code == 0);
  const auto bar = r.out.find("] ");
  REQUIRE(bar != std::string::npos);
  const auto begin = r.out.rfind("\x1b[K", bar), end = r.out.find("\r", bar);
  REQUIRE(begin != std::string::npos);
  CHECK(end - begin <= std::string("\x1b[K…").size() + 79);  // of 80 columns
  CHECK(r.out.find("\r\x1b[K\n") == std::string::npos);
}

TEST_CASE("a pipe gets data as it is, and lines as a terminal shows them") {
  const HostileWorld world;
  REQUIRE(world.piped({"import", world.path("world.jsonl")}).exit_code == 0);
  const auto ids = world.piped({"rank", "-q", "--limit", "9", "--format", "ids"});
  CHECK(("\n" + ids.out).find("\n" + hostile("task-1") + "\n") != std::string::npos);
  const auto slurm = world.piped({"rank", "-q", "--limit", "9", "--format", "slurm"});
  CHECK(("\n" + slurm.out).find("\n" + hostile("task-1") + "\t") != std::string::npos);
  check_clean(world.piped({"rank", "--limit", "9"}).out);
  check_clean(world.piped({"node", "get", hostile("task-1")}).out);
}
