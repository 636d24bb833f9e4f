// What several machines see of one ledger on a server.
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/actions/store.h"
#include "engine/current/folded.h"
#include "engine/recall/recall.h"
#include "tests/postgres/machines.h"
#include "tests/support/folder.h"
#include "tests/support/ranking.h"

using namespace hebb;
using namespace hebb::test;

namespace {

std::string rank_text(Engine& engine) {
  std::string text;
  RankQuery query;
  query.reasons = true;
  for (const RankRow& row : engine.rank(query))
    text += fmt::format("{} {:a}\n", row.id, row.factors.priority);
  return text;
}

}  // namespace

TEST_CASE("the same history is the same ledger and ranking on SQLite and on a server") {
  const std::string history = read_text(HEBB_SOURCE_DIR "/examples/neo/history.jsonl");
  const Folder dir;
  Engine file = open(dir.file("a.db"), kNoGraphCache);
  Machine first(new_ledger());
  for (Engine* engine : {&file, &first.engine()}) {
    ingest(*engine, history, "history");
    engine->sync();
    engine->recalibrate(engine->state().facts().ranked_at() + kDay);
  }
  CHECK(file.ledger().last_position() > 15'000);
  CHECK(last_checksum(first.engine()) == last_checksum(file));
  CHECK(rank_text(first.engine()) == rank_text(file));
  CHECK(difference(dump(first.engine().state()), dump(file.state())).empty());
}

TEST_CASE("a machine that comes later, or was behind, has what the others have") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  std::vector<Event> events;
  for (int i = 0; i < 5'000; ++i) events.push_back(node(kStart + i, fmt::format("t{}", i)));
  first.engine().append(events);  // more than come in one answer
  first.engine().append(success(kStart + kDay, "t7"));
  CHECK(second.fresh().ledger().last_position() == 5'001);
  Machine third(url);
  for (Machine* machine : {&second, &third}) {
    CHECK(last_checksum(machine->fresh()) == last_checksum(first.engine()));
    CHECK(difference(dump(machine->engine().state()), dump(first.engine().state())).empty());
    CHECK(rank_text(machine->engine()) == rank_text(first.engine()));
    machine->engine().sync();
    CHECK(machine->engine().verify() == std::vector<std::string>());
  }
}

TEST_CASE("a copy's tables are behind what its writer appends until a reader wants them") {
  Machine machine(new_ledger());
  Engine& engine = machine.engine();
  const auto behind = [&] {
    return engine.ledger().last_position() - folded_of(engine).storage().mirror().position();
  };
  engine.append(node(kStart, "t"));
  engine.sync();
  std::int64_t most = 0;
  for (int i = 0; i < 3 * kMirroredAtOnce; ++i) {
    engine.append(failure(kStart + kDay + i, "t"));
    most = std::max(most, behind());
  }
  CHECK(most == kMirroredAtOnce);
  CHECK(engine.verify() == std::vector<std::string>());
  CHECK(engine.try_sync());
  CHECK(behind() == 0);
  CHECK(engine.verify() == std::vector<std::string>());
}

TEST_CASE("what has an id counts once, whatever machine it comes from") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  first.engine().append(node(kStart, "a"));
  const Event done = keyed(success(kStart + kHour, "a"), "run-1");
  CHECK(second.engine().append(done) == Applied::applied);
  CHECK(first.engine().append(done) == Applied::duplicate);
  CHECK_THROWS_AS(first.engine().append(keyed(failure(kStart + kHour, "a"), "run-1")), Refused);
  CHECK(first.fresh().ledger().last_position() == 2);
}

TEST_CASE("a writer that did not expect others does its work again") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  first.engine().append(node(kStart, "a"));
  // Each time, the copy that writes lacks what the other one has just written.
  for (int i = 0; i < 40; ++i)
    (i % 2 == 0 ? second : first).engine().append(success(kStart + i, "a"));
  CHECK(first.fresh().ledger().last_position() == 41);
  CHECK(last_checksum(second.fresh()) == last_checksum(first.engine()));
}

TEST_CASE("four machines empty a queue, and no task goes to two of them", "[slow]") {
  constexpr int kTasks = 200, kMachines = 4;
  const std::string url = new_ledger();
  Machine here(url);
  std::vector<Event> events;
  for (int i = 0; i < kTasks; ++i) events.push_back(node(kStart + i, fmt::format("t{}", i)));
  here.engine().append(events);
  std::vector<pid_t> children;
  const Folder dir;
  for (int m = 0; m < kMachines; ++m) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    std::string out;
    try {
      const std::string cache = dir.file(fmt::format("cache{}", m));
      ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
      Engine engine = open(url, kNoGraphCache);
      ClaimNext next;
      next.agent = fmt::format("m{}", m);
      next.now = kStart + kDay;
      for (;;) {
        const auto claimed = engine.claim_next(next);
        if (claimed.empty()) break;
        out += claimed.front().row.id + "\n";
        engine.append(success(kStart + kDay, claimed.front().row.id));
      }
    } catch (const std::exception& e) {
      out = std::string("error ") + e.what() + "\n";
    }
    write_text(dir.file(fmt::format("m{}", m)), out);
    ::_exit(0);
  }
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  std::multiset<std::string> taken;
  for (int m = 0; m < kMachines; ++m) {
    std::istringstream lines(read_text(dir.file(fmt::format("m{}", m))));
    for (std::string line; std::getline(lines, line);) taken.insert(line);
  }
  CHECK(taken.size() == kTasks);
  CHECK(std::set<std::string>(taken.begin(), taken.end()).size() == kTasks);
  CHECK(here.fresh().verify() == std::vector<std::string>());
}

TEST_CASE("refused inputs are on every machine, and gone on every machine") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  const std::string item = "{\"taskId\":\"nobody\",\"outcome\":\"success\"}";
  ingest(first.engine(), item + "\n{\"taskId\":\"\xff\", \"x\":1}\n", "outcome");
  auto letters = second.fresh().dead_letters();
  REQUIRE(letters.size() == 2);
  const auto there = first.engine().dead_letters();
  for (const std::size_t i : {0, 1}) CHECK(letters[i].text == there[i].text);
  const std::vector<std::int64_t> ids{letters[0].id};
  CHECK(drop_dead_letters(second.engine(), ids) == 1);
  letters = first.fresh().dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].text == there[1].text);
}

TEST_CASE("what a command is to be told of takes no other machine's number") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  first.engine().append(node(kStart, "a"));
  second.fresh();
  static_cast<void>(first.copy_path());  // its cache folder from here on
  EngineOptions options;
  options.path = url;
  options.outcome_taken = [](const Event&) { /* it never succeeds */ };
  Engine telling(options);
  telling.state();
  ingest(second.engine(), R"({"taskId":"nobody","outcome":"success"})", "outcome", kStart,
         "refused");
  telling.append(success(kStart + kHour, "a"));
  std::set<std::string> files;
  for (const DeadLetter& letter : second.fresh().dead_letters()) files.insert(letter.file);
  CHECK(files.size() == 2);
  CHECK(files.contains("refused"));
}

TEST_CASE("what a full disk rolled back of several is not said to be on the server") {
  Machine machine(new_ledger());
  machine.engine().append(node(kStart, "a"));
  std::string said;
  {
    sql::Transaction whole(machine.copy());
    machine.engine().append(success(kStart + kHour, "a"));
    machine.copy().exec("ROLLBACK");  // as SQLite does by itself
    try {
      whole.commit();
    } catch (const sql::Error& e) {
      said = e.what();
    }
  }
  CHECK(said == "what was to be committed with this failed");
  machine.restart();
  CHECK(machine.fresh().ledger().last_position() == 1);
}

TEST_CASE("what is refused of a file whose name is not UTF-8 is on every machine") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  ingest(first.engine(), R"({"taskId":"nobody","outcome":"success"})", "outcome", kStart,
         "caf\xe9");
  const auto letters = second.fresh().dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].file == "caf\xe9");
}

TEST_CASE("a new machine has the access counts of more nodes than come in one answer") {
  constexpr int kNodes = 2'100;
  const std::string url = new_ledger();
  Machine first(url);
  std::vector<Event> events;
  for (int i = 0; i < kNodes; ++i) events.push_back(named(kStart + i, fmt::format("n{}", i), "x"));
  first.engine().append(events);
  first.engine().sync();
  sql::Transaction transaction(first.copy());
  for (int i = 0; i < kNodes; ++i) {
    const std::string id = fmt::format("n{}", i);
    first.copy().query(sql::Query::recall_bump).bind(1, std::string_view(id)).bind(2, kStart).run();
  }
  transaction.commit();
  Machine later(url);
  later.engine().sync();
  later.fresh();
  CHECK(later.copy().scalar("SELECT count(*) FROM recall") == kNodes);
}

TEST_CASE("actions that one machine recorded are those of all") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  capture::ActionRow row;
  row.agent_id = "agent";
  row.session_id = "s";
  row.sequence_id = "q";
  row.timestamp = kStart;
  row.tool = "read";
  row.args = R"({"text":"\u0000ü"})";
  row.duration_ms = 0.1;
  row.success = true;
  sql::Transaction transaction(first.copy());
  capture::insert_action(first.copy(), row);
  transaction.commit();
  second.fresh();
  const auto text = [](Machine& machine) {
    std::string all;
    capture::read_actions(machine.copy(), {}, [&](capture::ActionRow r) {
      all += fmt::format("{} {} {} {} {:a}\n", r.id, r.tool, r.args, r.success, r.duration_ms);
    });
    return all;
  };
  CHECK(!text(first).empty());
  CHECK(text(second) == text(first));
}

TEST_CASE("how often a node was asked for is counted over all machines") {
  const std::string url = new_ledger();
  Machine first(url), second(url);
  first.engine().append(named(kStart, "a", "a kettle"));
  const auto ask = [](Machine& machine, TimeMs now) {
    machine.fresh().sync();
    machine.fresh();  // what is said of a node comes once the tables have it
    const auto found = recall::get_node(machine.copy(), "a", now);
    REQUIRE(found);
    return found->recall_count;
  };
  CHECK(ask(first, kStart + kDay) == 0);
  CHECK(ask(second, kStart + kDay) == 1);
  CHECK(ask(first, kStart + kDay) == 2);
  CHECK(ask(second, kStart + kDay) == 3);
}
