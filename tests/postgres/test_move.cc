// Moving a database to a server and back.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "sql/postgres/move.h"
#include "tests/postgres/machines.h"
#include "tests/support/folder.h"

using namespace hebb;
using namespace hebb::test;

namespace {

// With rows in all tables beside the ledger.
void fill(const std::string& path) {
  Engine engine = open(path, kNoGraphCache);
  ingest(engine, read_text(HEBB_SOURCE_DIR "/examples/tour/tasks.jsonl"), "history");
  ingest(engine, R"({"taskId":"nobody","outcome":"success"})", "outcome");
  engine.recalibrate(kStart + 1'000 * kDay);
  engine.sync();
}

std::string shown(Engine& engine) {
  return dump(engine.state()) + fmt::format("letters {}\n", engine.dead_letters().size());
}

}  // namespace

TEST_CASE("a database moves to a server and back, and is the same") {
  const Folder dir;
  fill(dir.file("a.db"));
  const std::string url = new_ledger();
  const std::string before = [&] {
    Engine engine = open(dir.file("a.db"), kNoGraphCache);
    return shown(engine);
  }();
  const Folder cache;
  const ProcessOptions options{.in = "", .env = {{"XDG_CACHE_HOME", cache.path()}}, .folder = ""};
  const auto hebb = [&](std::vector<std::string> args) {
    args.insert(args.begin(), HEBB_BINARY);
    return run_process(args, options);
  };
  const auto there = hebb({"--db", dir.file("a.db"), "move", "--to", url, "--json"});
  INFO(there.err);
  REQUIRE(there.exit_code == 0);
  {
    Machine machine(url);
    CHECK(shown(machine.engine()) == before);
    machine.engine().sync();
    CHECK(machine.engine().verify() == std::vector<std::string>());
  }
  // Whoever writes to the file is told; whoever reads it is not disturbed.
  const auto refused = hebb({"--db", dir.file("a.db"), "outcome", "T-1", "success"});
  CHECK(refused.exit_code != 0);
  CHECK(refused.err.find("has moved: give --db 'postgresql://") != std::string::npos);
  CHECK(hebb({"--db", dir.file("a.db"), "rank"}).exit_code == 0);
  CHECK(hebb({"--db", dir.file("a.db"), "dead-letters", "drop", "1"}).exit_code != 0);
  const auto again = hebb({"--db", dir.file("a.db"), "move", "--to", new_ledger()});
  CHECK(again.exit_code != 0);
  CHECK(again.err.find("has moved already") != std::string::npos);

  const auto back = hebb({"--db", url, "move", "--to", dir.file("b.db"), "--json"});
  INFO(back.err);
  REQUIRE(back.exit_code == 0);
  const auto checksum = [](const std::string& json) {
    const auto at = json.find("\"checksum\"");
    return json.substr(at, 32);
  };
  CHECK(checksum(back.out) == checksum(there.out));
  Engine moved = open(dir.file("b.db"), kNoGraphCache);
  CHECK(shown(moved) == before);
  CHECK(moved.verify() == std::vector<std::string>());
  const auto late = hebb({"--db", url, "outcome", "T-1", "success"});
  CHECK(late.exit_code != 0);
  CHECK(late.err.find("has moved to " + dir.file("b.db")) != std::string::npos);
}

TEST_CASE("what others write while a database moves is there, or was refused") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  fill(path);
  std::atomic<int> taken = 0;
  std::atomic<bool> refused = false;
  std::jthread writer([&] {
    Engine engine = open(path, kNoGraphCache);
    for (int i = 0; !refused; ++i) {
      try {
        engine.append(keyed(success(kStart + i, "T-2"), fmt::format("w-{}", i)));
        ++taken;
      } catch (const sql::Error& e) {
        if (e.busy()) continue;
        CHECK(std::string(e.what()).find("has moved") != std::string::npos);
        refused = true;
      }
    }
  });
  while (taken < 20) std::this_thread::yield();
  const std::string url = new_ledger();
  sql::Database from(path, sql::Database::Mode::read_write);
  const auto moved = postgres::move_to_server(from, postgres::read_address(url), {});
  writer.join();
  Machine machine(url);
  CHECK(machine.engine().ledger().last_position() == moved.events);
  for (int i = 0; i < taken; ++i) {
    CAPTURE(i);
    CHECK(
        machine.engine().ledger().position_of(event_key(OutcomeSignal{}, fmt::format("w-{}", i))));
  }
}

TEST_CASE("a database does not move into a ledger that holds something else") {
  const Folder dir;
  fill(dir.file("a.db"));
  const std::string url = new_ledger();
  Machine machine(url);
  machine.engine().append(node(kStart, "other"));
  sql::Database from(dir.file("a.db"), sql::Database::Mode::read_write);
  CHECK_THROWS_WITH(postgres::move_to_server(from, postgres::read_address(url), {}),
                    Catch::Contains("name another ledger"));
  Engine still = open(dir.file("a.db"), kNoGraphCache);
  CHECK(still.append(node(kStart, "mine")) == Applied::applied);
}
