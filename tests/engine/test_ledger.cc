// What the ledger takes, refuses and counts once, over several runs, kills and processes.
#include <csignal>
#include <filesystem>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

TEST_CASE("an event given by hand is refused with a reason, and takes its batch with it") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "a"));
  const auto reason = [&](Event e) -> std::string {
    try {
      engine.append({node(kStart, "other"), std::move(e)});
    } catch (const Refused& refused) {
      return refused.refusal().reason;
    }
    return "";
  };
  CHECK(reason(link(kStart, "a", "RELATES", "ghost")) == refusal::kUnknownNode);
  CHECK(reason(failure(kStart, "ghost")) == refusal::kUnknownTask);
  CHECK(reason(success(kStart, "a", {"ghost"})) == refusal::kUnknownNode);
  CHECK(reason(link(kStart, "a", "BLOCKS", "a")) == refusal::kSelfBlock);
  CHECK(reason(link(kStart, "a", "PARENT_OF", "a")) == refusal::kSelfBlock);
  CHECK(reason(failure(kStart, "frontier")) == refusal::kReserved);
  CHECK(reason(node(kStart, "frontier")) == refusal::kReserved);
  CHECK(reason(link(kStart, "a", "RELATES", "a", 0)) == refusal::kOutOfRange);
  CHECK_FALSE(engine.state().exists("other"));
  CHECK(engine.ledger().last_position() == 1);
  CHECK(engine.verify().empty());
}

TEST_CASE("what a part of a transaction could not append leaves the other parts whole") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart, "a"));
  engine.write([&] {
    engine.append(node(kStart + 1, "b"));
    CHECK_THROWS_AS(engine.append({node(kStart + 2, "c"), link(kStart + 2, "c", "BLOCKS", "none")}),
                    Refused);
    CHECK(engine.state().exists("b"));
    CHECK_FALSE(engine.state().exists("c"));
  });
  engine.write([&] {  // and where nothing is asked afterwards
    engine.append(node(kStart + 3, "d"));
    CHECK_THROWS_AS(engine.append({node(kStart + 4, "c"), link(kStart + 4, "c", "BLOCKS", "none")}),
                    Refused);
  });
  CHECK(engine.state().exists("d"));
  CHECK_FALSE(engine.state().exists("c"));
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("vectors of another size or origin are refused, also when the first one is undone") {
  const Folder dir;
  const auto refused = [&](Event e) -> std::string {
    try {
      open(dir.file("a.db")).append(std::move(e));
    } catch (const Refused& r) {
      return r.refusal().reason;
    }
    return "";
  };
  open(dir.file("a.db")).append(node(kStart, "a", "TASK", "OPEN", {1, 0}));
  for (const bool undone : {false, true}) {
    CAPTURE(undone);
    if (undone) open(dir.file("a.db")).undo(1, kStart);
    CHECK(refused(node(kStart, "b", "TASK", "OPEN", {1, 0, 0})) == refusal::kVectorDimension);
    Event hashed = node(kStart, "b", "TASK", "OPEN", {1, 0});
    std::get<NodeUpsert>(hashed.payload).embedder = "hashing";
    CHECK(refused(std::move(hashed)) == refusal::kVectorEmbedder);
    CHECK(open(dir.file("a.db")).verify() == std::vector<std::string>{});
  }
}

TEST_CASE("a reading whose database is deleted under it does not end as if it were done",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  Engine engine = open(path);
  engine.append(node(kStart, "t"));
  std::string lines;
  for (int i = 0; i < 1500; ++i) lines += outcome_line("t", fmt::format("o{}", i));
  IngestRequest request;
  request.content = lines;
  request.file = "f";
  request.read.now = kStart + kHour;
  request.format = &formats().front();
  request.progress = [&](std::size_t, std::size_t) { std::filesystem::remove(path); };
  bool gone = false;
  try {
    engine.ingest(request);
  } catch (const sql::Error& e) {
    gone = e.gone();
  }
  CHECK(gone);
}

TEST_CASE("several processes that read the same file at once count each outcome once", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  { open(path).append(node(kStart, "t")); }
  std::string lines;
  for (int i = 0; i < 1500; ++i) lines += outcome_line("t", fmt::format("o{}", i));
  const auto codes = in_children(3, [&](int) {
    EngineOptions options;
    options.path = path;
    options.busy_timeout_ms = 60'000;
    Engine engine(options);
    const auto s = ingest(engine, lines, "outcome", kStart + kHour, "f");
    engine.sync();
    return s.items == 1500 && s.refused == 0 ? 0 : 2;
  });
  CHECK(codes == std::vector<int>{0, 0, 0});
  Engine engine = open(path);
  CHECK(failures_of(engine, "t") == 1500);
  CHECK(engine.verify().empty());
}

TEST_CASE("several processes that bring the same outcome without an id count it each", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  { open(path).append(node(kStart, "t")); }
  const std::vector<int> codes = in_children(16, [&](int) {
    EngineOptions options;
    options.path = path;
    options.busy_timeout_ms = 60'000;
    Engine engine(options);
    const auto s = ingest(engine, outcome_line("t", ""), "outcome", kStart + kHour, "f");
    engine.sync();
    return s.applied == 1 ? 0 : 2;
  });
  CHECK(codes == std::vector<int>(16, 0));
  Engine engine = open(path);
  CHECK(failures_of(engine, "t") == 16);
}

TEST_CASE("several processes that write different things lose none of them", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  { open(path).append(node(kStart, "t")); }
  const auto codes = in_children(3, [&](int k) {
    EngineOptions options;
    options.path = path;
    options.busy_timeout_ms = 60'000;
    Engine engine(options);
    without_disk(tables_of(engine));
    for (int i = 0; i < 40; ++i) {
      engine.append(node(kStart + i, fmt::format("n{}-{}", k, i)));
      engine.append(failure(kStart + i, "t"));
      if (i % 8 == 0) engine.sync();
    }
    return 0;
  });
  CHECK(codes == std::vector<int>{0, 0, 0});
  Engine engine = open(path);
  CHECK(failures_of(engine, "t") == 120);
  CHECK(stats_of(engine, kStart).nodes == 122);  // with t and the frontier
  CHECK(engine.verify().empty());
}

TEST_CASE("a writer that finds another one writing says so; a reader answers all the same",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  EngineOptions options;
  options.path = path;
  options.busy_timeout_ms = 20;
  Engine one(options), two(options);
  one.append(node(kStart, "t"));
  const sql::Transaction held(tables_of(one));
  bool busy = false;
  try {
    two.append(node(kStart, "u"));
  } catch (const sql::Error& e) {
    busy = e.busy();
  }
  CHECK(busy);
  CHECK(top(two, 3, kStart) == std::vector<std::string>{"t"});
  CHECK(two.rank({}).size() == 1);
}

TEST_CASE("each engine sees what others have committed before it answers", "[sqlite]") {
  const Folder dir;
  Engine one = open(dir.file("a.db")), two = open(dir.file("a.db"));
  one.append(node(kStart, "a"));
  CHECK(two.state().exists("a"));
  two.append(failure(kStart + kHour, "a"));
  CHECK(weight(one.state(), {"frontier", "a", "REWARD_NEGATIVE"}) == 1);
  EngineOptions options;
  options.path = dir.file("a.db");
  options.read_only = true;
  Engine reader(options);
  CHECK(reader.rank({}).size() == 1);  // of a mirror that nobody brought up to date
  CHECK(reader.verify().empty());
  CHECK_THROWS_AS(reader.append(node(kStart, "b")), std::logic_error);
}

TEST_CASE("all of a file decides which embedder's vectors the database holds, not its beginning") {
  Engine engine = open(":memory:");
  std::string lines;
  for (int i = 0; i < 1500; ++i) {
    lines += fmt::format(R"({{"kind":"node","at":{},"id":"n{}","type":"LABEL","name":"n {}"}})",
                         kStart + i, i, i) +
             "\n";
  }
  lines += fmt::format(R"({{"kind":"node","at":{},"id":"v","type":"TASK","vector":[1,0,0]}})",
                       kStart + 2000) +
           "\n";
  const auto summary = ingest(engine, lines, "history");
  CHECK(summary.refused == 0);
  CHECK(summary.missing_vectors.none == 1500);
  CHECK(engine.state().facts().dimension == 3);
}

TEST_CASE("what was imported while another process writes is mirrored later", "[sqlite]") {
  TwoConnections two;
  {
    const sql::Transaction lock(two.other);
    CHECK_FALSE(two.engine.sync());
    CHECK_FALSE(two.engine.try_sync());
    CHECK(two.engine.rank({}).size() == 1);
  }
  CHECK(two.engine.sync());
  CHECK(storage_of(two.engine).mirror().position() == 101);
}

TEST_CASE("a mirror that is ahead of its ledger is damage, and a rebuild mends it", "[sqlite]") {
  const Folder dir;
  {
    Engine engine = open(dir.file("a.db"));
    engine.append(node(kStart, "a"));
    engine.sync();
    tables_of(engine).exec("UPDATE mirror SET value = 99 WHERE name = 'position'");
  }
  Engine engine = open(dir.file("a.db"));
  CHECK_FALSE(engine.verify().empty());
  CHECK_THROWS_AS(engine.state(), sql::Error);
  engine.rebuild();
  CHECK(engine.verify().empty());
}

}  // namespace
}  // namespace hebb::test
