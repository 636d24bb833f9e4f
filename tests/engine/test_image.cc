// The packed image: answers with it and without it have the same bits, whatever was done to the
// file.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/reasons.h"
#include "tests/engine/image_support.h"
#include "tests/reward/world.h"

namespace hebb::test {
namespace {

using reward::Random;

// --- any operation -----------------------------------------------------------------------------

// One random operation; the same for the same seed.
void step(Engine& engine, std::uint64_t seed, int i) {
  Random random(seed * 1000 + static_cast<std::uint64_t>(i));
  const TimeMs now = kStart + (i + 10) * kHour;
  const TimeMs at =
      random.chance(0.3) ? kStart + static_cast<TimeMs>(random.below(200)) * kHour : now;
  const auto any = [&] { return fmt::format("t{}", random.below(8)); };
  const auto offer = [&](Event e) {
    std::vector<Event> one;
    one.push_back(keyed(std::move(e), fmt::format("{}", i)));
    engine.offer(std::move(one));
  };
  switch (random.below(16)) {
    case 0:
    case 1:
      return offer(node(at, any(), "TASK", "OPEN", {static_cast<float>(random.below(9)), 1}));
    case 2:
      return offer(success(at, any()));
    case 3:
      return offer(failure(at, any()));
    case 4:
      return offer(pivot(at, any()));
    case 5:
      return offer(policy(at, {{"other.decay_per_day", random.chance(0.5) ? "0.9" : "0.97"}}));
    case 6:
      return offer(unlink(at, any(), "RELATES", any()));
    case 7:
      engine.recalibrate(now);
      return;
    case 8:
      engine.gc(now + 400 * kDay, kDay, false);
      return;
    case 9:
      try {
        engine.undo(1 + static_cast<std::int64_t>(random.below(30)), now);
      } catch (const std::invalid_argument&) {
      }
      return;
    case 10:
      return offer(remove(at, any()));
    case 11:
      return engine.rebuild();
    case 12:
      return offer(test::state(at, any(), random.chance(0.5) ? "OPEN" : "CLOSED"));
    default:
      return offer(link(at, any(), fmt::format("TYPE_{}", random.below(5)), any()));
  }
}

TEST_CASE("a life with an image gives the same bits as one without", "[image][sqlite][slow]") {
  int mapped = 0;
  for (int seed = 1; seed <= soak(6); ++seed) {
    CAPTURE(seed);
    const TempDir dir;
    const std::string with = dir.file("with.db"), without = dir.file("without.db");
    for (const auto& path : {with, without}) {
      Engine engine = open(path, path == with ? 0 : kNone);
      for (int i = 0; i < 8; ++i)
        engine.append(keyed(node(kStart, fmt::format("t{}", i)), fmt::format("n{}", i)));
      engine.sync();
    }
    for (int i = 0; i < 60; ++i) {
      CAPTURE(i);
      for (const auto& path : {with, without}) {
        Engine engine = open(path, path == with ? 0 : kNone);
        step(engine, static_cast<std::uint64_t>(seed), i);
        if (i % 3 != 0) engine.sync();  // else the next one has a tail to fold and to mirror
      }
      Engine a = open(with, 0), b = open(without, kNone);
      REQUIRE(difference(dump(a.state()), dump(b.state())) == "");
      mapped += a.state().graph().edges().weight.is_view();
      if (i % 3 != 0) REQUIRE(difference(dump_mirror(a), dump_mirror(b)) == "");
      if (i % 10 == 9) REQUIRE(a.verify() == std::vector<std::string>{});
    }
    CHECK_FALSE(fs::exists(without + "-image"));
  }
  CHECK(mapped > 100);  // or nothing was compared
}

TEST_CASE("what grows beyond the room of an image moves to memory of its own", "[image][sqlite]") {
  WithImage world;
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
  CHECK(difference(held(world.path, 0), held(world.path, kNone)) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

// --- damage --------------------------------------------------------------------------------------

// Whatever is wrong with the file: the answers of the mirror, and verify says so.
void check_unused(const WithImage& world, const std::string& why) {
  {
    Engine engine = open(world.path, 0);
    CHECK(difference(dump(engine.state()), dump(open(world.path, kNone).state())) == "");
    CHECK_FALSE(engine.state().graph().edges().weight.is_view());
    CHECK(engine.verify() ==
          std::vector<std::string>{"image: " + why +
                                   ", so it is not used; `hebb rebuild` writes it anew"});
    engine.rebuild();
    CHECK(engine.verify() == std::vector<std::string>{});
  }
  CHECK(open(world.path, 0).state().graph().edges().weight.is_view());
  CHECK(difference(held(world.path, 0), world.answers) == "");
}

TEST_CASE("a byte of an image that is not what was written is noticed, wherever",
          "[image][sqlite]") {
  WithImage world;
  const std::string whole = bytes_of(world.image);
  std::size_t used = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) used += whole[i] != 0;
  REQUIRE(used > 1000);
  Random random(7);
  const std::string answers = dump(open(world.path, kNone).state());
  int noticed = 0;
  for (int i = 0; i < soak(150); ++i) {
    std::string damaged = whole;
    const std::size_t at = i < 50 ? static_cast<std::size_t>(i) * 8 : random.below(whole.size());
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
    write_bytes(world.image, damaged);
    CAPTURE(at);
    Engine engine = open(world.path, 0);
    REQUIRE(dump(engine.state()) == answers);
    noticed += !engine.state().graph().edges().weight.is_view();
  }
  CHECK(noticed > 50);  // what lies between the sections nobody reads
}

TEST_CASE("an image that is cut short, empty or no image is not used", "[image][sqlite]") {
  WithImage world;
  const std::string whole = bytes_of(world.image);
  SECTION("cut short") {
    write_bytes(world.image, whole.substr(0, whole.size() / 2));
    check_unused(world, "it is not as long as it was");
  }
  SECTION("with something behind it") {
    write_bytes(world.image, whole + "x");
    check_unused(world, "it is not as long as it was");
  }
  SECTION("empty") {
    write_bytes(world.image, "");
    check_unused(world, "it is not as long as it was");
  }
  SECTION("something else") {
    write_bytes(world.image, std::string(10000, 'x'));
    check_unused(world, "it is no image");
  }
  SECTION("of another version") {
    std::string other = whole;
    ++other[8];
    write_bytes(world.image, other);
    check_unused(world, "it is of another version");
  }
  SECTION("a folder") {
    fs::remove(world.image);
    fs::create_directory(world.image);
    CHECK(difference(held(world.path, 0), world.answers) == "");
    Engine engine = open(world.path, 0);
    CHECK(engine.verify() ==
          std::vector<std::string>{
              "image: it cannot be read, so it is not used; `hebb rebuild` writes it anew"});
  }
}

TEST_CASE("an image of another ledger is not used, though it is whole", "[image][sqlite]") {
  WithImage world;
  WithImage other(31);
  fs::copy_file(other.image, world.image, fs::copy_options::overwrite_existing);
  check_unused(world, "it is of another ledger");
}

TEST_CASE("an image that is older than the mirror is brought up to date", "[image][sqlite]") {
  WithImage world;
  const std::string old = bytes_of(world.image);
  {
    Engine engine = open(world.path, 0);
    for (int i = 0; i < 40; ++i) {
      engine.append(failure(kStart + 2 * kDay + i, fmt::format("t{}", i % 5)));
      engine.append(node(kStart + 2 * kDay + i, fmt::format("new {}", i)));
    }
    engine.sync();
    engine.recalibrate(kStart + 3 * kDay);
  }
  write_bytes(world.image, old);
  Engine engine = open(world.path, 0);
  CHECK(engine.state().graph().nodes().type.is_view());
  CHECK(difference(held(world.path, 0), held(world.path, kNone)) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("an image that is newer than a restored ledger is not used", "[image][sqlite]") {
  WithImage world;
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

TEST_CASE("an image is removed while it is open, and nobody misses it", "[image][sqlite]") {
  WithImage world;
  Engine engine = open(world.path, 0);
  REQUIRE(engine.state().graph().edges().weight.is_view());
  fs::remove(world.image);
  engine.append(failure(kStart + 2 * kDay, "t3"));
  engine.sync();
  CHECK(difference(dump(engine.state()), dump(open(world.path, kNone).state())) == "");
  CHECK(engine.verify() == std::vector<std::string>{});
}

}  // namespace
}  // namespace hebb::test
