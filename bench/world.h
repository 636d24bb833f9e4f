// The world that the engine is measured in: tasks, a tenth of them open, edges at random between
// them, a tenth of these to labels of which one is a hub, vectors on what is open, a few tasks
// completed. The same for the same size.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
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
  std::int64_t number(const std::string& sql) {
    sqlite3_stmt* row = nullptr;
    sqlite3_prepare_v2(db_, sql.c_str(), -1, &row, nullptr);
    const std::int64_t value = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : -1;
    sqlite3_finalize(row);
    return value;
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
    std::vector<std::vector<sqlite3_value*>> rows;
    while (sqlite3_step(read) == SQLITE_ROW) {
      auto& row = rows.emplace_back();
      for (int i = 0; i < 8; ++i) row.push_back(sqlite3_value_dup(sqlite3_column_value(read, i)));
    }
    sqlite3_finalize(read);
    sqlite3_close(other);
    sqlite3_prepare_v2(db_, "INSERT INTO event VALUES (?1,?2,?3,?4,?5,?6,?7,?8)", -1, &insert,
                       nullptr);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % 1000 == 0) run(i == 0 ? "BEGIN IMMEDIATE" : "COMMIT; BEGIN IMMEDIATE");
      for (int c = 0; c < 8; ++c)
        sqlite3_bind_value(insert, c + 1, rows[i][static_cast<std::size_t>(c)]);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    run("COMMIT");
    append_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sqlite3_finalize(insert);
    for (auto& row : rows) {
      for (sqlite3_value* value : row) sqlite3_value_free(value);
    }
  }
  double append_seconds = 0;  // of the last append_events(), without the reading

 private:
  sqlite3* db_ = nullptr;
};

}  // namespace hebb::bench
