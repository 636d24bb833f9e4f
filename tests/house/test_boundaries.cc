// The rooms, and which may include which. Dependencies go one way.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/house/sources.h"

using hebb::test::all_rooms;
using hebb::test::library_rooms;
using hebb::test::own_includes;
using hebb::test::Source;
using hebb::test::sources;

namespace {

const std::map<std::string, std::set<std::string>> kMayInclude{
    {"graph", {"graph"}},
    {"secrets", {"secrets"}},
    {"reward", {"reward", "graph"}},
    {"sql", {"sql"}},
    {"engine", {"secrets", "engine", "reward", "graph", "sql"}},
    {"recall", {"secrets", "recall", "engine", "reward", "graph", "sql"}},
    {"capture", {"secrets", "capture", "engine", "reward", "graph", "sql"}},
    {"study", {"study", "engine", "reward", "graph"}},
    {"skill", {"secrets", "skill", "capture", "engine", "reward", "graph", "sql"}},
    {"api",
     {"secrets", "api", "skill", "study", "capture", "recall", "engine", "reward", "graph", "sql"}},
    {"serve", {"secrets", "serve", "api"}},
    {"cli", {"cli", "serve", "api"}},
};

// What a terminal needs of the rooms below: how others' text is made visible on it, and the two
// commands that run a program on its streams. docs/architecture.md says why.
const std::set<std::pair<std::string, std::string>> kForTheTerminal{
    {"cli/output.cc", "engine/visible_text.h"},    {"cli/print.cc", "engine/visible_text.h"},
    {"cli/shortened.cc", "engine/visible_text.h"}, {"cli/record.cc", "capture/record/record.h"},
    {"cli/record.cc", "capture/record/http.h"},    {"cli/trace.cc", "capture/trace/learn.h"},
    {"cli/trace.cc", "capture/trace/run.h"},
};

std::string room_of(const std::string& path) { return path.substr(0, path.find('/')); }

std::vector<std::string> forbidden_includes(const Source& source) {
  std::vector<std::string> out;
  for (const std::string& include : own_includes(source)) {
    if (kMayInclude.at(source.room).contains(room_of(include))) continue;
    if (!kForTheTerminal.contains({source.path, include})) out.push_back(include);
  }
  return out;
}

}  // namespace

TEST_CASE("a room includes only the rooms it may know") {
  int seen = 0;
  for (const auto& [room, allowed] : kMayInclude) {
    for (const Source& source : sources({room})) {
      INFO(source.path);
      CHECK(forbidden_includes(source) == std::vector<std::string>{});
      ++seen;
    }
  }
  CHECK(seen > 20);  // a grep that finds no file finds no fault
}

TEST_CASE("the boundary check sees a breach") {
  const Source breach{
      "graph/x.cc", "graph", {"#include \"graph/graph.h\"", "#include \"sql/database.h\""}};
  CHECK(forbidden_includes(breach) == std::vector<std::string>{"sql/database.h"});
}

TEST_CASE("every exception to the boundaries is still needed") {
  std::set<std::pair<std::string, std::string>> used;
  for (const Source& source : sources({"cli"})) {
    for (const std::string& include : own_includes(source)) {
      if (kForTheTerminal.contains({source.path, include})) used.insert({source.path, include});
    }
  }
  CHECK(used == kForTheTerminal);
}

TEST_CASE("every room of the tree is in the table of rooms") {
  std::set<std::string> known(all_rooms().begin(), all_rooms().end());
  for (const auto& entry : std::filesystem::directory_iterator(HEBB_SOURCE_DIR)) {
    const std::string name = entry.path().filename();
    if (!entry.is_directory() || name.starts_with(".") || name.starts_with("build")) continue;
    if (sources({name}).empty()) continue;
    INFO(name);
    CHECK(known.contains(name));
  }
}

TEST_CASE(
    "the header that people embed includes two of ours, says no SQL, and says what is whole") {
  for (const Source& source : sources({"engine"})) {
    if (source.path != "engine/engine.h") continue;
    CHECK(own_includes(source).size() <= 2);
    std::string text;
    for (const std::string& line : source.lines) text += line + "\n";
    CHECK(text.find("sql::") == std::string::npos);
    CHECK(text.find("\"sql/") == std::string::npos);
    const auto writing = text.find("--- writing"), reading = text.find("--- reading");
    REQUIRE(writing < reading);
    const std::string calls = text.substr(writing, reading - writing);
    const auto count = [&calls](const std::string& words) {
      const std::regex pattern(words);
      return std::distance(std::sregex_iterator(calls.begin(), calls.end(), pattern),
                           std::sregex_iterator());
    };
    CHECK(count("[Aa]ll\\s+(// )?or\\s+(// )?nothing") >= 11);
    return;
  }
  FAIL("there is no engine/engine.h");
}

TEST_CASE("includes are written from the root and exist") {
  namespace fs = std::filesystem;
  for (const Source& source : sources(all_rooms())) {
    for (const std::string& include : own_includes(source)) {
      if (include == "sql/queries.h") continue;  // generated
      INFO(source.path << " includes " << include);
      CHECK(fs::exists(fs::path(HEBB_SOURCE_DIR) / include));
    }
  }
}

TEST_CASE("the Boost.Graph model is included only where it is implemented and tested") {
  for (const Source& source : sources(all_rooms())) {
    if (source.room == "tests" || source.path == "graph/algorithms.cc") continue;
    for (const std::string& include : own_includes(source)) {
      INFO(source.path);
      CHECK(include != "graph/bgl.h");
    }
  }
}

TEST_CASE("SQLite is known only to the sql room and to what reads files beside it") {
  for (const Source& source : sources(all_rooms())) {
    if (source.room == "sql" || source.room == "tests" || source.room == "bench") continue;
    for (const std::string& line : source.lines) {
      INFO(source.path);
      CHECK_FALSE(line.starts_with("#include <sqlite3.h>"));
    }
  }
}

TEST_CASE("only what keeps rows names the database they are kept in") {
  const std::regex named(R"re(\bSqlite[A-Z]|\bsqlite3?_|/sqlite_|\bsqlite3\b)re");
  CHECK(std::regex_search(std::string("std::make_unique<SqliteStorage>(db)"), named));
  CHECK(std::regex_search(std::string("#include \"engine/ledger/sqlite_ledger.h\""), named));
  int allowed = 0;
  for (const Source& source : sources(all_rooms())) {
    if (source.room == "tests" || source.room == "bench" || source.room == "sql") continue;
    bool keeps_rows = source.room == "recall" || source.room == "capture";
    for (const char* folder :
         {"engine/ledger/", "engine/mirror/", "engine/inbox/", "engine/storage/"}) {
      keeps_rows = keeps_rows || source.path.starts_with(folder);
    }
    allowed += keeps_rows;
    if (keeps_rows) continue;
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(std::regex_search(std::string(hebb::test::without_comment(line)), named));
    }
  }
  CHECK(allowed > 20);
}

TEST_CASE("SQL stands in sql/") {
  const std::regex statement(
      R"re("[^"]*\b(SELECT .* FROM|INSERT (OR [A-Z]+ )?INTO|DELETE FROM|UPDATE [a-z_]+ SET|CREATE (TABLE|INDEX|VIEW))\b)re");
  CHECK(std::regex_search(std::string(R"(db.exec("DELETE FROM node");)"), statement));
  for (const Source& source : sources(all_rooms())) {
    if (source.room == "sql" || source.room == "tests" || source.room == "bench" ||
        source.room == "examples") {
      continue;
    }
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(std::regex_search(std::string(hebb::test::without_comment(line)), statement));
    }
  }
}

TEST_CASE("the library never prints, and never ends the process") {
  const std::regex printing(
      R"re(\bstd::(cout|cerr|clog|printf|puts|exit|abort)\b|(^|[^:\w.])(printf|puts|fprintf|perror|exit)\s*\(|\bfmt::print\b|<iostream>)re");
  CHECK(std::regex_search(std::string("std::cout << 1;"), printing));
  CHECK(std::regex_search(std::string("  printf(\"x\");"), printing));
  // Rooms above the engine write to file descriptors that they are given; the engine prints
  // nothing.
  for (const Source& source : sources({"graph", "reward", "sql", "engine"})) {
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(std::regex_search(std::string(hebb::test::without_comment(line)), printing));
    }
  }
}

TEST_CASE("one file writes to the terminal", "[slow]") {
  const std::regex writing(
      R"re(\bstd::(cout|cerr|clog|printf|fprintf|vprintf|puts|fputs|fputc|putchar|fwrite|perror)\b|(^|[^:\w.])(v?f?printf|f?puts|fputc|putchar|fwrite|perror)\s*\(|\bd?printf\s*\(|\bfmt::print|<iostream>|\b(write|writev|send)\s*\(\s*(1|2|STDOUT_FILENO|STDERR_FILENO)\b|\bapp\.exit\s*\(|"/dev/(tty|stdout|stderr))re");
  for (const char* line :
       {"std::cout << 1;", "  printf(\"x\");", "std::fputs(text, stderr);", "#include <iostream>",
        "::write(STDERR_FILENO, a, n);", "write(2, a, n);", "dprintf(2, a);", "fmt::print(a);",
        "app.exit(e);", "std::fwrite(a, 1, n, stdout);"}) {
    INFO(line);
    CHECK(std::regex_search(std::string(line), writing));
  }
  CHECK_FALSE(std::regex_search(std::string("std::snprintf(a, n, b); note(1);"), writing));
  auto rooms = library_rooms();
  rooms.push_back("cli");
  bool found = false;
  for (const Source& source : sources(rooms)) {
    for (const std::string& line : source.lines) {
      const bool writes =
          std::regex_search(std::string(hebb::test::without_comment(line)), writing);
      if (source.path == "cli/output.cc") {
        found = found || writes;
      } else {
        INFO(source.path << ": " << line);
        CHECK_FALSE(writes);
      }
    }
  }
  CHECK(found);
}

TEST_CASE("reward and graph are pure: no clock, no files, no randomness of their own") {
  const std::regex impure(
      R"re(system_clock|steady_clock|\btime\s*\(\s*(nullptr|NULL|0)\s*\)|random_device|std::getenv|<fstream>|<filesystem>|<chrono>)re");
  CHECK(std::regex_search(std::string("std::chrono::system_clock::now()"), impure));
  for (const Source& source : sources({"graph", "reward"})) {
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(std::regex_search(std::string(hebb::test::without_comment(line)), impure));
    }
  }
}
