// The world that the engine is measured in: tasks, a tenth of them open, edges at random between
// them, a tenth of these to labels of which one is a hub, vectors on open tasks, a few tasks
// completed. The same for the same size.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/engine.h"

namespace hebb::bench {

inline constexpr TimeMs kStart = 1'700'000'000'000;
inline constexpr TimeMs kDay = 86'400'000;
inline constexpr std::size_t kDimension = 256;
inline constexpr unsigned kLabels = 100;
inline constexpr int kSeed = 1;

struct Size {
  std::size_t edges = 100'000;
  std::size_t open_in = 10;  // one task in so many is open
  int rounds = 5;
  std::size_t tasks() const { return std::max<std::size_t>(edges / 10, 100); }
};

// From words such as "100000,all-open".
inline Size size_of(const std::string& world) {
  Size size;
  std::istringstream words(world);
  std::string word;
  std::getline(words, word, ',');
  size.edges = static_cast<std::size_t>(std::stoll(word));
  while (std::getline(words, word, ',')) {
    if (word == "all-open") {
      size.open_in = 1;
    } else {
      throw std::invalid_argument(world + ": a world is EDGES[,all-open]");
    }
  }
  return size;
}

// A history log, in the order of time. Every second edge to a label goes to the first of them.
inline void write_history(const std::string& path, const Size& size) {
  std::ofstream out(path, std::ios::binary);
  std::mt19937 random(kSeed);
  for (unsigned i = 0; i < kLabels; ++i) {
    out << fmt::format("{{\"kind\":\"node\",\"at\":{},\"id\":\"label-{}\",\"type\":\"LABEL\"}}\n",
                       kStart, i);
  }
  for (std::size_t i = 0; i < size.tasks(); ++i) {
    out << fmt::format(
        "{{\"kind\":\"node\",\"at\":{},\"id\":\"task-{}\",\"type\":\"TASK\",\"state\":\"{}\"}}\n",
        kStart + static_cast<TimeMs>(i), i, i % size.open_in == 0 ? "OPEN" : "CLOSED");
  }
  const auto any = [&] { return static_cast<unsigned>(random() % size.tasks()); };
  for (std::size_t i = 0; i < size.edges; ++i) {
    const TimeMs at = kStart + static_cast<TimeMs>(size.tasks() + i);
    const bool label = i % 10 == 0;
    const unsigned source = any(), target = any(), hub = static_cast<unsigned>(random() % 2);
    out << fmt::format(
        "{{\"kind\":\"edge\",\"at\":{},\"source\":\"task-{}\",\"target\":\"{}-{}\",\"type\":\"{}\"}"
        "}\n",
        at, source, label ? "label" : "task", label ? (hub == 0 ? 0 : target % kLabels) : target,
        label ? "LABELED_AS" : "RELATES");
  }
}

inline std::vector<float> any_vector(std::mt19937& random) {
  std::vector<float> vector(kDimension);
  for (float& x : vector) x = static_cast<float>(random() % 2000) / 1000.0F - 1.0F;
  return vector;
}

inline void give_vectors(Engine& engine, const Size& size) {
  std::mt19937 random(kSeed);
  std::vector<Event> events;
  for (std::size_t i = 0; i < size.tasks(); i += size.open_in) {
    NodeUpsert node;
    node.vector = any_vector(random);
    node.embedder = "bench";
    Event e;
    e.at = kStart + kDay / 2 + static_cast<TimeMs>(i);
    e.subject = fmt::format("task-{}", i);
    e.payload = std::move(node);
    events.push_back(std::move(e));
    if (events.size() == 1000 || i + size.open_in >= size.tasks()) {
      engine.append(std::move(events));
      events.clear();
    }
  }
}

inline Event outcome(std::size_t task, OutcomeKind kind, TimeMs at) {
  OutcomeSignal signal;
  signal.outcome = kind;
  Event e;
  e.at = at;
  e.subject = fmt::format("task-{}", task);
  e.payload = std::move(signal);
  return e;
}

// --- floors, in plain SQLite --------------------------------------------------------------------

class Plain {
 public:
  explicit Plain(const std::string& path) {
    sqlite3_open(path.c_str(), &db_);
    sqlite3_busy_timeout(db_, 120'000);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536");
  }
  ~Plain() { sqlite3_close(db_); }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

  void run(const std::string& sql) {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return;
    std::fprintf(stderr, "%s: %s\n", sql.c_str(), sqlite3_errmsg(db_));
    std::exit(1);
  }
  using Statement = std::shared_ptr<sqlite3_stmt>;
  Statement prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr);
    return {statement, &sqlite3_finalize};
  }
  std::int64_t number(const std::string& sql) {
    const Statement row = prepare(sql);
    return sqlite3_step(row.get()) == SQLITE_ROW ? sqlite3_column_int64(row.get(), 0) : -1;
  }
  // Appends the rows of another database's table of events behind a position, bound by hand, in
  // transactions of a thousand.
  void append_events(const std::string& from, std::int64_t after) {
    sqlite3* other = nullptr;
    sqlite3_stmt *read = nullptr, *insert = nullptr;
    sqlite3_open(from.c_str(), &other);
    sqlite3_prepare_v2(other, "SELECT * FROM event WHERE position > ?1 ORDER BY position", -1,
                       &read, nullptr);
    sqlite3_bind_int64(read, 1, after);
    sqlite3_prepare_v2(db_, "INSERT INTO event VALUES (?1,?2,?3,?4,?5,?6,?7,?8)", -1, &insert,
                       nullptr);
    append_seconds = 0;
    std::vector<std::array<sqlite3_value*, 8>> rows;
    bool more = true;
    while (more) {
      while ((more = sqlite3_step(read) == SQLITE_ROW)) {
        for (int i = 0; auto*& value : rows.emplace_back())
          value = sqlite3_value_dup(sqlite3_column_value(read, i++));
        if (rows.size() == 1000) break;
      }
      const auto start = std::chrono::steady_clock::now();
      run("BEGIN IMMEDIATE");
      for (const auto& row : rows) {
        for (int i = 0; sqlite3_value * value : row) sqlite3_bind_value(insert, ++i, value);
        sqlite3_step(insert);
        sqlite3_reset(insert);
      }
      run("COMMIT");
      append_seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      for (const auto& row : rows) {
        for (sqlite3_value* value : row) sqlite3_value_free(value);
      }
      rows.clear();
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(read);
    sqlite3_close(other);
  }
  double append_seconds = 0;  // of the last append_events(), without the reading

 private:
  sqlite3* db_ = nullptr;
};

}  // namespace hebb::bench
