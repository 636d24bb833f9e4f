// --db more than once: rank over several databases.
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/cli/hebb.h"

namespace hebb::test {
namespace {

using Args = std::vector<std::string>;

// Two projects, a.db and b.db. Both have a task T-1.
class Projects {
 public:
  Projects() {
    for (const auto& [db, id, priority] : {std::tuple{"a.db", "T-1", "2"},
                                           {"a.db", "T-2", "0"},
                                           {"b.db", "T-1", "1"},
                                           {"b.db", "T-3", "3"}}) {
      const auto run =
          one(db, {"add", fmt::format("{} of {}", id, db), "--id", id, "--priority", priority});
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
    }
  }

  ProcessResult run(Args options, const Args& args) const {
    options.insert(options.begin(), HEBB_BINARY);
    options.insert(options.end(), {"--now", "2026-01-05T00:00:00Z"});
    options.insert(options.end(), args.begin(), args.end());
    ProcessOptions in;
    in.folder = folder_.path();
    return run_process(options, in);
  }
  ProcessResult one(const std::string& db, const Args& args) const {
    return run({"--db", db}, args);
  }
  ProcessResult both(const Args& args) const { return run({"--db", "a.db", "--db=b.db"}, args); }
  nlohmann::json json(Args args) const {
    args.push_back("--json");
    return nlohmann::json::parse(both(args).out);
  }

 private:
  Folder folder_;
};

Args places(const nlohmann::json& answer) {
  Args found;
  for (const auto& task : answer["tasks"])
    found.push_back(task["database"].get<std::string>() + " " + task["id"].get<std::string>());
  return found;
}

void check_says(const ProcessResult& run, int exit_code, const std::string& text) {
  INFO(run.out + run.err);
  CHECK(run.exit_code == exit_code);
  CHECK(run.err.find(text) != std::string::npos);
}

TEST_CASE("rank over several databases says of which each task is") {
  const Projects projects;
  const auto ranked = projects.json({"rank"});
  CHECK(places(ranked) == Args{"a.db T-2", "b.db T-1", "a.db T-1", "b.db T-3"});
  CHECK(ranked["total"] == 4);
  CHECK(ranked["tasks"][0]["relative"] == 1);
  CHECK(ranked["tasks"][3]["relative"] == Approx(1 / 1.7 / 1.7 / 1.7));
  CHECK(places(projects.json({"rank", "--limit", "2", "--offset", "1"})) ==
        Args{"b.db T-1", "a.db T-1"});
  const auto table = projects.both({"rank", "--limit", "2"});
  CHECK(lines_of(table.out).at(0) == "rank  id   database  name                   %  why");
  CHECK(lines_of(table.out).at(2).starts_with("   2  T-1  b.db      T-1 of b.db         58.8"));
  CHECK(table.err.find("2 more; --limit 4 shows all") != std::string::npos);
  CHECK(lines_of(projects.both({"rank", "--factors"}).out).at(1).starts_with("   1  T-2  a.db "));
  CHECK(projects.both({"-q", "rank", "--limit", "2", "--format", "ids"}).out ==
        "T-2\ta.db\nT-1\tb.db\n");
  CHECK(lines_of(projects.both({"rank", "--format", "slurm"}).out).at(1).ends_with("\tb.db"));
  // Of one, nothing is added.
  const auto alone = projects.one("a.db", {"rank", "--json"});
  CHECK(alone.out.find("database") == std::string::npos);
  CHECK(projects.one("a.db", {"-q", "rank", "--format", "ids"}).out == "T-2\nT-1\n");
}

TEST_CASE("a problem of one of several databases says of which") {
  const Projects projects;
  const Args gone{"--db", "a.db", "--db", "gone.db"};
  check_says(projects.run(gone, {"rank"}), 69, "hebb: gone.db: there is no database at gone.db");
  check_says(projects.both({"rank", "--label", "x"}), 0, "b.db: there is no label \"x\"");
}

TEST_CASE("what cannot be asked of several databases is refused") {
  const Projects projects;
  for (const Args& args : std::vector<Args>{{"ingest", "-"},
                                            {"add", "x"},
                                            {"claim", "list"},
                                            {"next"},
                                            {"serve"},
                                            {"mcp"},
                                            {"init"},
                                            {"stats"}}) {
    CAPTURE(args);
    const std::string command = args.front() == "claim" ? "claim list" : args.front();
    check_says(projects.both(args), 2,
               fmt::format("`hebb {}` works on one database; --db was given 2 times", command));
  }
  check_says(projects.run({"--db", "a.db", "--db", "./a.db"}, {"rank"}), 2,
             "--db names ./a.db twice");
  for (const Args& options : std::vector<Args>{{"rank", "--budget", "60"},
                                               {"rank", "--format", "ctest"},
                                               {"rank", "--format", "k8s"}}) {
    CAPTURE(options);
    check_says(projects.both(options), 2, "is for one database; 2 were given");
  }
  check_says(projects.both({"rank", "--near", "T-3"}), 2, "b.db: --near names a node of this one");
  CHECK(projects.both({"rank", "--near", "T-3 of b.db"}).exit_code == 0);
}

}  // namespace
}  // namespace hebb::test
