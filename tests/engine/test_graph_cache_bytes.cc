// Whatever bytes a graph cache holds, also behind checksums that fit: nothing is read or written
// outside of its arrays. The answers may be wrong (`hebb verify` finds that), or Damaged.
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <xxhash.h>

#include "engine/look/look.h"
#include "engine/rank/explain.h"
#include "tests/engine/graph_cache_support.h"
#include "tests/reward/world.h"

namespace hebb::test {
namespace {

using reward::Random;

// As engine/mirror/graph_cache.cc lays them out.
struct Section {
  std::uint64_t offset, bytes, capacity_bytes, value_bytes, checksum;
};
struct Header {
  char before[56];
  std::uint64_t sections;
  Section section[64];
  std::uint64_t checksum;
};

Header header_of(const std::string& cache) {
  Header header{};
  std::memcpy(&header, cache.data(), sizeof header);
  return header;
}

// With the checksums of what it holds now.
std::string with_checksums(std::string cache) {
  Header header = header_of(cache);
  for (std::size_t i = 0; i < header.sections; ++i) {
    Section& s = header.section[i];
    s.checksum = XXH3_64bits(cache.data() + s.offset, s.bytes);
  }
  header.checksum = XXH3_64bits(&header, offsetof(Header, checksum));
  std::memcpy(cache.data(), &header, sizeof header);
  return cache;
}

// What a value may become: near the bounds, or anything.
std::uint32_t other_value(Random& random, std::uint32_t value) {
  switch (random.below(5)) {
    case 0:
      return value ^ (1u << random.below(32));
    case 1:
      return 0xFFFFFFF0u + static_cast<std::uint32_t>(random.below(16));
    case 2:
      return static_cast<std::uint32_t>(random.below(200));
    case 3:
      return static_cast<std::uint32_t>(random.below(1u << 31));
    default:
      return 0x7FF80000u;  // half of a double that is no number
  }
}

// Some words of a section, or all of them.
void change(std::string& cache, const Section& s, Random& random) {
  const std::size_t words = s.bytes / 4;
  if (words == 0) {
    cache[s.offset + random.below(s.bytes)] = static_cast<char>(random.below(256));
    return;
  }
  const bool all = random.below(4) == 0;
  const std::size_t changes = all ? words : 1 + random.below(8);
  for (std::size_t i = 0; i < changes; ++i) {
    char* const at = cache.data() + s.offset + 4 * (all ? i : random.below(words));
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    value = other_value(random, value);
    std::memcpy(at, &value, sizeof value);
  }
}

// Asks and writes whatever it can. True: the graph cache was used.
bool use(const std::string& path) {
  std::optional<Engine> engine;
  bool used = false;
  const auto attempt = [&](const auto& action) {
    try {
      if (!engine) engine.emplace(open(path, 0));
      action(*engine);
    } catch (const std::exception&) {
      engine.reset();
    }
  };
  attempt([&](Engine& e) { used = e.state().graph().edges().weight.is_view(); });
  attempt([](Engine& e) { e.rank({}); });
  attempt([](Engine& e) { explain(e, "t1"); });
  attempt([](Engine& e) {
    RankQuery query;
    query.unclaimed_at = kStart + 2 * kDay;
    e.rank(query);
  });
  attempt([](Engine& e) { topology(e, true, kStart + 2 * kDay); });
  attempt([](Engine& e) { topology(e, false, kStart + 2 * kDay); });
  attempt([](Engine& e) {
    const auto from = e.state().find("t1"), to = e.state().find("t9");
    if (from && to) least_path(e.state(), *from, *to, kStart + 2 * kDay);
  });
  for (const char* id : {"t1", "t2", "label"}) {
    attempt([&](Engine& e) {
      const auto n = e.state().find(id);
      NeighborhoodQuery query;
      query.depth = 3;
      if (n) neighborhood(e, *n, query, kStart + 2 * kDay);
    });
  }
  attempt([](Engine& e) { e.append(success(kStart + 2 * kDay, "t3")); });
  attempt([](Engine& e) { e.append(node(kStart + 2 * kDay, "new")); });
  attempt([](Engine& e) { e.append(link(kStart + 2 * kDay, "t4", "RELATES", "t9")); });
  attempt([](Engine& e) { e.undo(3, kStart + 2 * kDay); });
  attempt([](Engine& e) { e.gc(kStart + 400 * kDay, kDay, false); });
  attempt([](Engine& e) { e.sync(); });
  attempt([](Engine& e) { e.recalibrate(kStart + 3 * kDay); });
  attempt([](Engine& e) { e.verify(); });
  attempt([](Engine& e) { e.rank({}); });
  return used;
}

TEST_CASE("whatever a graph cache holds behind right checksums, nothing outside of it is touched",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string whole = read_text(world.cache);
  const Header header = header_of(whole);
  REQUIRE(with_checksums(whole) == whole);
  Random random(11);
  std::set<std::size_t> used;
  std::size_t changed = 0;
  for (std::size_t i = 1; i < header.sections; ++i) {
    if (header.section[i].bytes == 0) continue;
    ++changed;
    for (int k = 0; k < soak(4); ++k) {
      std::string damaged = whole;
      change(damaged, header.section[i], random);
      const Folder dir;
      fs::copy_file(world.path, dir.file("a.db"));
      write_bytes(dir.file("a.db-image"), with_checksums(damaged));
      CAPTURE(i, k);
      if (use(dir.file("a.db"))) used.insert(i);
    }
  }
  CHECK(changed > 40);
  CHECK(used.size() == changed);  // each was read
}

TEST_CASE("a graph cache whose sizes do not fit is not used, or is damaged",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string whole = read_text(world.cache);
  const Header header = header_of(whole);
  int used = 0;
  for (std::size_t i = 0; i < header.sections; ++i) {
    for (const std::size_t values : {0, 1, 7}) {
      std::string damaged = whole;
      Header other = header;
      Section& s = other.section[i];
      s.bytes = std::min(s.bytes, s.value_bytes * values);
      std::memcpy(damaged.data(), &other, sizeof other);
      const Folder dir;
      fs::copy_file(world.path, dir.file("a.db"));
      write_bytes(dir.file("a.db-image"), with_checksums(damaged));
      CAPTURE(i, values);
      used += use(dir.file("a.db"));
    }
  }
  CHECK(used > 0);  // those of sections that were as short before
}

}  // namespace
}  // namespace hebb::test
