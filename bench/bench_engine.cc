// The engine's times compared with those of the work below it, in one run: ingesting outcomes with
// writing the same texts with SQLite alone, opening a database with reading its rows, ranking with
// a pass over the same edges.
//
// Rounds are interleaved, figures are medians. Arguments: --smoke for one round on a small graph.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "engine/engine.h"

namespace {

using namespace hebb;
namespace fs = std::filesystem;

constexpr TimeMs kStart = 1'700'000'000'000;

struct Size {
  int tasks = 100'000, edges = 1'000'000, outcomes = 50'000, rounds = 5;
};

std::string history(const Size& size) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += fmt::format("{{\"kind\":\"node\",\"at\":{},\"id\":\"label-{}\",\"type\":\"LABEL\"}}\n",
                        kStart, i);
  }
  for (int i = 0; i < size.tasks; ++i) {
    text += fmt::format(
        "{{\"kind\":\"node\",\"at\":{},\"id\":\"task-{}\",\"type\":\"TASK\",\"state\":\"OPEN\"}}\n",
        kStart + i, i);
  }
  const auto any = [&] { return random() % static_cast<unsigned>(size.tasks); };
  for (int i = 0; i < size.edges; ++i) {
    const TimeMs at = kStart + size.tasks + i;
    text += i % 10 == 0 ? fmt::format(
                              "{{\"kind\":\"edge\",\"at\":{},\"source\":\"task-{}\",\"target\":"
                              "\"label-{}\",\"type\":\"LABELED_AS\"}}\n",
                              at, any(), random() % 100)
                        : fmt::format(
                              "{{\"kind\":\"edge\",\"at\":{},\"source\":\"task-{}\",\"target\":"
                              "\"task-{}\",\"type\":\"RELATES\"}}\n",
                              at, any(), any());
  }
  return text;
}

std::vector<std::string> outcomes(const Size& size, int round) {
  std::mt19937 random(static_cast<unsigned>(round) + 2);
  std::vector<std::string> lines;
  for (int i = 0; i < size.outcomes; ++i) {
    lines.push_back(fmt::format(
        "{{\"id\":\"run-{}-{}\",\"taskId\":\"task-{}\",\"outcome\":\"{}\",\"timestamp\":{}}}\n",
        round, i, random() % static_cast<unsigned>(size.tasks), i % 3 ? "failure" : "partial",
        kStart + 86'400'000LL * (round + 1) + i));
  }
  return lines;
}

void run(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    std::fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
    std::exit(1);
  }
}

// The lower bound of ingesting: one row for each outcome, unique by key, in transactions of the
// same size.
void write_rows(sqlite3* db, const std::vector<std::string>& lines, int round) {
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(db, "INSERT INTO event VALUES (NULL, ?1, ?2)", -1, &insert, nullptr);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % 1000 == 0) run(db, i == 0 ? "BEGIN" : "COMMIT; BEGIN");
    const std::string key = fmt::format("{}-{}", round, i);
    sqlite3_bind_text(insert, 1, key.data(), static_cast<int>(key.size()), SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, lines[i].data(), static_cast<int>(lines[i].size()), nullptr);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  run(db, "COMMIT");
  sqlite3_finalize(insert);
}

// The lower bound of opening: every row that a graph is made of, read once.
void read_rows(const std::string& path) {
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  run(db,
      "SELECT sum(length(id) + key + coalesce(outcome_at, 0)) FROM node;"
      "SELECT sum(source + target + type + weight + touched_at + gained) FROM edge");
  sqlite3_close(db);
}

const Format& format_named(std::string_view name) {
  return *std::find_if(formats().begin(), formats().end(),
                       [&](const Format& f) { return f.name == name; });
}

void ingest(Engine& engine, std::string_view content, std::string_view format) {
  IngestRequest request;
  request.content = content;
  request.file = "bench";
  request.format = &format_named(format);
  request.read.now = kStart;
  if (engine.ingest(request).refused != 0) std::exit(1);
  engine.sync();
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double g_sink = 0;

void pass_over(const State& state) {
  const auto& g = state.graph();
  const auto& c = g.edges();
  for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
    g_sink += c.weight[e] * static_cast<double>(g.target(e) + g.type(e)) +
              static_cast<double>(c.touched_at[e]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Size size;
  if (argc > 1 && std::string_view(argv[1]) == "--smoke") size = {1000, 5000, 1000, 1};
  std::string folder = (fs::temp_directory_path() / "hebb-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  EngineOptions options;
  options.path = folder + "/hebb.db";
  Engine engine(options);
  const double import = seconds([&] { ingest(engine, history(size), "history"); });
  sqlite3* plain = nullptr;
  sqlite3_open((folder + "/plain.db").c_str(), &plain);
  run(plain,
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "CREATE TABLE event (position INTEGER PRIMARY KEY, key TEXT UNIQUE, payload TEXT)");

  EngineOptions without_image = options;
  without_image.image_from = std::numeric_limits<std::size_t>::max();
  std::vector<double> take, take_floor, open, open_rows, open_floor, image, rank, rank_floor;
  for (int round = 0; round < size.rounds; ++round) {
    const auto lines = outcomes(size, round);
    std::string content;
    for (const auto& line : lines) content += line;
    take_floor.push_back(seconds([&] { write_rows(plain, lines, round); }));
    take.push_back(seconds([&] { ingest(engine, content, "outcome"); }));
    open_floor.push_back(seconds([&] { read_rows(options.path); }));
    open_rows.push_back(seconds([&] { Engine(without_image).state(); }));
    image.push_back(seconds([&] { engine.recalibrate(kStart + 86'400'000LL * (round + 2)); }));
    open.push_back(seconds([&] { Engine(options).state(); }));
    const State& state = engine.state();
    rank_floor.push_back(seconds([&] { pass_over(state); }));
    RankQuery query;
    query.now = kStart + 86'400'000LL * (round + 2);
    rank.push_back(seconds([&] { g_sink += static_cast<double>(engine.rank(query).size()); }));
  }
  sqlite3_close(plain);
  fs::remove_all(folder);

  std::printf("%d tasks, %d edges, %d outcomes a round, %d rounds; import %.1f s\n", size.tasks,
              size.edges, size.outcomes, size.rounds, import);
  const auto print = [](const char* what, const std::vector<double>& work,
                        const std::vector<double>& floor, const char* of) {
    std::printf("%-34s %9.1f ms  %6.1f x %s\n", what, 1000 * median(work),
                median(work) / median(floor), of);
  };
  print("outcomes taken in", take, take_floor, "SQLite writing the same texts");
  print("opened with an image", open, open_floor, "SQLite reading the rows");
  print("opened without an image", open_rows, open_floor, "SQLite reading the rows");
  print("recalibrated, image and mirror", image, open_floor, "SQLite reading the rows");
  print("all tasks ranked at another time", rank, rank_floor, "a pass over the edges");
  return g_sink == 0;
}
