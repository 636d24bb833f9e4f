// Databases with a graph cache beside them, for its tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {

namespace fs = std::filesystem;

inline std::string held(const std::string& path, std::size_t graph_cache_from) {
  Engine engine = open(path, graph_cache_from);
  std::string text = dump(engine.state()) + dump_mirror(engine) + mirrored_ranking(engine);
  for (const auto& row : engine.rank({})) text += fmt::format("{} {:a}\n", row.id, row.relative);
  return text;
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline ino_t inode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// A database with some tasks, labels, vectors, edges and outcomes, mirrored, and its graph cache.
struct WithGraphCache {
  explicit WithGraphCache(int tasks = 30) {
    Engine engine = open(path, 0);
    std::vector<Event> events{node(kStart, "label", "LABEL", "")};
    for (int i = 0; i < tasks; ++i) {
      events.push_back(node(kStart + i, fmt::format("t{}", i), "TASK", "OPEN",
                            {static_cast<float>(i % 7), 1, static_cast<float>(i % 3)}));
      events.push_back(link(kStart + kHour, fmt::format("t{}", i), "LABELED_AS", "label"));
      if (i > 0) {
        events.push_back(link(kStart + kHour, fmt::format("t{}", i), "RELATES",
                              fmt::format("t{}", i / 2), 1 + i % 3));
      }
    }
    events.push_back(success(kStart + 2 * kHour, "t1"));
    events.push_back(failure(kStart + 2 * kHour, "t2"));
    engine.append(events);
    engine.recalibrate(kStart + kDay);
    REQUIRE(fs::exists(cache));
    answers = held(path, kNoGraphCache);
  }
  Folder dir;
  std::string path = dir.file("a.db"), cache = path + "-image";
  std::string answers;
};

}  // namespace hebb::test
