// The graph cache: answers with it and without it have the same bits, whatever was done to the
// file.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/reasons.h"
#include "tests/engine/graph_cache_support.h"
#include "tests/reward/world.h"

namespace hebb::test {
namespace {

using reward::Random;

TEST_CASE("what grows beyond the room of a graph cache moves to memory of its own",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  Engine engine = open(world.path, 0);
  REQUIRE(engine.state().graph().edges().weight.is_view());
  std::vector<Event> events;
  for (int i = 0; i < 3000; ++i) {
    const auto id = fmt::format("more {}", i);
    events.push_back(node(kStart + 2 * kDay, id, "TASK", "OPEN", {1, 2, static_cast<float>(i)}));
    events.push_back(link(kStart + 2 * kDay, id, "RELATES", "t1"));
  }
  engine.append(events);
  CHECK_FALSE(engine.state().graph().edges().weight.is_view());
  engine.sync();
  CHECK(difference(held(world.path, 0), held(world.path, kNoGraphCache)) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

// --- damage --------------------------------------------------------------------------------------

constexpr std::size_t kVersionByte = 8, kVersionEnd = 16;  // with the order of bytes

// Whatever is wrong with the file: the answers of the mirror, and verify says so. why: empty for
// what is nothing wrong.
void check_unused(const WithGraphCache& world, const std::string& why) {
  {
    Engine engine = open(world.path, 0);
    CHECK(difference(dump(engine.state()), dump(open(world.path, kNoGraphCache).state())) == "");
    CHECK_FALSE(engine.state().graph().edges().weight.is_view());
    std::vector<std::string> problems;
    if (!why.empty()) problems.push_back("graph cache: " + why + "; `hebb rebuild` writes it anew");
    CHECK(engine.verify() == problems);
    engine.rebuild();
    CHECK(engine.verify() == std::vector<std::string>{});
  }
  CHECK(open(world.path, 0).state().graph().edges().weight.is_view());
  CHECK(difference(held(world.path, 0), world.answers) == "");
}

TEST_CASE("verify notices a byte of a graph cache that is not what was written, wherever",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string whole = read_text(world.cache);
  std::vector<std::size_t> used;  // what lies between the sections nobody reads
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool is_version = i >= kVersionByte && i < kVersionEnd;  // any other is as good as none
    if (whole[i] != 0 && !is_version) used.push_back(i);
  }
  REQUIRE(used.size() > 1000);
  Random random(7);
  for (int i = 0; i < soak(150); ++i) {
    std::string damaged = whole;
    const std::size_t at = used[random.below(used.size())];
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
    write_bytes(world.cache, damaged);
    CAPTURE(at);
    const auto problems = open(world.path, 0).verify();
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems.front(), Catch::StartsWith("graph cache: it"));
  }
}

TEST_CASE("a graph cache that is cut short, empty or no graph cache is not used",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string whole = read_text(world.cache);
  SECTION("cut short") {
    write_bytes(world.cache, whole.substr(0, whole.size() / 2));
    check_unused(world, "it is not as long as it was");
  }
  SECTION("with something behind it") {
    write_bytes(world.cache, whole + "x");
    check_unused(world, "it is not as long as it was");
  }
  SECTION("empty") {
    write_bytes(world.cache, "");
    check_unused(world, "it is not as long as it was");
  }
  SECTION("something else") {
    write_bytes(world.cache, std::string(10000, 'x'));
    check_unused(world, "it is no graph cache");
  }
  SECTION("of another version") {
    std::string other = whole;
    ++other[kVersionByte];
    write_bytes(world.cache, other);
    check_unused(world, "");
  }
  SECTION("a folder") {
    fs::remove(world.cache);
    fs::create_directory(world.cache);
    CHECK(difference(held(world.path, 0), world.answers) == "");
    Engine engine = open(world.path, 0);
    const std::vector<std::string> named{
        "graph cache: a folder is in its place: remove that first; `hebb rebuild` writes it anew"};
    CHECK(engine.verify() == named);
    engine.rebuild();
    CHECK(engine.verify() == named);
    fs::remove(world.cache);
    engine.rebuild();
    CHECK(engine.verify() == std::vector<std::string>{});
  }
}

TEST_CASE("a graph cache of another ledger is not used, though it is whole",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  WithGraphCache other(31);
  fs::copy_file(other.cache, world.cache, fs::copy_options::overwrite_existing);
  check_unused(world, "it is of another ledger");
}

TEST_CASE("a graph cache that is older than the mirror is brought up to date",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string old = read_text(world.cache);
  {
    Engine engine = open(world.path, 0);
    for (int i = 0; i < 40; ++i) {
      engine.append(failure(kStart + 2 * kDay + i, fmt::format("t{}", i % 5)));
      engine.append(node(kStart + 2 * kDay + i, fmt::format("new {}", i)));
    }
    engine.sync();
    engine.recalibrate(kStart + 3 * kDay);
  }
  write_bytes(world.cache, old);
  Engine engine = open(world.path, 0);
  CHECK(engine.state().graph().nodes().type.is_view());
  CHECK(difference(held(world.path, 0), held(world.path, kNoGraphCache)) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("a graph cache that is newer than a restored ledger is not used",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  fs::copy_file(world.path, world.dir.file("backup.db"));
  {
    Engine engine = open(world.path, 0);
    engine.append(failure(kStart + 2 * kDay, "t3"));
    engine.recalibrate(kStart + 3 * kDay);
  }
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(world.path + suffix);
  fs::copy_file(world.dir.file("backup.db"), world.path);
  check_unused(world, "it is of another ledger");
}

TEST_CASE("a graph cache is removed while it is open, and nobody misses it",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  Engine engine = open(world.path, 0);
  REQUIRE(engine.state().graph().edges().weight.is_view());
  fs::remove(world.cache);
  engine.append(failure(kStart + 2 * kDay, "t3"));
  engine.sync();
  CHECK(difference(dump(engine.state()), dump(open(world.path, kNoGraphCache).state())) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

}  // namespace
}  // namespace hebb::test
