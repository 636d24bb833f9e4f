// One question over several ledgers of a server.
#include <string>

#include <nlohmann/json.hpp>

#include "tests/postgres/machines.h"
#include "tests/support/folder.h"

using namespace hebb;
using namespace hebb::test;
using Json = nlohmann::json;

namespace {

std::string tasks(const std::string& project, int first_priority) {
  std::string lines;
  for (int i = 0; i < 6; ++i) {
    lines += Json{{"kind", "node"},
                  {"id", project + std::to_string(i)},
                  {"type", "TASK"},
                  {"state", "OPEN"},
                  {"priority", (first_priority + i) % 5},
                  {"at", "2026-01-0" + std::to_string(i + 1) + "T00:00:00Z"}}
                 .dump() +
             "\n";
  }
  return lines;
}

Json ids(const Json& answer) {
  Json all = Json::array();
  for (const Json& row : answer.at("tasks")) all.push_back(row.at("id"));
  return all;
}

}  // namespace

TEST_CASE("several ledgers of a server are ranked as several files are") {
  const Folder dir;
  const std::string web = new_ledger(), shop = new_ledger();
  const std::vector<std::string> files{dir.file("web.db"), dir.file("shop.db")}, urls{web, shop};
  const ProcessOptions there{
      .in = "", .env = {{"XDG_CACHE_HOME", dir.file("cache")}}, .folder = ""};
  const auto ask = [&](const std::vector<std::string>& databases, std::vector<std::string> words) {
    std::vector<std::string> args{HEBB_BINARY};
    for (const auto& database : databases) args.insert(args.end(), {"--db", database});
    args.insert(args.end(), {"--now", "2026-02-01T00:00:00Z"});
    args.insert(args.end(), words.begin(), words.end());
    const auto result = run_process(args, there);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  };
  for (const auto& databases : {files, urls}) {
    for (std::size_t i = 0; i < 2; ++i) {
      write_text(dir.file("tasks.jsonl"), tasks(i == 0 ? "web" : "shop", i == 0 ? 0 : 2));
      ask({databases[i]}, {"import", dir.file("tasks.jsonl")});
      ask({databases[i]}, {"recalibrate"});
    }
  }
  const Json of_files = Json::parse(ask(files, {"rank", "--limit", "20", "--json"}));
  const Json of_urls = Json::parse(ask(urls, {"rank", "--limit", "20", "--json"}));
  CHECK(ids(of_files).size() == 12);
  CHECK(ids(of_urls) == ids(of_files));
}
