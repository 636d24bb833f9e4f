// The C interface as a program in C uses it; what the operations answer is in
// tests/serve/cases.jsonl.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "api/problem.h"
#include "c/hebb.h"
#include "tests/support/folder.h"
#include "tests/support/process.h"

namespace hebb::test {
namespace {

using Json = nlohmann::json;

// An open database, and its answers as JSON.
class Db {
 public:
  explicit Db(const char* path, const char* options = nullptr) {
    char* error = nullptr;
    status = hebb_open(path, options, &db, &error);
    problem = taken(error);
  }
  ~Db() { hebb_close(db); }
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  Json call(const char* operation, const Json& request = Json::object()) {
    char* answer = nullptr;
    status = hebb_call(db, operation, request.dump().c_str(), &answer);
    return taken(answer);
  }
  // Adds the rows to `rows`, and ends the call after `most` of them.
  Json stream(const char* operation, const Json& request, std::vector<Json>& rows,
              std::size_t most = SIZE_MAX) {
    struct Context {
      std::vector<Json>& rows;
      std::size_t most;
    } context{rows, most};
    char* answer = nullptr;
    status = hebb_stream(
        db, operation, request.dump().c_str(),
        [](void* to, const char* row, std::size_t bytes) {
          auto& [all, limit] = *static_cast<Context*>(to);
          CHECK(std::string_view(row).size() == bytes);
          all.push_back(Json::parse(row));
          return all.size() >= limit ? 1 : 0;
        },
        &context, &answer);
    return taken(answer);
  }

  static Json taken(char* text) {
    const Json json = text ? Json::parse(text) : Json();
    hebb_free(text);
    return json;
  }

  hebb_db* db = nullptr;
  int status = HEBB_DONE;
  Json problem;
};

void add_tasks(Db& db, int count, const std::string& prefix = "t") {
  for (int i = 0; i < count; ++i)
    db.call("node_set", {{"id", prefix + std::to_string(i)}, {"type", "TASK"}, {"state", "OPEN"}});
}

std::string outcomes(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += R"({"taskId":"t0","outcome":"success","id":"run-)" + std::to_string(i) + "\"}\n";
  return text;
}

}  // namespace

TEST_CASE("c: every status has the name of its problem") {
  std::set<std::string> names;
  for (int status = HEBB_INVALID_ARGUMENT; status <= HEBB_FAILED; ++status)
    names.insert(hebb_error(status));
  for (const api::ProblemInfo& info : api::problem_types())
    CHECK(names.erase(info.name.data()) == 1);
  CHECK(names.empty());
  CHECK(std::string(hebb_error(HEBB_DONE)) == "done");
  CHECK(std::string(hebb_error(-1)) == "failed");
  CHECK(std::string(hebb_version()).find('.') != std::string::npos);
}

TEST_CASE("c: what cannot be opened says why") {
  const Folder folder;
  struct Case {
    std::string path, options;
    int status;
    std::string field;
  };
  write_text(folder.file("text"), "no database, but a text that is long enough to be read as one");
  for (const Case& c :
       {Case{folder.file("none"), R"({"create":false})", HEBB_NO_DATABASE, ""},
        {folder.file("text"), "{}", HEBB_NO_DATABASE, ""},
        {folder.file("none/hebb.db"), "{}", HEBB_NO_DATABASE, ""},
        {folder.file("a"), "{", HEBB_INVALID_ARGUMENT, "options"},
        {folder.file("a"), R"({"creat":false})", HEBB_INVALID_ARGUMENT, "creat"},
        {folder.file("a"), R"({"busy_timeout_ms":-1})", HEBB_INVALID_ARGUMENT, "busy_timeout_ms"},
        {folder.file("a"), R"({"now":"someday"})", HEBB_INVALID_ARGUMENT, "now"},
        {folder.file("a"), R"({"tz":"Mars/Base"})", HEBB_INVALID_ARGUMENT, "tz"}}) {
    Db db(c.path.c_str(), c.options.c_str());
    INFO(c.path << " " << c.options << " " << db.problem);
    CHECK(db.status == c.status);
    CHECK(db.db == nullptr);
    CHECK(db.problem.value("field", "") == c.field);
    CHECK(db.problem["type"] == hebb_error(c.status));
  }
  CHECK(hebb_open("x", nullptr, nullptr, nullptr) == HEBB_INVALID_ARGUMENT);
}

TEST_CASE("c: NULL where something is needed is an error, elsewhere it is allowed") {
  Db db(":memory:");
  char* answer = nullptr;
  CHECK(hebb_call(nullptr, "rank", nullptr, &answer) == HEBB_INVALID_ARGUMENT);
  hebb_free(answer);
  CHECK(hebb_call(db.db, nullptr, nullptr, nullptr) == HEBB_INVALID_ARGUMENT);
  CHECK(hebb_stream(db.db, "rank", nullptr, nullptr, nullptr, nullptr) == HEBB_INVALID_ARGUMENT);
  CHECK(hebb_call(db.db, "rank", nullptr, nullptr) == HEBB_DONE);
  hebb_free(nullptr);
  hebb_close(nullptr);
  hebb_cancel(nullptr);
}

TEST_CASE("c: an operation that there is not is named with the one that was meant") {
  Db db(":memory:");
  const Json problem = db.call("rnak");
  CHECK(db.status == HEBB_INVALID_ARGUMENT);
  CHECK(problem["field"] == "operation");
  CHECK(problem["detail"].get<std::string>().find("did you mean rank?") != std::string::npos);
}

TEST_CASE("c: without a path it is the database of the command line") {
  const Folder folder;
  const std::string path = folder.file("own.db");
  ::setenv("HEBB_DB", path.c_str(), 1);
  Db db(nullptr);
  ::unsetenv("HEBB_DB");
  CHECK(db.status == HEBB_DONE);
  CHECK(db.call("stats")["database"] == path);
}

TEST_CASE("c: rows come one by one, and the answer has the rest") {
  Db db(":memory:", R"({"now":"2026-01-05T00:00:00Z"})");
  add_tasks(db, 30);
  const Json whole = db.call("rank", {{"limit", 30}});
  std::vector<Json> rows;
  Json rest = db.stream("rank", {{"limit", 30}}, rows);
  CHECK(db.status == HEBB_DONE);
  CHECK(Json(rows) == whole["tasks"]);
  rest["tasks"] = rows;
  CHECK(rest == whole);
  SECTION("and end when they are not wanted any more") {
    rows.clear();
    CHECK(db.stream("rank", {{"limit", 30}}, rows, 7)["type"] == "cancelled");
    CHECK(db.status == HEBB_CANCELLED);
    CHECK(rows.size() == 7);
    CHECK(db.call("rank", {{"limit", 30}}) == whole);
  }
  SECTION("an operation without a list gives none") {
    rows.clear();
    CHECK(db.stream("node_get", {{"id", "t1"}}, rows)["node"]["id"] == "t1");
    CHECK(rows.empty());
  }
}

TEST_CASE(
    "c: the function that takes rows cannot call the same database, which would wait for ever") {
  Db db(":memory:");
  add_tasks(db, 1);
  CHECK(hebb_stream(
            db.db, "rank", nullptr,
            [](void* context, const char*, std::size_t) {
              char* answer = nullptr;
              CHECK(hebb_call(static_cast<hebb_db*>(context), "rank", nullptr, &answer) ==
                    HEBB_CONFLICT);
              hebb_free(answer);
              return 0;
            },
            db.db, nullptr) == HEBB_DONE);
}

TEST_CASE("c: many threads write and read at once, through one handle and through several") {
  const Folder folder;
  const std::string path = folder.file("t.db");
  Db one(path.c_str()), other(path.c_str());
  add_tasks(one, 4);
  constexpr int kThreads = 6, kCalls = 25;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      hebb_db* db = t % 2 == 0 ? one.db : other.db;
      for (int i = 0; i < kCalls; ++i) {
        const Json outcome{{"id", "t" + std::to_string(t % 4)},
                           {"outcome", i % 3 == 0 ? "failure" : "success"},
                           {"outcome_id", std::to_string(t) + "-" + std::to_string(i)}};
        failed += hebb_call(db, "outcome", outcome.dump().c_str(), nullptr) != HEBB_DONE;
        failed += hebb_call(db, "rank", nullptr, nullptr) != HEBB_DONE;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
  CHECK(one.call("stats")["outcomes"] == kThreads * kCalls);
  CHECK(other.call("verify")["ok"] == true);
}

TEST_CASE("c: cancel ends the calls of other threads, and the next call sees what was committed") {
  const Folder folder;
  const std::string path = folder.file("t.db");
  Db db(path.c_str());
  add_tasks(db, 50);
  std::mutex mutex;
  std::condition_variable changed;
  bool in_rows = false, cancelled = false;
  struct Context {
    std::mutex& mutex;
    std::condition_variable& changed;
    bool &in_rows, &cancelled;
  } context{mutex, changed, in_rows, cancelled};
  int status = HEBB_DONE;
  std::thread streams([&] {
    status = hebb_stream(
        db.db, "list", nullptr,
        [](void* to, const char*, std::size_t) {
          auto& [guard, wakes, began, ended] = *static_cast<Context*>(to);
          std::unique_lock lock(guard);
          began = true;
          wakes.notify_all();
          wakes.wait(lock, [&] { return ended; });
          return 0;
        },
        &context, nullptr);
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return in_rows; });
    hebb_cancel(db.db);
    cancelled = true;
    changed.notify_all();
  }
  streams.join();
  CHECK(status == HEBB_CANCELLED);
  CHECK(db.call("list", {{"limit", 1}})["total"] == 50);
  CHECK(db.status == HEBB_DONE);
}

TEST_CASE("c: a cancelled import keeps what it had committed, and the database is whole",
          "[slow]") {
  const Folder folder;
  const std::string path = folder.file("t.db");
  Db db(path.c_str(), R"({"now":"2026-02-01T00:00:00Z"})");
  add_tasks(db, 1);
  write_text(folder.file("outcomes.jsonl"), outcomes(40'000));
  std::atomic<bool> ended = false;
  std::thread cancels([&] {
    Db reader(path.c_str());
    while (reader.call("stats")["outcomes"] == 0 && !ended) std::this_thread::yield();
    while (!ended) hebb_cancel(db.db);
  });
  const Json answer = db.call("ingest_files", {{"files", {folder.file("outcomes.jsonl")}}});
  const int status = db.status;
  ended = true;
  cancels.join();
  INFO(answer);
  CHECK(status == HEBB_CANCELLED);
  const Json stats = db.call("stats");
  CHECK(stats["outcomes"] > 0);
  CHECK(stats["outcomes"] < 40'000);
  CHECK(db.call("verify")["ok"] == true);
}

TEST_CASE("c: a child that uses its parent's database is refused, and takes nothing from it") {
  const Folder folder;
  const std::string path = folder.file("t.db");
  Db db(path.c_str());
  add_tasks(db, 3);
  const pid_t child = ::fork();
  if (child == 0) {
    char* answer = nullptr;
    const int status = hebb_call(db.db, "rank", nullptr, &answer);
    hebb_close(db.db);
    ::_exit(status);
  }
  int ended = 0;
  REQUIRE(::waitpid(child, &ended, 0) == child);
  REQUIRE(WIFEXITED(ended));
  CHECK(WEXITSTATUS(ended) == HEBB_CONFLICT);
  add_tasks(db, 3, "u");
  CHECK(db.status == HEBB_DONE);
  CHECK(db.call("verify")["ok"] == true);
  const auto seen = run_process({HEBB_BINARY, "--db", path, "list", "--json"});
  CHECK(Json::parse(seen.out)["total"] == 6);
}

}  // namespace hebb::test
