// The program, a database of its own, and JSON of what it prints.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace hebb::test {

class Hebb {
 public:
  // {"rank", "--limit", "1"}; --now is set, and --db unless it comes first.
  ProcessResult run(const std::vector<std::string>& args, const std::string& in = "") const {
    std::vector<std::string> all{HEBB_BINARY, "--now", now};
    if (args.empty() || !args.front().starts_with("--db")) all.insert(all.end(), {"--db", db()});
    all.insert(all.end(), args.begin(), args.end());
    ProcessOptions options;
    options.in = in;
    options.folder = folder_.path();
    if (!url.empty()) options.env = {{"XDG_CACHE_HOME", folder_.file("cache")}};
    return run_process(all, options);
  }
  nlohmann::json json(std::vector<std::string> args, const std::string& in = "") const {
    args.push_back("--json");
    return nlohmann::json::parse(run(args, in).out);
  }
  std::string db() const { return url.empty() ? folder_.file("hebb.db") : url; }
  std::string file(const std::string& name) const { return folder_.file(name); }

  // A few tasks, labels, outcomes, dead letters.
  void fill() const {
    run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
    run({"ingest", HEBB_SOURCE_DIR "/tests/golden/files/bad.ndjson"});
  }

  std::string now = "1767571200000";
  std::string url;  // of a ledger on a server, in place of a file

 private:
  Folder folder_;
};

// Without their ends.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace hebb::test
