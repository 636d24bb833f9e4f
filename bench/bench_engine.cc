// The engine, by itself and as a process, each figure beside its floor: the least work that any
// program could do for the same result, in the same run.
//
//   bench_engine [--smoke | --quick] [EDGES[,all-open] …]
//
// A world is a number of edges; "all-open": all tasks are open, not one in ten. Without worlds: all
// of kWorlds; --quick: its first two; --smoke: a small world once, which fails where a ratio is
// beyond Row::broken_ratio.
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <string_view>
#include <thread>

#include "bench/measure.h"
#include "bench/world.h"
#include "reward/ranking.h"

namespace {

using namespace hebb;
using namespace hebb::bench;
namespace fs = std::filesystem;

double g_sink = 0;

class Bench {
 public:
  Bench(const Size& size, std::string folder)
      : size_(size),
        folder_(std::move(folder)),
        path_(folder_ + "/hebb.db"),
        table_(fmt::format("{} edges{}", size.edges, size.open_in == 1 ? ", all open" : ""),
               fmt::format(": {} tasks, {} of them open, with vectors of {} numbers", size.tasks(),
                           size.tasks() / size.open_in, kDimension)) {
    options_.path = path_;
  }

  void run() {
    import();
    Engine engine(options_);
    give_vectors(engine, size_);
    for (std::size_t i = 0; i < 4; ++i) {
      // Of closed tasks, so that the open ones stay open.
      engine.append(outcome(1 + i * size_.open_in, OutcomeKind::success, kStart + kDay - 100));
    }
    engine.recalibrate(now_ = kStart + kDay);
    candidates_ = size_.tasks() / size_.open_in;
    open();
    processes();
    one_outcome(engine);
    rank_new_focus(engine);
    batches(engine);
    recalibrate(engine);
    late(engine);
    rank_while_ingesting(engine);
    upkeep(engine);
    memory(engine);
  }
  bool check() const { return table_.check(); }

 private:
  double candidates() const { return static_cast<double>(candidates_); }
  std::vector<double> rounds(const std::function<void()>& work) const {
    std::vector<double> times;
    for (int i = 0; i < size_.rounds; ++i) times.push_back(seconds(work));
    return times;
  }

  void import() {
    const std::string log = folder_ + "/history.jsonl";
    write_history(log, size_);
    double memory = 0;
    const double time = seconds([&] {
      memory = hebb::bench::run({HEBB_BINARY, "--db", path_, "--now", std::to_string(kStart + kDay),
                                 "import", "--max-size", "8GiB", log});
    });
    fs::remove(log);
    if (size_.open_in == 1)
      return;  // the world of the same size has measured it; its floor takes long
    const std::string copy = folder_ + "/floor.db";
    Engine(options_).back_up(copy, true);
    double floor = 0;
    {
      Plain plain(copy);
      plain.run("DELETE FROM event; DELETE FROM edge; DELETE FROM ranking");
      plain.run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
      plain.append_events(path_, 0);
      floor = plain.append_seconds;
    }
    fs::remove(copy);
    const auto events = static_cast<double>(size_.edges + size_.tasks() + kLabels);
    // The floor only appends finished rows; the import also reads, checks and folds them, and
    // writes the mirror.
    table_.add({"import of the whole log", "events/s", events / time, "appending its rows by hand",
                events / floor, "at least .5", time <= 2 * floor, .04});
    const double graph = graph_bytes(Engine(options_).state());
    table_.add({"peak memory of the import", "MB", memory / 1e6, "the graph in memory", graph / 1e6,
                "at most 1.3", memory <= 1.3 * graph});
  }

  static double graph_bytes(const State& s) {
    const auto& g = s.graph();
    double ids = 0;
    for (graph::NodeId n = 0; n < g.node_bound(); ++n)
      ids += static_cast<double>(g.id(n).size()) + 8;
    return static_cast<double>(g.memory_bytes()) + ids;
  }

  void open() {
    EngineOptions without = options_;
    without.graph_cache_from = std::numeric_limits<std::size_t>::max();
    const auto scan = rounds([&] {
      Plain plain(path_);
      g_sink += static_cast<double>(plain.number(
          "SELECT sum(length(id) + key + coalesce(created_at, 0) + coalesce(updated_at, 0) + "
          "coalesce(outcome_at, 0)) FROM node"));
      g_sink += static_cast<double>(plain.number(
          "SELECT sum(source + target + type + weight + touched_at + gained) FROM edge"));
    });
    const double cache = 1000 * median(rounds([&] { Engine(options_).state(); }));
    const double rows = 1000 * median(rounds([&] { Engine(without).state(); }));
    const double floor = 1000 * median(scan);
    table_.add({"open, with the graph cache", "ms", cache, "a scan of the rows", floor,
                "under 5 ms", cache < 5, 3});
    table_.add({"open, without it", "ms", rows, "a scan of the rows", floor, "at most 1.5",
                rows <= 1.5 * floor, 30});
  }

  void process(
      const std::string& name, double limit, std::vector<std::string> words,
      const std::function<void()>& before = [] {}) {
    std::vector<std::string> command{HEBB_BINARY, "--db", path_};
    command.insert(command.end(), words.begin(), words.end());
    std::vector<double> times, floors;
    for (int i = 0; i < size_.rounds; ++i) {
      before();
      floors.push_back(1000 * seconds([&] { hebb::bench::run({HEBB_BINARY, "--version"}); }));
      times.push_back(1000 * seconds([&] { hebb::bench::run(command); }));
    }
    const double time = median(times);
    table_.add({name, "ms", time, "hebb --version", median(floors),
                fmt::format("under {} ms", limit), time < limit, 40});
  }

  void processes() {
    const std::string file = folder_ + "/outcome.json";
    const auto write = [&] {
      std::ofstream(file) << fmt::format(
          R"({{"id":"run-{}","taskId":"task-{}","outcome":"success","timestamp":{}}})", ++tick_,
          size_.open_in * 3, now_ + 1000 * tick_);
    };
    process("hebb rank, a command", 20, {"rank"});
    process("hebb explain TASK, a command", 50, {"explain", "task-0"});
    const double limit = candidates() <= 1000 ? 15 : 60;
    process("hebb ingest of a success, a command", limit,
            {"--now", std::to_string(now_ + kDay), "ingest", file}, write);
    process("hebb rank --near, a command", 100, {"rank", "--near", "task-0"});
  }

  // An outcome: appended, folded, ranked and mirrored in one commit. Beside it a transaction of one
  // row, which waits for the disk as often.
  void one_outcome(Engine& engine) {
    Plain plain(folder_ + "/commit.db");
    plain.run("CREATE TABLE IF NOT EXISTS t (k INTEGER PRIMARY KEY, v TEXT)");
    for (const auto kind : {OutcomeKind::failure, OutcomeKind::success}) {
      const bool success = kind == OutcomeKind::success;
      std::vector<double> times, commits;
      for (int i = 0; i < 3 * size_.rounds; ++i) {
        const std::size_t task = success ? 1 + size_.open_in * (i % 50) : size_.open_in * (i % 50);
        commits.push_back(seconds([&] { plain.run("INSERT INTO t (v) VALUES ('x')"); }));
        times.push_back(
            seconds([&] { engine.append(outcome(task, kind, now_ + 1000 * ++tick_)); }));
      }
      const double commit = 1000 * median(commits);
      const double limit = 3 * commit + candidates() * 150e-6;
      table_.add({success ? "taking a success" : "taking a failure", "ms", 1000 * median(times),
                  "a bare commit", commit,
                  fmt::format("3 commits + 150 ns a candidate: {:.2f} ms", limit),
                  1000 * median(times) <= limit, 300});
    }
  }

  // All candidates by a focus without a kept ranking, beside a pass over their vectors and rows.
  void rank_new_focus(Engine& engine) {
    RankQuery query;
    query.top = 10;
    std::mt19937 random(7);
    query.vector = any_vector(random);
    engine.rank(query);
    const State& s = engine.state();
    State& writable = const_cast<State&>(s);  // the floor reads the rows of the kept ranking
    const reward::Ranking& ranking = writable.ranking(s.facts().ranked_at());
    const auto rows = ranking.open();
    std::vector<double> times, floors;
    for (int i = 0; i < 2 * size_.rounds; ++i) {
      query.vector[0] += 0.01F;
      floors.push_back(1000 * seconds([&] {
                         for (const reward::Candidate& row : rows) {
                           const auto vector = s.vectors().row(row.node);
                           double sum = ranking.factors_of(row).priority + row.evidence.structural;
                           for (std::size_t k = 0; k < vector.size(); ++k) {
                             const double d = static_cast<double>(vector[k]) -
                                              static_cast<double>(query.vector[k]);
                             sum += d * d;
                           }
                           g_sink += std::sqrt(sum);
                         }
                       }));
      times.push_back(1000 *
                      seconds([&] { g_sink += static_cast<double>(engine.rank(query).size()); }));
    }
    table_.add({"rank all by a new vector", "ms", median(times), "a scan of vectors and rows",
                median(floors), "at most 1.3", median(times) <= 1.3 * median(floors), 60});
  }

  void batches(Engine& engine) {
    const std::string copy = folder_ + "/floor.db";
    engine.sync();
    engine.back_up(copy, true);
    std::mt19937 random(3);
    const int count = std::min<int>(20'000, static_cast<int>(size_.edges));
    std::int64_t before = engine.ledger().last_position();
    const double time = seconds([&] {
      for (int i = 0; i < count; i += 1000) {
        std::vector<Event> events;
        for (int k = 0; k < 1000; ++k) {
          const std::size_t task = random() % size_.tasks();
          events.push_back(outcome(task, random() % 2 ? OutcomeKind::failure : OutcomeKind::partial,
                                   now_ + 1000 * ++tick_));
        }
        engine.append(std::move(events));
      }
    });
    Plain plain(copy);
    plain.append_events(path_, before);
    const double n = count;
    table_.add({"outcomes in durable batches of 1000", "events/s", n / time,
                "appending their rows by hand", n / plain.append_seconds, "at least .7",
                time * 0.7 <= plain.append_seconds, .06});
    engine.sync();
    fs::remove(copy);
  }

  void recalibrate(Engine& engine) {
    const auto bytes = fs::exists(path_ + "-image") ? fs::file_size(path_ + "-image") : 4096;
    std::vector<double> times, floors;
    for (int i = 0; i < std::min(size_.rounds, 3); ++i) {
      floors.push_back(1000 * seconds([&] { write_file(bytes); }));
      times.push_back(1000 * seconds([&] { engine.recalibrate(now_ = now_ + kDay); }));
    }
    table_.add({"recalibrate, cache and tables written", "ms", median(times),
                "writing as many bytes", median(floors), "under 3 s", median(times) < 3000, 200});
  }

  void write_file(std::size_t bytes) const {
    const std::string file = folder_ + "/bytes";
    const std::vector<char> block(std::min<std::size_t>(bytes, 1 << 20), 'x');
    const int fd = ::open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    for (std::size_t done = 0; done < bytes; done += block.size()) {
      if (::write(fd, block.data(), block.size()) < 0) std::exit(1);
    }
    ::fsync(fd);
    ::close(fd);
    fs::remove(file);
  }

  void late(Engine& engine) {
    const std::size_t count = std::min<std::size_t>(10'000, size_.edges / 2);
    const auto links = [&](bool in_order) {
      std::vector<Event> events;
      for (std::size_t i = 0; i < count; ++i) {
        Event e;
        const auto at = static_cast<TimeMs>(in_order ? i : count - i);
        e.at = in_order ? now_ + 1000 * tick_ + at : kStart + kDay / 4 + at;
        e.subject = in_order ? "label-1" : "label-2";
        e.payload = Link{fmt::format("task-{}", (i * 7) % size_.tasks()), "RELATES", 1, {}};
        events.push_back(std::move(e));
      }
      tick_ += static_cast<TimeMs>(count);
      return events;
    };
    const double in_order = 1000 * seconds([&] { engine.append(links(true)); });
    // Then some links earlier than those of the label, so that they arrive out of order.
    engine.append(links(false));
    auto events = links(false);
    for (Event& e : events) e.at -= 500'000;
    const double time = 1000 * seconds([&] { engine.append(std::move(events)); });
    table_.add({fmt::format("{} late links of one label", count), "ms", time, "as many in order",
                in_order, "at most 3", time <= 3 * in_order, 30});
    engine.sync();
  }

  // Two engines, as two threads of a server have them: one takes outcomes, the other asks for the
  // ranking. The first outcome after opening is not measured: it copies the kept ranking out of the
  // cache.
  void rank_while_ingesting(Engine& writer) {
    Engine reader(options_);
    RankQuery query;
    query.top = 10;
    std::size_t i = 0;
    const auto take = [&] {
      writer.append(
          outcome(size_.open_in * (++i % 50), OutcomeKind::failure, now_ + 1000 * ++tick_));
    };
    const auto ask = [&] { g_sink += static_cast<double>(reader.rank(query).size()); };
    ask();
    take();
    ask();
    std::atomic<bool> done = false;
    std::thread thread([&] {
      while (!done) take();
    });
    std::vector<double> times(1000);
    for (double& time : times) time = 1000 * seconds(ask);
    done = true;
    thread.join();
    const double worst = quantile(times, 0.99);
    table_.add({"rank while another ingests, 99th percentile", "ms", worst, "its median",
                median(times), "under 10 ms", worst < 10});
  }

  void upkeep(Engine& engine) {
    engine.sync();
    std::vector<double> folds, verifies, rebuilds;
    for (int i = 0; i < (size_.edges >= 1'000'000 ? 1 : 3); ++i) {
      folds.push_back(1000 * seconds([&] {
                        const auto state = state_as_of(engine, now_ + 1000 * kDay);
                        g_sink += static_cast<double>(state.graph().num_edges());
                      }));
      verifies.push_back(1000 *
                         seconds([&] { g_sink += static_cast<double>(engine.verify().size()); }));
      rebuilds.push_back(1000 * seconds([&] { engine.rebuild(); }));
    }
    const double fold = median(folds), verify = median(verifies), rebuild = median(rebuilds);
    table_.add({"verify", "ms", verify, "reading the ledger and applying it", fold, "at most 2",
                verify <= 2 * fold, 120});
    table_.add({"rebuild", "ms", rebuild, "reading the ledger and applying it", fold, "at most 2",
                rebuild <= 2 * fold, 70});
  }

  void memory(Engine& engine) {
    const auto edges = static_cast<double>(engine.state().graph().num_edges());
    const double bytes = static_cast<double>(engine.state().graph().memory_bytes()) / edges;
    table_.add({"memory of an edge", "B", bytes, "", {}, "at most 60", bytes <= 60});
    if (!fs::exists(path_ + "-image")) return;
    const double cache = static_cast<double>(fs::file_size(path_ + "-image")) / edges;
    table_.add({"the graph cache, an edge, with vectors and ranking", "B", cache, "", {}, "", {}});
  }

  Size size_;
  std::string folder_, path_;
  EngineOptions options_;
  Table table_;
  TimeMs now_ = kStart + kDay;
  std::atomic<TimeMs> tick_ = 0;
  std::size_t candidates_ = 0;
};

// The worlds of a run without arguments: sizes, then variants.
const std::vector<std::string> kWorlds{"10000", "100000", "1000000", "1000000,all-open"};

// Whether no figure is broken.
bool measured(const std::string& world, bool smoke) {
  Size size = size_of(world);
  if (smoke) size.rounds = 3;
  std::string folder = (fs::temp_directory_path() / "hebb-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return false;
  Bench bench(size, folder);
  bench.run();
  fs::remove_all(folder);
  return (!smoke || bench.check()) && g_sink != 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> worlds;
  bool smoke = false, quick = false, whole = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (argument == "--smoke") {
      smoke = true;
    } else if (argument == "--quick") {
      quick = true;
    } else {
      worlds.emplace_back(argument);
    }
  }
  if (worlds.empty()) worlds = kWorlds;
  if (quick) worlds = {kWorlds[0], kWorlds[1]};
  if (smoke) worlds = {"30000"};  // enough for a graph cache
  for (const std::string& world : worlds)
    whole = in_child([&] { return measured(world, smoke); }) && whole;
  return whole ? 0 : 1;
}
