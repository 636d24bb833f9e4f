// rank: how many tasks it shows where nobody says, and what it says of the others.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/cli/hebb.h"

namespace hebb::test {

namespace {

// 45 tasks, every third with the label `third`.
void fill_with_tasks(const Hebb& hebb) {
  std::string log;
  for (int i = 1; i <= 45; ++i) {
    log +=
        fmt::format(
            R"({{"at":17675711{:02}000,"kind":"node","id":"t{}","type":"TASK","name":"Task {}"}})",
            i, i, i) +
        "\n";
    if (i % 3 == 0) {
      log +=
          fmt::format(
              R"({{"at":1767571199000,"kind":"edge","source":"t{}","target":"third","type":"LABELED_AS"}})",
              i) +
          "\n";
    }
  }
  const auto r =
      hebb.run({"import", "-"}, R"({"at":1767571000000,"kind":"node","id":"third","type":"LABEL"})"
                                "\n" +
                                    log);
  INFO(r.err);
  REQUIRE(r.exit_code == 0);
}

}  // namespace

TEST_CASE("rank shows ten tasks, and says how many more there are") {
  const Hebb hebb;
  fill_with_tasks(hebb);
  const auto total = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "rank");
    const auto json = hebb.json(args);
    CHECK(json["tasks"].size() <= json["total"].get<std::size_t>());
    return json["total"].get<int>();
  };
  const auto r = hebb.run({"rank"});
  CHECK(lines_of(r.out).size() == 1 + 10);
  CHECK(r.err.find("35 more; --limit 45 shows all") != std::string::npos);
  CHECK(hebb.run({"rank", "--limit", "45"}).err.find("more") == std::string::npos);
  const auto ids = hebb.run({"rank", "--format", "ids"});
  CHECK(lines_of(ids.out).size() == 45);
  CHECK(ids.err.empty());
  CHECK(lines_of(hebb.run({"rank", "--format", "ids", "--limit", "3"}).out).size() == 3);
  CHECK(total({}) == 45);
  CHECK(total({"--limit", "1"}) == 45);
  CHECK(total({"--offset", "40"}) == 45);
  CHECK(total({"--offset", "100"}) == 45);
  CHECK(total({"--label", "third"}) == 15);
  CHECK(total({"--near", "Task 7"}) == 45);
  CHECK(total({"--as-of", "2026-01-05T00:00:00Z", "--label", "third", "--limit", "2"}) == 15);
  CHECK(total({"--state", "CLOSED"}) == 0);

  // Whatever the tables keep of it.
  const auto by_the_clock = [&](std::vector<std::string> args) {
    std::vector<std::string> all{HEBB_BINARY, "--db", hebb.db(), "rank", "--json"};
    all.insert(all.end(), args.begin(), args.end());
    return nlohmann::json::parse(run_process(all).out);
  };
  for (const char* kept : {"1000", "12", "5", "0"}) {
    INFO(kept);
    REQUIRE(hebb.run({"policy", "set", std::string("mirrored=") + kept}).exit_code == 0);
    CHECK(by_the_clock({})["tasks"].size() == 10);
    CHECK(by_the_clock({})["total"] == 45);
    CHECK(by_the_clock({"--limit", "100"})["total"] == 45);
    CHECK(by_the_clock({"--label", "third", "--limit", "2"})["total"] == 15);
  }
}

TEST_CASE("rank says how many tasks it leaves out because agents work on them") {
  const Hebb hebb;
  fill_with_tasks(hebb);
  const auto hebb_now = [&](std::vector<std::string> args) {
    std::vector<std::string> all{HEBB_BINARY, "--db", hebb.db()};
    all.insert(all.end(), args.begin(), args.end());
    return run_process(all);
  };
  const auto ask = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"rank", "--json"});
    const auto json = nlohmann::json::parse(hebb_now(args).out);
    return std::pair(json["total"].get<int>(), json["claimed"].get<int>());
  };
  using Counts = std::pair<int, int>;
  const std::string left_out = "left out, since agents work on ";
  CHECK(ask({}) == Counts(45, 0));
  CHECK(hebb_now({"rank"}).err.find(left_out) == std::string::npos);
  CHECK(hebb_now({"next", "--claim", "--agent", "ann"}).exit_code == 0);
  CHECK(hebb_now({"rank"}).err.find("1 task is " + left_out + "it; --claimed") !=
        std::string::npos);
  CHECK(hebb_now({"next", "--claim", "--agent", "ann", "--limit", "2"}).exit_code == 0);
  const auto r = hebb_now({"rank"});
  CHECK(lines_of(r.out).size() == 1 + 10);
  CHECK(r.err.find("3 tasks are " + left_out + "them; --claimed") != std::string::npos);
  CHECK(hebb_now({"rank", "--claimed"}).err.find(left_out) == std::string::npos);

  const std::string first =
      nlohmann::json::parse(hebb_now({"rank", "--json", "--claimed"}).out)["tasks"][0]["id"];
  write_text(hebb.file("among"), first + "\n");
  for (const char* kept : {"1000", "12", "5", "0"}) {
    INFO(kept);
    REQUIRE(hebb.run({"policy", "set", std::string("mirrored=") + kept}).exit_code == 0);
    CHECK(ask({}) == Counts(42, 3));
    CHECK(ask({"--limit", "100"}) == Counts(42, 3));
    CHECK(ask({"--limit", "100", "--offset", "40"}) == Counts(42, 3));
    CHECK(ask({"--claimed"}) == Counts(45, 0));
    CHECK(ask({"--project", "elsewhere"}) == Counts(0, 0));
    CHECK(ask({"--among", hebb.file("among")}) == Counts(0, 1));
    CHECK(ask({"--as-of", "2026-01-05T00:00:00Z"}).second == 0);
  }
  // Where nothing else is there to be done.
  CHECK(hebb_now({"next", "--claim", "--agent", "bob", "--limit", "42"}).exit_code == 0);
  const auto none = hebb_now({"rank"});
  CHECK(none.out.empty());
  CHECK(none.err.find("45 tasks are " + left_out) != std::string::npos);
  CHECK(hebb_now({"-q", "rank"}).err.empty());
}

TEST_CASE("an agent is shown ten tasks as well, and how many there are") {
  const Hebb hebb;
  fill_with_tasks(hebb);
  const auto r = hebb.run(
      {"mcp", "--tools", "all"},
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rank","arguments":{}}})"
      "\n");
  const auto result = nlohmann::json::parse(r.out)["result"]["structuredContent"];
  CHECK(result["tasks"].size() == 10);
  CHECK(result["total"] == 45);
}

TEST_CASE("without --now the clock says what is snoozed and what is late") {
  const Hebb hebb;
  const auto by_the_clock = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {HEBB_BINARY, "--db", hebb.db()});
    return run_process(args).out;
  };
  const auto r = hebb.run(
      {"import", "-"},
      R"({"at":1767571100000,"kind":"node","id":"back","type":"TASK","snoozed_until":1767571200000})"
      "\n"
      R"({"at":1767571100000,"kind":"node","id":"late","type":"TASK","due_at":1767571200000})"
      "\n");
  INFO(r.err);
  REQUIRE(r.exit_code == 0);
  CHECK(lines_of(by_the_clock({"rank", "--format", "ids"})).size() == 2);
  CHECK(by_the_clock({"rank"}).find("late by") != std::string::npos);
  CHECK(by_the_clock({"list"}).find("snoozed") == std::string::npos);
  CHECK(by_the_clock({"next", "--claim", "--agent", "ann", "--limit", "2"}).find("back") !=
        std::string::npos);
}

}  // namespace hebb::test
