// An outcome (appended, folded, ranked, and shown to SQL) beside what people would write instead:
// forty lines of numpy and sqlite3 (numpy_peer.py). Each is a process of its own, one after the
// other, and a figure is the median of the rounds.
//
//   bench_peers [--smoke] [EDGES …]
#include <string_view>

#include "bench/measure.h"
#include "bench/world.h"

namespace {

using namespace hebb;
using namespace hebb::bench;
namespace fs = std::filesystem;

constexpr int kOutcomes = 60;

// The output of the program, as a number.
double printed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += "'" + word + "' ";
  FILE* pipe = ::popen(line.c_str(), "r");
  double value = 0;
  const bool read = pipe != nullptr && std::fscanf(pipe, "%lf", &value) == 1;
  if (!read || ::pclose(pipe) != 0) {
    std::fprintf(stderr, "failed: %s\n", line.c_str());
    std::exit(1);
  }
  return value;
}

// The tasks that succeed: closed ones, so that the open ones stay open, with vectors, so that each
// success moves the focus of the ranking.
std::size_t done_task(const Size& size, std::size_t i) { return 1 + i * size.open_in; }

void make_world(const std::string& path, const Size& size, bool recalibrates) {
  const std::string log = path + ".jsonl";
  write_history(log, size);
  hebb::bench::run({HEBB_BINARY, "--db", path, "--now", std::to_string(kStart + kDay), "import",
                    "--max-size", "8GiB", log});
  fs::remove(log);
  Engine engine({.path = path});
  give_vectors(engine, size);
  std::mt19937 random(2);
  for (std::size_t i = 0; i < kOutcomes && done_task(size, i) < size.tasks(); ++i) {
    NodeUpsert node;
    node.vector = any_vector(random);
    node.embedder = "bench";
    engine.append(
        Event{0, kStart + kDay - 1, fmt::format("task-{}", done_task(size, i)), "", node});
  }
  if (recalibrates) engine.recalibrate(kStart + kDay);
  engine.sync();
}

// In a process of its own: prints the median of the outcomes, in milliseconds.
int measure(const std::string& path, const Size& size) {
  Engine engine({.path = path});
  const TimeMs now = std::max(engine.state().facts().latest.at, kStart + kDay);
  std::vector<double> times;
  for (int i = 0; i < kOutcomes; ++i) {
    const std::size_t task = done_task(size, static_cast<std::size_t>(i) % 9);
    times.push_back(
        seconds([&] { engine.append(outcome(task, OutcomeKind::success, now + 1000 * (i + 1))); }));
  }
  std::printf("%f\n", 1000 * median(times));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--measure")
    return measure(argv[2], size_of(argv[3]));
  const bool smoke = argc > 1 && std::string_view(argv[1]) == "--smoke";
  std::vector<std::string> worlds(argv + 1 + smoke, argv + argc);
  if (worlds.empty())
    worlds = smoke ? std::vector<std::string>{"10000"}
                   : std::vector<std::string>{"10000", "100000", "1000000"};
  const std::string script = HEBB_SOURCE_DIR "/bench/numpy_peer.py";
  bool whole = true;
  for (const std::string& world : worlds) {
    const Size size = size_of(world);
    std::string folder = (fs::temp_directory_path() / "hebb-bench-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    make_world(folder + "/recalibrated.db", size, true);
    make_world(folder + "/not.db", size, false);
    Table table(fmt::format("{} edges", size.edges));
    std::vector<double> peer, recalibrated, not_recalibrated;
    for (int round = 0; round < (smoke ? 1 : size.rounds); ++round) {
      peer.push_back(printed({"/usr/bin/python3", script, folder, world}));
      recalibrated.push_back(printed({argv[0], "--measure", folder + "/recalibrated.db", world}));
      not_recalibrated.push_back(printed({argv[0], "--measure", folder + "/not.db", world}));
    }
    const double floor = median(peer), limit = size.edges >= 10'000'000 ? .3 : .6;
    const auto add = [&](const std::string& name, const std::vector<double>& values) {
      const double value = median(values);
      table.add({name, "ms", value, "numpy and sqlite3", floor, fmt::format("at most {}", limit),
                 value <= limit * floor, 6});
    };
    add("hebb", recalibrated);
    add("hebb, never recalibrated", not_recalibrated);
    whole = whole && (!smoke || table.check());
    fs::remove_all(folder);
  }
  return whole ? 0 : 1;
}
