// A ledger, a mirror and an inbox in plain containers: written from the contracts of the interfaces
// alone, so that the engine's tests can be run on something that is no SQL database. What is opened
// under one path in one process is one storage, as long as the process lives; ":memory:" is one of
// its own each time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/storage/storage.h"

namespace hebb::test {

// Whether engines are to be opened in memory: HEBB_TEST_STORAGE=memory.
bool in_memory();

struct MemoryRows {
  struct Node {
    std::string type, state;
    NodeContent content;
    TimeMs created_at = 0, updated_at = 0, reopened_at = 0, outcome_at = 0, completed_at = 0,
           deleted_at = 0;
    double successes = 0, failures = 0;
    TimeMs tried_at = graph::kNever, due_at = graph::kNever, snoozed_until = graph::kNever;
    int priority = graph::kNoPriority;
    bool pinned = false;
    std::uint32_t failed = 0;
    std::vector<float> vector;
  };
  struct Edge {
    double weight = 0, gained = 0;
    TimeMs touched_at = 0;
    std::string properties = "{}";
  };
  std::vector<Event> events;                                   // by position - 1
  std::map<std::string, std::int64_t, std::less<>> positions;  // by key
  std::vector<std::int64_t> checksums;

  std::map<std::string, Node, std::less<>> nodes;
  std::map<std::tuple<std::string, std::string, std::string>, Edge> edges;  // source, type, target
  std::map<std::string, std::string> policy;
  std::vector<PathRow> path;
  std::vector<ClaimRow> claims;  // by task
  std::size_t candidates = 0;
  std::vector<std::string> blocking_cycle;
  std::int64_t position = 0;
  TimeMs stamp = graph::kNever, recalibrated_at = graph::kNever;
  Stamp latest;
  std::string embedder, image_seal;
  std::size_t dimension = 0;

  std::map<std::int64_t, DeadLetter> letters;
  std::int64_t last_letter = 0;
  std::map<std::string, std::vector<ReadingProgress>, std::less<>> progress;
};

struct MemoryFile {
  std::timed_mutex writing;
  std::mutex swapping;
  std::shared_ptr<const MemoryRows> committed = std::make_shared<MemoryRows>();
};

std::unique_ptr<Storage> open_memory(const EngineOptions& options);
// Of an engine that was opened in memory: the mirror, a line a row.
std::string dump_memory_mirror(Engine& engine);

}  // namespace hebb::test
