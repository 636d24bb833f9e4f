#include "tests/cli/all_commands.h"

#include <sstream>

namespace hebb::test {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

namespace {

// The subcommands that a help text lists.
std::vector<std::string> listed(const std::string& help) {
  std::istringstream in(help);
  std::vector<std::string> names;
  bool within = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("Subcommands:")) {
      within = true;
    } else if (within && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(words_of(line).front());
    } else if (within && line.empty()) {
      break;
    }
  }
  return names;
}

}  // namespace

std::vector<Args> all_commands(const Hebb& hebb, const Args& at) {
  std::vector<std::string> names;
  if (at.empty()) {  // the help of the program has several of them in a line
    for (const auto& line : lines_of(run_process({HEBB_BINARY, "__complete", ""}).out))
      if (!line.starts_with("-")) names.push_back(words_of(line).front());
  } else {
    Args help = at;
    help.push_back("--help");
    names = listed(hebb.run(help).out);
  }
  if (names.empty()) return {at};
  std::vector<Args> all;
  for (const auto& name : names) {
    Args beneath = at;
    beneath.push_back(name);
    const auto deeper = all_commands(hebb, beneath);
    all.insert(all.end(), deeper.begin(), deeper.end());
  }
  return all;
}

std::string name_of(const Args& args) {
  std::string name;
  for (const auto& a : args) name += (name.empty() ? "" : " ") + a;
  return name;
}

const std::vector<Call>& calls() {
  static const std::vector<Call> all = {
      {"init", {}, ""},
      {"import", {HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"}, ""},
      {"ingest", {"-"}, "{\"taskId\":\"task-1\",\"outcome\":\"partial\"}"},
      {"recalibrate", {}, ""},
      {"add", {"Call plumber", "--id", "plumber", "--due", "friday", "--label", "home"}, ""},
      {"edit", {"plumber", "--priority", "1"}, ""},
      {"show", {"plumber"}, ""},
      {"claim take", {"plumber", "--agent", "a"}, ""},
      {"snooze", {"plumber", "2d"}, ""},
      {"pin", {"plumber"}, ""},
      {"unpin", {"plumber"}, ""},
      {"fail", {"plumber", "--because", "on holiday"}, ""},
      {"done", {"plumber"}, ""},
      {"delete", {"plumber"}, ""},
      {"rank", {}, ""},
      {"rank", {"--format", "ids"}, ""},
      {"rank", {"--format", "slurm"}, ""},
      {"rank", {"--format", "k8s"}, ""},
      {"next", {}, ""},
      {"claim list", {}, ""},
      {"outcome", {"task-1", "partial"}, ""},
      {"explain", {"task-1"}, ""},
      {"explain", {"epic-1", "task-1", "PARENT_OF"}, ""},
      {"node set", {"task-6", "--type", "TASK"}, ""},
      {"node get", {"task-6"}, ""},
      {"node delete", {"task-6"}, ""},
      {"link", {"task-1", "task-2", "RELATES_TO"}, ""},
      {"neighbors", {"task-1"}, ""},
      {"path", {"task-1", "task-2"}, ""},
      {"unlink", {"task-1", "task-2", "RELATES_TO"}, ""},
      {"pivot", {"task-1"}, ""},
      {"topology", {}, ""},
      {"topology", {"task-1"}, ""},
      {"topology", {"--facets"}, ""},
      {"search", {"cookie"}, ""},
      {"promoted", {}, ""},
      {"actions sequences", {}, ""},
      {"actions score", {}, ""},
      {"actions scrub", {}, ""},
      {"actions prune", {"--older-than", "14d"}, ""},
      {"node set", {"fs:read", "--type", "TOOL"}, ""},
      {"tools suggest", {"fs:read"}, ""},
      {"skill contract set", {"done", "--text", "Done"}, ""},
      {"skill contract list", {}, ""},
      {"skill record", {"localhost", "form", "--step", "press Save"}, ""},
      {"skill show", {"form"}, ""},
      {"skill recall", {}, ""},
      {"list", {"--state", "any"}, ""},
      {"policy show", {}, ""},
      {"policy set", {"top_k=4"}, ""},
      {"policy set", {"--preset", "tests"}, ""},
      {"policy set", {"--preset", "tests"}, ""},
      {"export", {"history.jsonl"}, ""},
      {"stats", {}, ""},
      {"verify", {}, ""},
      {"rebuild", {}, ""},
      {"undo", {"17"}, ""},
      {"gc", {"--older-than", "1d", "--dry-run"}, ""},
      {"dead-letters list", {}, ""},
      {"dead-letters retry", {"2"}, "", 3},
      {"dead-letters drop", {"2"}, ""},
      {"export", {"history.jsonl"}, ""},
      {"backup", {"copy.db"}, ""},
      {"move", {"--to", "elsewhere.db"}, "", 2},  // a file moves to a server
      {"rescue", {"lost.jsonl"}, "", 2},
      {"backtest", {HEBB_SOURCE_DIR "/tests/golden/files/done.jsonl"}, ""},
      {"completions", {"bash"}, ""},
      {"manpage", {}, ""},
      {"help", {"rank"}, ""},
  };
  return all;
}

}  // namespace hebb::test
