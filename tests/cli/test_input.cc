// Input on the command line: its limits, and what becomes of what is beyond them.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/cli/hebb.h"

using hebb::test::Hebb;

namespace {

std::string outcomes(int n) {
  std::string lines;
  for (int i = 0; i < n; ++i) {
    lines += fmt::format(R"({{"id":"more-{}","taskId":"task-1","outcome":"failure"}})", i) + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("a file or a pipe that is longer than it may be is not taken, and nothing is lost") {
  const Hebb hebb;
  hebb.fill();
  const auto events = hebb.json({"stats"})["events"].get<int>();
  const std::string many = outcomes(1000);
  hebb::test::write_text(hebb.file("few.ndjson"), outcomes(3));
  hebb::test::write_text(hebb.file("many.ndjson"), many);
  for (const std::string name : {"many.ndjson", "-"}) {
    const auto r = hebb.run({"ingest", "--max-size", "10KiB", "few.ndjson", name}, many);
    CHECK(r.exit_code == 65);
    CHECK(r.err.find("this is longer than 10 KiB; --max-size") !=
          std::string::npos);
    CHECK(r.err.find(name == "-" ? "(stdin): " : "many.ndjson: ") != std::string::npos);
    CHECK(hebb.json({"stats"})["events"] == events + 3);  // the file before it stays
  }
  CHECK(hebb.run({"ingest", "--max-size", "1MB", "-"}, many).exit_code == 0);
  CHECK(hebb.json({"stats"})["events"] == events + 1000);
  CHECK(hebb.run({"ingest", "--max-size", "0", "-"}, many).exit_code == 2);
  CHECK(hebb.run({"import", "--max-size", "lots", "-"}, many).exit_code == 2);
}

TEST_CASE("input without an end is given up") {
  const Hebb hebb;
  hebb.fill();
  hebb::test::ProcessOptions options;
  options.env = {{"HEBB", HEBB_BINARY}, {"HEBB_DB", hebb.db()}};
  const std::vector<std::pair<std::string, std::string>> all{
      {R"(yes '{"taskId":"task-1","outcome":"failure"}')", "longer than 2 MiB"},
      {"tr '\\0' x < /dev/zero", "not JSON, XML or NDJSON"}};
  for (const auto& [endless, why] : all) {
    const auto r = hebb::test::run_process(
        {"/bin/sh", "-c", endless + " | \"$HEBB\" ingest --max-size 2MiB -"}, options);
    CHECK(r.exit_code == 65);
    CHECK(r.err.find(why) != std::string::npos);
  }
  const auto r = hebb::test::run_process(
      {"/bin/sh", "-c", "yes 'prior = 1' | \"$HEBB\" policy set --file -"}, options);
  CHECK(r.exit_code == 65);
  CHECK(r.err.find("longer than 16 MiB") != std::string::npos);
}

TEST_CASE("two files of the same text without ids count each, and each time that they are read") {
  const Hebb hebb;
  hebb.fill();
  const std::string a = hebb.file("a"), b = hebb.file("b"), large = hebb.file("large");
  for (const std::string& file : {a, b})
    hebb::test::write_text(file, R"({"taskId":"task-1","outcome":"failure"})");
  hebb::test::write_text(large, std::string(200, ' '));
  const auto before = hebb.json({"stats"})["events"].get<int>();
  const auto taken = [&] { return hebb.json({"stats"})["events"].get<int>() - before; };
  CHECK(hebb.run({"ingest", a, b}).exit_code == 0);
  CHECK(taken() == 2);
  CHECK(hebb.run({"ingest", a}).exit_code == 0);
  CHECK(taken() == 3);
  // What was taken before a later file fails is there.
  CHECK(hebb.run({"ingest", "--max-size", "100", a, large}).exit_code == 65);
  CHECK(taken() == 4);
}

TEST_CASE("a line that is too long is kept in part, and says so when it is tried again") {
  const Hebb hebb;
  hebb.fill();
  const std::string line = "{\"taskId\":\"" + std::string(2 << 20, 'x') + "\"}";
  CHECK(hebb.run({"ingest", "-"}, line + "\n" + outcomes(1)).exit_code == 3);
  const auto letter = hebb.json({"dead-letters", "list"})["dead_letters"].back();
  CHECK(letter["reason"] == "too_long");
  CHECK(letter["text"].get<std::string>() == line.substr(0, 64 << 10));
  CHECK(letter["bytes"] == line.size());
  CHECK(letter["hash"].get<std::string>().size() == 32);
  const auto r = hebb.run({"dead-letters", "retry", letter["id"].dump()});
  CHECK(r.exit_code == 3);
  CHECK(r.err.find("cannot be retried") != std::string::npos);
}

TEST_CASE("an outcome and a node as long as they may be come back out of an export", "[slow]") {
  const Hebb hebb, other;
  const std::string node =
      R"({"at":1767571100000,"kind":"node","id":"long","type":"TASK","description":")" +
      std::string(1'000'000, 'd') + "\"}";
  const auto made = hebb.run({"import", "-"}, node + "\n");
  INFO(made.err.substr(0, 500));
  REQUIRE(made.exit_code == 0);
  // The longest line that ingest takes; what is put into the ledger is longer.
  std::string line = R"({"taskId":"long","outcome":"failure","note":")";
  line += std::string((1 << 20) - line.size() - 2, 'n') + "\"}";
  REQUIRE(line.size() == 1 << 20);
  CHECK(hebb.run({"ingest", "-"}, line + "\n").exit_code == 0);
  CHECK(hebb.run({"ingest", "-"}, line + " \n").exit_code == 3);
  const auto exported = hebb.run({"export"});
  REQUIRE(exported.exit_code == 0);
  const auto taken = other.run({"import", "-"}, exported.out);
  INFO(taken.err.substr(0, 500));
  CHECK(taken.exit_code == 0);
  CHECK(other.run({"export"}).out == exported.out);
}
