// The rooms, and which may include which. Dependencies go one way.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
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

using Names = std::set<std::string>;
using Pairs = std::set<std::pair<std::string, std::string>>;

// tests/house/rooms.txt
struct Rooms {
  std::vector<std::string> in_order;
  std::map<std::string, Names> may_include;
  Pairs exceptions;
};

const Rooms& rooms() {
  static const Rooms read = [] {
    Rooms rooms;
    std::ifstream file(HEBB_SOURCE_DIR "/tests/house/rooms.txt");
    for (std::string line, first, word; std::getline(file, line);) {
      if (line.empty() || line.starts_with('#')) continue;
      std::istringstream words(line);
      words >> first;
      if (!first.ends_with(':')) {
        words >> word >> word;
        rooms.exceptions.insert({first, word});
        continue;
      }
      first.pop_back();
      rooms.in_order.push_back(first);
      for (Names& names = rooms.may_include[first]; words >> word;) names.insert(word);
    }
    return rooms;
  }();
  return read;
}

std::string top_of(const std::string& path) { return path.substr(0, path.find('/')); }

// "engine/fold" for a file of a room within a room, else its first folder.
std::string room_of(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  return rooms().may_include.contains(folder) ? folder : top_of(path);
}

bool may_include(const std::string& room, const std::string& header) {
  const std::string other = room_of(header);
  const Names& allowed = rooms().may_include.at(room);
  return other == room || allowed.contains(other) ||
         (top_of(other) != top_of(room) && allowed.contains(top_of(other)));
}

std::vector<std::string> forbidden_includes(const Source& source) {
  std::vector<std::string> out;
  for (const std::string& include : own_includes(source)) {
    if (may_include(room_of(source.path), include)) continue;
    if (!rooms().exceptions.contains({source.path, include})) out.push_back(include);
  }
  return out;
}

std::vector<Source> sources_of_rooms() {
  Names tops;
  for (const std::string& room : rooms().in_order) tops.insert(top_of(room));
  return sources({tops.begin(), tops.end()});
}

}  // namespace

TEST_CASE("a room includes only the rooms it may know") {
  const auto all = sources_of_rooms();
  CHECK(all.size() > 300);  // a grep that finds no file finds no fault
  for (const Source& source : all) {
    INFO(source.path);
    CHECK(forbidden_includes(source) == std::vector<std::string>{});
  }
}

TEST_CASE("the boundary check sees a breach") {
  const auto found = [](const std::string& path, const std::string& header) {
    return forbidden_includes({path, "", {"#include \"" + header + "\""}}).size() == 1;
  };
  CHECK(found("graph/x.cc", "sql/database.h"));
  CHECK_FALSE(found("graph/x.cc", "graph/graph.h"));
  CHECK(found("engine/ledger/x.cc", "engine/engine.h"));
  CHECK(found("engine/ledger/x.cc", "engine/fold/state.h"));
  CHECK_FALSE(found("engine/fold/x.cc", "engine/ledger/event.h"));
  CHECK_FALSE(found("engine/recall/x.cc", "engine/ledger/event.h"));
  CHECK(found("engine/recall/x.cc", "capture/net/peer.h"));
}

TEST_CASE("arrows between rooms point one way, and a folder of engine/ is a room") {
  Names above;
  for (const std::string& room : rooms().in_order) {
    INFO(room);
    for (const std::string& other : rooms().may_include.at(room)) {
      INFO(other);
      CHECK(above.contains(other));
    }
    above.insert(room);
  }
  for (const Source& source : sources({"engine"})) {
    INFO(source.path);
    CHECK(rooms().may_include.contains(source.path.substr(0, source.path.rfind('/'))));
  }
}

TEST_CASE("every arrow and every exception is needed") {
  Pairs arrows, exceptions, needed;
  for (const auto& [room, others] : rooms().may_include)
    for (const std::string& other : others) arrows.insert({room, other});
  for (const Source& source : sources_of_rooms()) {
    const std::string room = room_of(source.path);
    for (const std::string& include : own_includes(source)) {
      const std::string other = room_of(include);
      const bool named = rooms().may_include.at(room).contains(other);
      needed.insert({room, named ? other : top_of(other)});
      if (rooms().exceptions.contains({source.path, include}) && !may_include(room, include))
        exceptions.insert({source.path, include});
    }
  }
  CHECK(exceptions == rooms().exceptions);
  for (const auto& arrow : arrows) {
    INFO(arrow.first << " may include " << arrow.second);
    CHECK(needed.contains(arrow));
  }
}

TEST_CASE("every room is in the table of docs/architecture.md") {
  std::ifstream file(HEBB_SOURCE_DIR "/docs/architecture.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& room : rooms().in_order) {
    INFO(room);
    CHECK(page.find("`" + room + "/") != std::string::npos);
  }
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
      if (include == "sql/queries.h" || include == "sql/server_queries.h") continue;  // generated
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
    bool keeps_rows = source.room == "capture";
    for (const char* folder : {"engine/ledger/", "engine/mirror/", "engine/inbox/",
                               "engine/storage/", "engine/recall/"}) {
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
