// Every command works with a ledger on a server as it does with a file.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/cli/all_commands.h"
#include "tests/support/cluster.h"

namespace hebb::test {
namespace {

std::string said(const Hebb& hebb, const Call& call) {
  Args args = words_of(call.command);
  args.insert(args.end(), call.arguments.begin(), call.arguments.end());
  const auto result = hebb.run(args, call.in);
  std::string text =
      std::to_string(result.exit_code) + "\n" + result.out + "\n" + result.err + "\n";
  for (const std::string& place : {hebb.db(), hebb.file("")}) {
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place))
      text.replace(at, place.size(), "DB");
  }
  return text;
}

// What is said of the file, and not of what is in it.
bool is_of_the_file(const Call& call) {
  return call.command == "stats" || call.command == "verify" || call.command == "backup";
}

}  // namespace

TEST_CASE("two machines that take turns say of a ledger on a server what is said of a file",
          "[slow]") {
  Cluster cluster;
  const Hebb file, another;
  Hebb first, second;
  first.url = second.url = cluster.url() + "&behind=0&ledger=a";
  for (const Hebb* hebb : {&file, &another, static_cast<const Hebb*>(&first)}) hebb->fill();
  std::size_t same = 0;
  for (std::size_t i = 0; i < calls().size(); ++i) {
    const Call& call = calls()[i];
    if (call.command == "move" || call.command == "rescue") continue;
    CAPTURE(call.command, call.arguments);
    const std::string wanted = said(file, call), again = said(another, call);
    const std::string got = said(i % 2 == 0 ? first : second, call);
    CHECK(got.substr(0, got.find('\n')) == wanted.substr(0, wanted.find('\n')));
    // Some print what they made up: an id, a time.
    if (wanted != again || is_of_the_file(call)) continue;
    CHECK(got == wanted);
    ++same;
  }
  CHECK(same > 30);
  CHECK(first.run({"verify"}).exit_code == 0);
  CHECK(second.run({"verify"}).exit_code == 0);
}

TEST_CASE("no command prints the password of a URL", "[slow]") {
  const std::string secret = "Gehe1m";
  Cluster cluster({.fsync = false, .password = secret, .own_identifier = false});
  const std::string there = fmt::format("127.0.0.1:{}/postgres?ledger=", cluster.port());
  const Args right{"postgresql://postgres:" + secret + "@" + there + "a",
                   "postgresql://postgres@" + there + "b&password=" + secret};
  const Args wrong{"postgresql://postgres:not" + secret + "@" + there + "a",
                   "host=127.0.0.1 password=" + secret + " dbname=postgres"};
  const Args wrong_too{"postgresql://postgres@" + there + "a&sslmode=x&sslpassword=" + secret,
                       "postgresql://postgres@" + there + "a&password=%" + secret,
                       "postgresql://postgres:" + secret + "/x@" + there + "a",
                       "postgresql://postgres:" + secret + "?x@" + there + "a",
                       "postgresql://postgres:" + secret + "@127.0.0.1",
                       "jdbc:postgresql://postgres:" + secret + "@" + there + "a",
                       "PostgreSQL://postgres:" + secret + "@" + there + "a",
                       "postgresql+psycopg2://postgres:" + secret + "@" + there + "a",
                       " postgresql://postgres:" + secret + "@" + there + "a",
                       "DATABASE_URL=postgresql:/postgres:" + secret + "@" + there + "a",
                       "file:postgresql://postgres:" + secret + "@" + there + "a",
                       "postgresql://postgres@" + there + "a&scram_client_key=" + secret,
                       "postgresql://postgres@" + there + "a;password=" + secret,
                       "password = '" + secret + "'"};
  const auto check = [&](const Hebb& hebb, const Args& args, const std::string& in = "") {
    CAPTURE(args, hebb.url);
    const auto result = hebb.run(args, in);
    CHECK(result.out.find(secret) == std::string::npos);
    CHECK(result.err.find(secret) == std::string::npos);
    return result;
  };
  const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                              R"({"name":"next","arguments":{}}})"
                              "\n";
  const std::vector<Args> others{{"setup", "codex"},
                                 {"setup", "claude", "--write"},
                                 {"setup", "claude", "--json"},
                                 {"setup", "hook"},
                                 {"record", "--", "true"},
                                 {"trace", "--", "true"},
                                 {"rescue", "lost.jsonl"},
                                 {"mcp"},
                                 {"nonsense"}};
  const auto check_all = [&](Hebb& hebb, const std::string& url, bool json) {
    hebb.url = url;
    for (const Call& call : calls()) {
      if (call.command == "move") continue;  // then nothing else would go well
      Args args = words_of(call.command);
      args.insert(args.end(), call.arguments.begin(), call.arguments.end());
      if (json) args.emplace_back("--json");
      check(hebb, args, call.in);
    }
    for (const Args& args : others) check(hebb, args, request);
    check(hebb, {"--db", url, "--db", url, "rank"});
    check(hebb, {"--db", url, "--db", hebb.file("a.db"), "rank"});
    check(hebb, {"--db", hebb.file("a.db"), url, "rank"});
    check(hebb, {"--db", hebb.file("a.db"), "move", "--to", url});
    for (const char* command : {"import", "ingest", "export", "backup", "help"})
      check(hebb, {"--db", hebb.file("a.db"), command, url});
    // What is left to be taken out by hand is shown.
    write_text(hebb.file(".mcp.json"), "{} // hebb\n");
    check(hebb, {"setup", "claude", "--remove"});
    std::filesystem::remove(hebb.file(".mcp.json"));
  };
  for (const std::string& url : right) {
    Hebb hebb;
    hebb.url = url;
    CHECK(check(hebb, {"init"}).exit_code == 0);
    check_all(hebb, url, url == right.front());
    CHECK(check(hebb, {"setup", "claude", "--write"}).err.find("~/.pgpass") != std::string::npos);
    CHECK(read_text(hebb.file(".mcp.json")).find("postgresql://postgres@") != std::string::npos);
    CHECK(read_text(hebb.file(".mcp.json")).find(secret) == std::string::npos);
    CHECK(check(hebb, {"verify"}).exit_code == 0);
    cluster.sql("UPDATE hebb.event SET payload = '{}' WHERE position = 3");
    CHECK(check(hebb, {"verify"}).exit_code == 1);
    CHECK(check(hebb, {"move", "--to", "elsewhere.db"}).exit_code == 0);
    CHECK(check(hebb, {"add", "x"}).exit_code != 0);
  }
  for (const std::string& url : wrong) {
    Hebb hebb;
    check_all(hebb, url, false);
  }
  for (const Args* some : {&wrong, &wrong_too}) {
    for (const std::string& url : *some) {
      Hebb hebb;
      hebb.url = url;
      for (const Args& args : {Args{"stats", "--json"}, {"verify"}, {"serve", "--port", "0"}})
        CHECK(check(hebb, args).exit_code != 0);
      check(hebb, {"setup", "claude"});
    }
  }
  Hebb hebb;
  hebb.url = "postgresql://postgres:" + secret + "@127.0.0.1:1/postgres?ledger=a";
  CHECK(check(hebb, {"verify"}).exit_code == 75);
}

}  // namespace hebb::test
