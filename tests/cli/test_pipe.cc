// hebb pipe, as a program that talks to it sees it; what the operations answer is in
// tests/serve/cases.jsonl.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/hebb.h"

namespace hebb::test {
namespace {

using Json = nlohmann::json;

std::string request(const Json& id, const std::string& operation, const Json& fields,
                    bool rows = false) {
  Json line{{"id", id}, {"operation", operation}, {"request", fields}};
  if (rows) line["rows"] = true;
  return line.dump() + "\n";
}

Json task(const std::string& id) { return {{"id", id}, {"type", "TASK"}, {"state", "OPEN"}}; }

// What the pipe answers to a whole input, line by line.
std::vector<Json> answers(const Hebb& hebb, const std::string& in) {
  const auto run = hebb.run({"pipe"}, in);
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  std::vector<Json> all;
  for (const std::string& line : lines_of(run.out)) all.push_back(Json::parse(line));
  return all;
}

// A running pipe: one line in, one line out.
class Talk {
 public:
  explicit Talk(const std::string& db) {
    int in[2], out[2];
    REQUIRE(::pipe2(in, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::execl(HEBB_BINARY, HEBB_BINARY, "--db", db.c_str(), "pipe", nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
  }
  ~Talk() {
    end();
    std::fclose(from_);
    int status = 0;
    ::waitpid(child_, &status, 0);
    CHECK(status == 0);
  }
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;

  void say(const std::string& lines) {
    std::fputs(lines.c_str(), to_);
    std::fflush(to_);
  }
  void end() {
    if (to_) std::fclose(to_);
    to_ = nullptr;
  }
  // Null at the end.
  Json hear() {
    std::string line;
    for (int c = 0; (c = std::fgetc(from_)) != EOF && c != '\n';) line += static_cast<char>(c);
    return line.empty() ? Json() : Json::parse(line);
  }

 private:
  pid_t child_ = -1;
  FILE *to_ = nullptr, *from_ = nullptr;
};

}  // namespace

TEST_CASE("pipe: a line that is no request is answered, and the next one is read") {
  const Hebb hebb;
  struct Case {
    std::string line;
    Json id;
    std::string type, field;
  };
  const std::vector<Case> cases{
      {"{", nullptr, "invalid_argument", "line"},
      {R"({"id":1,"operation":)", 1, "invalid_argument", "line"},
      {"[]", nullptr, "invalid_argument", ""},
      {R"({"operation":"rank"})", nullptr, "invalid_argument", "id"},
      {R"({"id":{},"operation":"rank"})", nullptr, "invalid_argument", "id"},
      {R"({"id":1.5,"operation":"rank"})", nullptr, "invalid_argument", "id"},
      {R"({"id":2,"operation":"rnak"})", 2, "invalid_argument", "operation"},
      {R"({"id":3})", 3, "invalid_argument", "operation"},
      {R"({"id":4,"operation":"rank","rqeuest":{}})", 4, "invalid_argument", "rqeuest"},
      {R"({"id":5,"operation":"rank","request":[]})", 5, "invalid_argument", "request"},
      {R"({"id":"six","operation":"rank","request":{"limit":0}})", "six", "invalid_argument",
       "limit"},
      {R"({"cancel":{}})", nullptr, "invalid_argument", "cancel"},
      {std::string(17 << 20, 'x'), nullptr, "invalid_argument", "line"},
  };
  for (const Case& c : cases) {
    INFO(c.line.substr(0, 100));
    const auto all = answers(hebb, c.line + "\n\n" + request(99, "stats", Json::object()));
    REQUIRE(all.size() == 2);
    const Json& first = all[all[0]["id"] == 99 ? 1 : 0];
    const Json& other = all[all[0]["id"] == 99 ? 0 : 1];
    CHECK(first["id"] == c.id);
    CHECK(first["problem"]["type"] == c.type);
    CHECK(first["problem"].value("field", "") == c.field);
    CHECK(other["answer"].contains("events"));
  }
}

TEST_CASE("pipe: writes are done in order, and all is answered before it ends") {
  const Hebb hebb;
  std::string in;
  for (int i = 0; i < 20; ++i) in += request(i, "node_set", task("t" + std::to_string(i)));
  in.pop_back();  // the last line needs no newline
  const auto all = answers(hebb, in);
  REQUIRE(all.size() == 20);
  for (int i = 0; i < 20; ++i) CHECK(all[static_cast<std::size_t>(i)]["id"] == i);
  CHECK(hebb.json({"list", "--limit", "1"})["total"] == 20);
}

TEST_CASE("pipe: rows come in lines of their own, before the answer with the rest") {
  const Hebb hebb;
  for (int i = 0; i < 3; ++i)
    hebb.run({"node", "set", "t" + std::to_string(i), "--type", "TASK", "--state", "OPEN"});
  const auto all = answers(hebb, request("r", "rank", {{"limit", 2}}, true));
  REQUIRE(all.size() == 3);
  CHECK(all[0]["row"]["rank"] == 1);
  CHECK(all[1]["row"]["rank"] == 2);
  CHECK(all[2]["answer"]["total"] == 3);
  CHECK(!all[2]["answer"].contains("tasks"));
}

TEST_CASE("pipe: reading does not wait for a write, and a request that waits can be cancelled") {
  const Hebb hebb;
  const std::string items = hebb.file("items");  // a pipe: the import waits for what it will read
  REQUIRE(::mkfifo(items.c_str(), 0600) == 0);
  Talk talk(hebb.db());
  talk.say(request(1, "node_set", task("t")));
  CHECK(talk.hear()["answer"]["created"] == true);
  talk.say(request(2, "ingest_files", {{"files", {items}}}) + request(3, "node_set", task("u")) +
           request(4, "stats", Json::object()));
  CHECK(talk.hear()["id"] == 4);
  talk.say("{\"cancel\":3}\n{\"cancel\":\"unknown\"}\n");
  const Json third = talk.hear();
  CHECK(third["id"] == 3);
  CHECK(third["problem"]["type"] == "cancelled");
  write_text(items, R"({"taskId":"t","outcome":"success","timestamp":"2026-01-01T12:00:00Z"})");
  const Json second = talk.hear();
  CHECK(second["id"] == 2);
  CHECK(second["answer"]["files"][0]["applied"] == 1);
  talk.end();
  CHECK(talk.hear().is_null());
  CHECK(hebb.json({"list", "--state", "any"})["total"] == 1);
}

TEST_CASE("pipe: what would wait without end is answered with busy") {
  const Hebb hebb;
  const std::string items = hebb.file("items");
  REQUIRE(::mkfifo(items.c_str(), 0600) == 0);
  Talk talk(hebb.db());
  std::string in = request("first", "ingest_files", {{"files", {items}}});
  for (int i = 0; i < 1100; ++i) in += request(i, "node_set", task("t"));
  talk.say(in);
  const Json refused = talk.hear();
  CHECK(refused["problem"]["type"] == "busy");
  CHECK(refused["id"].get<int>() >= 1000);
  write_text(items, "");
  talk.end();
  std::map<bool, int> by_answer;
  for (Json answer = talk.hear(); !answer.is_null(); answer = talk.hear())
    ++by_answer[answer.contains("answer")];
  CHECK(by_answer[true] + by_answer[false] == 1100);
}

}  // namespace hebb::test
