// A ledger on a PostgreSQL server, beside what that server does by itself: the same rows inserted
// or copied into a table without an order, by the same client; and beside a ledger in a file. The
// server is one of its own on this machine, with fsync and synchronous_commit. Each machine is a
// process with a cache folder of its own. What is compared takes turns, and a figure is the median
// of the rounds.
//
//   bench_scale [--smoke | --quick]
#include <filesystem>
#include <map>
#include <string_view>

#include "bench/serving.h"
#include "bench/world.h"
#include "engine/tables.h"
#include "sql/postgres/connection.h"
#include "sql/upstream.h"
#include "tests/support/cluster.h"

namespace {

using namespace hebb;
using namespace hebb::bench;
namespace fs = std::filesystem;

constexpr int kWaitMs = 120'000;
constexpr std::size_t kEdges = 1'000;  // of the world whose tasks get outcomes

struct Sizes {
  int rounds = 5, writers = 8;
  int alone = 2'000, each = 500;   // single events of one writer, and of one of eight
  std::size_t imported = 100'000;  // events
  int claims = 2'000, commands = 21;
  int rounds_of_long = 3;
  std::size_t followed = 1'000'000, behind = 10'000;
  int idle = 1'000, asked = 50;  // ledgers without writers, and how many one ranking reads
};
constexpr Sizes kQuick{3, 8, 500, 100, 20'000, 400, 7, 1, 100'000, 10'000, 1'000, 50};
constexpr Sizes kSmoke{1, 2, 50, 25, 2'000, 50, 1, 1, 5'000, 1'000, 20, 5};

// By the name of a figure, the rounds' values.
using Rounds = std::map<std::string, std::vector<double>>;

// --- the world -----------------------------------------------------------------------------------

class Place {
 public:
  Place() : cluster_({.fsync = true, .password = "", .own_identifier = false}) {
    if (::mkdtemp(folder_.data()) == nullptr) std::exit(1);
    // PostgreSQL's default.
    cluster_.sql("ALTER SYSTEM SET shared_buffers = '128MB'");
    cluster_.restart();
  }
  ~Place() { fs::remove_all(folder_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  test::Cluster& cluster() { return cluster_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  std::string server() const { return cluster_.url(); }
  std::string url(const std::string& ledger) const { return server() + "&ledger=" + ledger; }
  std::string new_name() { return fmt::format("w{}", ++names_); }
  // From now on this process is another machine.
  void be_machine(const std::string& name) const {
    ::setenv("XDG_CACHE_HOME", file(name).c_str(), 1);
  }
  void import(const std::string& db, const std::string& log) const {
    hebb::bench::run({HEBB_BINARY, "--db", db, "--now", std::to_string(kStart + 2 * kDay), "import",
                      "--max-size", "8GiB", log});
  }
  // A new ledger with the events of the log.
  std::string ledger(const std::string& log) {
    std::string made = url(new_name());
    be_machine(new_name());
    hebb::bench::run({HEBB_BINARY, "--db", made, "init"});
    import(made, log);
    return made;
  }
  // A fresh table with the columns and keys of the events.
  void make_floor() {
    cluster_.sql(
        "DROP TABLE IF EXISTS plain; CREATE TABLE plain (LIKE hebb.event INCLUDING ALL); "
        "CHECKPOINT");
  }

 private:
  test::Cluster cluster_;
  std::string folder_ = (fs::temp_directory_path() / "hebb-scale-XXXXXX").string();
  int names_ = 0;
};

EngineOptions opened(const std::string& path) {
  EngineOptions options;
  options.path = path;
  options.busy_timeout_ms = kWaitMs;
  return options;
}

// Runs `work` with the numbers below `count`, in turn.
Step counting(int count, std::function<void(int)> work) {
  return [count, work = std::move(work), n = 0]() mutable -> std::optional<std::int64_t> {
    if (n == count) return std::nullopt;
    work(n);
    return n++;
  };
}

// --- single events -------------------------------------------------------------------------------

Step insert_rows(const Place& place, int me, int count) {
  auto to = std::make_shared<postgres::Connection>(place.server(), kWaitMs);
  return counting(count, [to, me](int n) {
    postgres::Arguments row;
    const std::int64_t number = me * 1'000'000LL + n;
    row.text("floor").integer(number).integer(kStart).text("outcome");
    row.text(fmt::format("task-{}", n % 100)).text(fmt::format("outcome/{:032x}", number));
    row.text(R"({"agent":"","input":{"id":""},"outcome":"failure"})").integer(number * 7919);
    to->ask("INSERT INTO plain VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8)", std::move(row));
  });
}

Step append_outcomes(const Place& place, const std::string& url, int me, int count) {
  place.be_machine(fmt::format("writer{}-{}", ::getpid(), me));
  auto engine = std::make_shared<Engine>(opened(url));
  engine->state();
  return counting(count, [engine](int n) {
    engine->append(outcome(static_cast<std::size_t>(n) % 100, OutcomeKind::failure,
                           kStart + 2 * kDay + 1000 * n));
  });
}

Step post_outcomes(int port, int me, int count) {
  const int fd = connect_to(port);
  return counting(count, [fd, port, me](int n) {
    const std::string body = R"({"outcome":"failure"})";
    write_all(fd, fmt::format("POST /v1/tasks/task-{}/outcome HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                              "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                              (12 * me + n) % 100, port, body.size(), body));
    read_answer(fd);
  });
}

void take_singles(Place& place, const Sizes& sizes, const std::string& log, Rounds& rounds) {
  const auto note = [&](const char* name, const Race& raced) {
    rounds[name].push_back(raced.per_second());
  };
  const auto inserting = [&](int processes, int count) {
    place.make_floor();
    return race(processes, [&](int me) { return insert_rows(place, me, count); });
  };
  const std::string alone = place.ledger(log), served = place.ledger(log);
  std::vector<std::string> own;
  while (std::ssize(own) < sizes.writers) own.push_back(place.ledger(log));
  note("insert, 1", inserting(1, sizes.alone));
  note("hebb, 1", race(1, [&](int me) { return append_outcomes(place, alone, me, sizes.alone); }));
  note("insert, 8", inserting(sizes.writers, sizes.each));
  {
    place.be_machine(place.new_name());
    const Serving serving(served);
    note("served", race(sizes.writers,
                        [&](int me) { return post_outcomes(serving.port(), me, sizes.each); }));
  }
  note("own ledgers", race(sizes.writers, [&](int me) {
         return append_outcomes(place, own[static_cast<std::size_t>(me)], me, sizes.each);
       }));
}

// --- many events ---------------------------------------------------------------------------------

Size events_of(std::size_t events) {
  Size size;
  size.edges = events / 11 * 10;
  return size;
}

void take_batches(Place& place, const std::string& log, std::size_t events, Rounds& rounds) {
  const std::string ledger = place.new_name(), url = place.url(ledger), file = place.file("b.db");
  place.be_machine(ledger);
  hebb::bench::run({HEBB_BINARY, "--db", url, "init"});
  const auto note = [&](const char* name, double took) {
    rounds[name].push_back(static_cast<double>(events) / took);
  };
  note("import to server", seconds([&] { place.import(url, log); }));
  note("import to file", seconds([&] { place.import(file, log); }));
  fs::remove(file);
  const std::string rows = place.cluster().value("current_setting('data_directory')") + "/rows";
  place.cluster().sql(
      fmt::format("COPY (SELECT * FROM hebb.event WHERE ledger = '{}' ORDER BY position) TO '{}'",
                  ledger, rows));
  place.make_floor();
  const std::string copy = fmt::format("COPY plain FROM '{}'", rows);
  note("COPY", seconds([&] { place.cluster().sql(copy); }));
}

void take_following(Place& place, const std::string& log, std::size_t events,
                    const std::string& url, Rounds& rounds) {
  const std::string file = place.file("f.db"), machine = place.new_name();
  const auto note = [&](const char* name, double took) {
    rounds[name].push_back(static_cast<double>(events) / took);
  };
  note("import", seconds([&] { place.import(file, log); }));
  fs::remove(file);
  note("follow", race(1, [&](int) {
                   place.be_machine(machine);
                   return counting(1, [&](int) { const Engine engine(opened(url)); });
                 }).seconds);
  fs::remove_all(place.file(machine));
}

// --- claims --------------------------------------------------------------------------------------

Step claim_all(const std::string& db, int me) {
  auto engine = std::make_shared<Engine>(opened(db));
  engine->state();
  ClaimNext next;
  next.agent = fmt::format("p{}", me);
  next.now = kStart + 2 * kDay;
  return [engine, next]() -> std::optional<std::int64_t> {
    const auto got = engine->claim_next(next);
    if (got.empty()) return std::nullopt;
    return got[0].claim.token;
  };
}

void take_claims(Place& place, const Sizes& sizes, Rounds& rounds) {
  const int claims = sizes.claims;
  const std::string log = place.file("tasks.jsonl"), file = place.file("c.db");
  std::ofstream out(log);
  for (int i = 0; i < claims; ++i) {
    out << fmt::format(R"({{"kind":"node","at":{},"id":"t{}","type":"TASK","state":"OPEN"}})",
                       kStart + i, i)
        << '\n';
  }
  out.close();
  const std::string url = place.ledger(log);
  place.import(file, log);
  const auto note = [&](const std::string& name, const Race& raced) {
    rounds[name].push_back(raced.per_second());
    rounds[name + ", p99"].push_back(quantile(raced.times, 0.99));
    if (raced.numbers.size() == static_cast<std::size_t>(claims)) return;
    fmt::print(stderr, "{}: {} claims of {} tasks\n", name, raced.numbers.size(), claims);
    std::exit(1);
  };
  note("claims of a file", race(sizes.writers, [&](int me) { return claim_all(file, me); }));
  note("claims of a server", race(sizes.writers, [&](int me) {
         place.be_machine(fmt::format("claimer{}-{}", ::getpid(), me));
         return claim_all(url, me);
       }));
  fs::remove(file);
}

// --- reading -------------------------------------------------------------------------------------

void take_ranking(Place& place, const std::string& log, int commands, Rounds& rounds) {
  const std::string file = place.file("r.db"), url = place.ledger(log) + "&behind=3600";
  place.import(file, log);
  for (int i = -1; i < commands; ++i) {
    for (const auto& [name, db] : {std::pair{"rank, file", file}, {"rank, copy", url}}) {
      const double took = seconds([&] { hebb::bench::run({HEBB_BINARY, "--db", db, "rank"}); });
      if (i >= 0) rounds[name].push_back(1e3 * took);  // the first one makes the graph cache
    }
  }
  fs::remove(file);
}

// The milliseconds until a machine that is behind ranks by all that others have appended.
void take_behind(Place& place, const std::string& log, std::size_t events, Rounds& rounds) {
  const std::string url = place.ledger(log), more = place.file("more.jsonl"),
                    other = place.new_name(), behind = place.new_name();
  std::ofstream out(more);
  for (std::size_t i = 0; i < events; ++i) {
    out << fmt::format(
               R"({{"kind":"edge","at":{},"source":"task-{}","target":"task-{}","type":"RELATES"}})",
               kStart + kDay + static_cast<TimeMs>(i), i % 1000, i * 7919 % 1000)
        << '\n';
  }
  out.close();
  const Race raced = race(1, [&](int) {
    place.be_machine(behind);
    auto engine = std::make_shared<Engine>(opened(url));
    engine->rank({});
    place.be_machine(other);
    place.import(url, more);
    return counting(1, [engine](int) {
      sql::Database& copy = tables_of(*engine);
      copy.upstream()->freshen(copy, 0);
      engine->rank({});
    });
  });
  rounds["behind"].push_back(raced.times[0]);
}

// The cost of a ledger without writers: KiB on the server beside its events, and milliseconds in a
// ranking of several ledgers, each of which asks the server for new events.
void take_idle(Place& place, const Sizes& sizes, Rounds& rounds) {
  const auto kib = [&] {
    return std::stod(place.cluster().value("pg_database_size(current_database())")) / 1024;
  };
  const double before = kib();
  place.cluster().sql(fmt::format(
      "SELECT hebb.create_ledger('idle' || n) FROM generate_series(1, {}) AS n", sizes.idle));
  rounds["idle, KiB"].push_back((kib() - before) / sizes.idle);
  const std::string log = place.file("idle.jsonl");
  std::ofstream(log) << R"({"kind":"node","at":1700000000000,"id":"t","type":"TASK"})" << '\n';
  place.be_machine(place.new_name());
  std::vector<std::string> files{HEBB_BINARY}, copies{HEBB_BINARY};
  for (int i = 1; i <= sizes.asked; ++i) {
    const std::string file = place.file(fmt::format("idle{}.db", i));
    const std::string url = place.url(fmt::format("idle{}", i)) + "&behind=0";
    hebb::bench::run({HEBB_BINARY, "--db", file, "init"});
    place.import(file, log);
    place.import(url, log);
    files.insert(files.end(), {"--db", file});
    copies.insert(copies.end(), {"--db", url});
  }
  for (int i = -1; i < sizes.commands; ++i) {
    for (auto [name, command] : {std::pair{"idle, files", files}, {"idle, copies", copies}}) {
      command.emplace_back("rank");
      const double took = seconds([&] { hebb::bench::run(command); });
      if (i >= 0) rounds[name].push_back(1e3 * took / sizes.asked);  // the first makes the copies
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const Sizes sizes = mode == "--smoke" ? kSmoke : mode == "--quick" ? kQuick : Sizes{};
  Place place;
  const std::string small = place.file("small.jsonl"), middle = place.file("middle.jsonl"),
                    many = place.file("many.jsonl"), most = place.file("most.jsonl");
  const Size of_small{.edges = kEdges}, of_middle{.edges = 10 * kEdges},
      of_many = events_of(sizes.imported), of_most = events_of(sizes.followed);
  write_history(small, of_small);
  write_history(middle, of_middle);
  write_history(many, of_many);
  write_history(most, of_most);
  const auto events = [](const Size& size) { return size.edges + size.tasks() + kLabels; };

  Rounds rounds;
  for (int round = 0; round < sizes.rounds; ++round) {
    take_singles(place, sizes, small, rounds);
    take_batches(place, many, events(of_many), rounds);
    take_claims(place, sizes, rounds);
    take_behind(place, middle, sizes.behind, rounds);
  }
  take_ranking(place, middle, sizes.commands, rounds);
  take_idle(place, sizes, rounds);
  const std::string followed = place.ledger(most);
  for (int round = 0; round < sizes.rounds_of_long; ++round)
    take_following(place, most, events(of_most), followed, rounds);

  Table rows("PostgreSQL on this machine");
  const auto median_of = [&](const char* name) { return median(rounds.at(name)); };
  const auto add = [&](const std::string& name, const char* unit, const char* value,
                       const std::string& floor_name, const char* floor, const std::string& target,
                       double limit, double broken) {
    Row row{name, unit, median_of(value), floor_name, median_of(floor), target, {}, broken};
    const double ratio = row.value / *row.floor;
    if (!target.empty()) row.met = row.more_is_better() ? ratio >= limit : ratio <= limit;
    rows.add(row);
  };
  add("single events, 1 writer", "events/s", "hebb, 1", "INSERT", "insert, 1", "at least .6", .6,
      .04);
  add("single events, 8 clients of one serve", "events/s", "served", "INSERT", "insert, 8",
      "at least .4", .4, .03);
  add("single events, 8 writers on 8 ledgers", "events/s", "own ledgers", "INSERT", "insert, 8",
      "at least .8", .8, .04);
  add("import", "events/s", "import to server", "COPY", "COPY", "at least .85", .85, .02);
  add("import, beside a file", "events/s", "import to server", "import to a file", "import to file",
      "", 0, .07);
  add("claims, 8 machines", "claims/s", "claims of a server", "8 processes on a file",
      "claims of a file", "at least 1.5", 1.5, .05);
  const double slowest = median_of("claims of a server, p99");
  rows.add({"claims, 8 machines: 99th percentile",
            "ms",
            slowest,
            "8 processes on a file",
            median_of("claims of a file, p99"),
            "under 15 ms",
            slowest < 15,
            {}});
  add("hebb rank, a command on a copy", "ms", "rank, copy", "on a file", "rank, file",
      "at most 1.1", 1.1, 10);
  add("following into an empty copy", "events/s", "follow", "import to a file", "import",
      "at least .8", .8, .08);
  rows.add({fmt::format("rank, {} events behind", sizes.behind),
            "ms",
            median_of("behind"),
            "",
            {},
            "under 250 ms",
            median_of("behind") < 250,
            {}});
  rows.add({"an idle ledger, on the server", "KiB", median_of("idle, KiB"), "", {}, "", {}, {}});
  add("an idle ledger, in a ranking of several", "ms", "idle, copies", "of files", "idle, files",
      "", 0, 50);
  return mode == "--smoke" && !rows.check() ? 1 : 0;
}
