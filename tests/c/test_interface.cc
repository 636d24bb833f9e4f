// The C interface as a program in C uses it; what the operations answer is in
// tests/serve/cases.jsonl.
#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "api/problem.h"
#include "c/hebb.h"
#include "tests/support/folder.h"
#include "tests/support/heap.h"
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
  Json stream(const char* operation, const Json& request, hebb_rows** rows) {
    char* answer = nullptr;
    status = hebb_stream(db, operation, request.dump().c_str(), rows, &answer);
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

// Null after the last.
Json next(hebb_rows* rows) {
  char* row = nullptr;
  CHECK(hebb_next(rows, &row) == HEBB_DONE);
  return Db::taken(row);
}

Json all(hebb_rows* rows) {
  Json list = Json::array();
  for (Json row = next(rows); !row.is_null(); row = next(rows)) list.push_back(row);
  hebb_end(rows);
  return list;
}

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
  CHECK(hebb_stream(db.db, "rank", nullptr, nullptr, nullptr) == HEBB_INVALID_ARGUMENT);
  CHECK(hebb_call(db.db, "rank", nullptr, nullptr) == HEBB_DONE);
  hebb_rows* rows = nullptr;
  CHECK(hebb_stream(db.db, "rank", nullptr, &rows, nullptr) == HEBB_DONE);
  CHECK(hebb_next(rows, nullptr) == HEBB_INVALID_ARGUMENT);
  CHECK(hebb_next(nullptr, &answer) == HEBB_INVALID_ARGUMENT);
  hebb_free(answer);
  hebb_end(rows);
  hebb_end(nullptr);
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

TEST_CASE("c: rows are pulled one by one, and the answer has the rest") {
  Db db(":memory:", R"({"now":"2026-01-05T00:00:00Z"})");
  add_tasks(db, 30);
  const Json whole = db.call("rank", {{"limit", 30}});
  hebb_rows* rows = nullptr;
  Json rest = db.stream("rank", {{"limit", 30}}, &rows);
  CHECK(db.status == HEBB_DONE);
  CHECK(!rest.contains("tasks"));
  SECTION("also after other calls, and after the database is closed") {
    db.call("outcome", {{"id", "t3"}, {"outcome", "success"}});
    hebb_close(std::exchange(db.db, nullptr));
  }
  SECTION("also where a call was cancelled meanwhile") { hebb_cancel(db.db); }
  rest["tasks"] = all(rows);
  CHECK(rest == whole);
}

TEST_CASE("c: rows that are not wanted any more end, and end with none again and again") {
  Db db(":memory:");
  add_tasks(db, 2);
  hebb_rows* rows = nullptr;
  db.stream("rank", Json::object(), &rows);
  CHECK(next(rows)["rank"] == 1);
  hebb_end(rows);
  db.stream("rank", Json::object(), &rows);
  for (const bool is_row : {true, true, false, false}) CHECK(next(rows).is_object() == is_row);
  hebb_end(rows);
}

TEST_CASE("c: a row for which there is no memory is the next one again") {
  Db db(":memory:");
  add_tasks(db, 2);
  hebb_rows* rows = nullptr;
  db.stream("rank", Json::object(), &rows);
  CHECK(next(rows)["rank"] == 1);
  char* row = nullptr;
  int status = HEBB_DONE;
  {
    const NoHeap none;
    status = hebb_next(rows, &row);
  }
  CHECK(status == HEBB_NO_MEMORY);
  CHECK(row == nullptr);
  CHECK(all(rows).size() == 1);
}

TEST_CASE("c: an operation without a list, or that fails, gives no rows") {
  Db db(":memory:");
  add_tasks(db, 2);
  hebb_rows* rows = nullptr;
  CHECK(db.stream("node_get", {{"id", "t1"}}, &rows)["node"]["id"] == "t1");
  CHECK(all(rows) == Json::array());
  CHECK(db.stream("rank", {{"limit", 0}}, &rows)["field"] == "limit");
  CHECK(db.status == HEBB_INVALID_ARGUMENT);
  CHECK(rows == nullptr);
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
  hebb_rows* rows = nullptr;
  db.stream("rank", Json::object(), &rows);
  const pid_t child = ::fork();
  if (child == 0) {
    char* answer = nullptr;
    int status = hebb_call(db.db, "rank", nullptr, &answer);
    hebb_close(db.db);
    if (all(rows).size() != 3) status = HEBB_FAILED;  // which need no database
    ::_exit(status);
  }
  int ended = 0;
  REQUIRE(::waitpid(child, &ended, 0) == child);
  REQUIRE(WIFEXITED(ended));
  CHECK(WEXITSTATUS(ended) == HEBB_CONFLICT);
  CHECK(all(rows).size() == 3);
  add_tasks(db, 3, "u");
  CHECK(db.status == HEBB_DONE);
  CHECK(db.call("verify")["ok"] == true);
  const auto seen = run_process({HEBB_BINARY, "--db", path, "list", "--json"});
  CHECK(Json::parse(seen.out)["total"] == 6);
}

}  // namespace hebb::test
