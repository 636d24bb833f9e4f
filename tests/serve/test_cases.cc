// Each case of cases.jsonl, a request and what it gives, through every door.
//   HEBB_UPDATE_CASES=1 ./test_serve "every door gives the same"    writes what a call gives
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "c/hebb.h"
#include "tests/api/session.h"
#include "tests/serve/door.h"
#include "tests/support/bad_values.h"

namespace hebb::test {
namespace {

const std::string kFile = HEBB_SOURCE_DIR "/tests/serve/cases.jsonl";

struct Case {
  const api::Operation* operation;
  api::Json request, gives;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  std::ifstream in(kFile);
  for (std::string line; std::getline(in, line);) {
    const api::Json json = api::Json::parse(line);
    all.push_back({&api::operation_named(json["ask"].get_ref<const std::string&>()), json["with"],
                   json.value("gives", api::Json())});
  }
  return all;
}

// Without what depends on where the database is, and, of a problem, its words: each door has the
// names of its own for a field.
api::Json compared(api::Json json) {
  if (json.contains("problem")) {
    api::Json kept = api::Json::object();
    for (const char* name : {"type", "field", "reason"}) {
      if (json["problem"].contains(name)) kept[name] = json["problem"][name];
    }
    return {{"problem", kept}};
  }
  for (const char* name : {"bytes", "database", "made"}) json.erase(name);
  return json;
}

api::Json called(api::Session& session, const Case& c) try {
  return c.operation->call(session, c.request);
} catch (const api::Problem& problem) {
  return {{"problem", problem.json()}};
}

}  // namespace

TEST_CASE("every door gives the same", "[slow]") {
  const auto all = cases();
  std::set<std::string_view> operations;
  for (const Case& c : all) operations.insert(c.operation->about.name);
  CHECK(operations.size() >= 45);
  if (std::getenv("HEBB_UPDATE_CASES")) {
    api::MemorySession session(std::stoll(Doors::kNow));
    std::ofstream out(kFile);
    for (const Case& c : all)
      out << api::Json{{"ask", c.operation->about.name},
                       {"with", c.request},
                       {"gives", compared(called(session, c))}}
          << "\n";
    return;
  }
  SECTION("a call") {
    api::MemorySession session(std::stoll(Doors::kNow));
    for (const Case& c : all) {
      INFO(c.operation->about.name << " " << c.request);
      CHECK(compared(called(session, c)) == c.gives);
    }
  }
  SECTION("the C interface") {
    hebb_db* db = nullptr;
    const std::string options = std::string("{\"now\": ") + Doors::kNow + "}";
    REQUIRE(hebb_open(":memory:", options.c_str(), &db, nullptr) == HEBB_DONE);
    for (const Case& c : all) {
      INFO(c.operation->about.name << " " << c.request);
      char* text = nullptr;
      const int status = hebb_call(db, std::string(c.operation->about.name).c_str(),
                                   c.request.dump().c_str(), &text);
      api::Json answer = api::Json::parse(text);
      hebb_free(text);
      if (status != HEBB_DONE) CHECK(answer["type"] == hebb_error(status));
      if (status != HEBB_DONE) answer = {{"problem", std::move(answer)}};
      CHECK(compared(answer) == c.gives);
    }
    hebb_close(db);
  }
  SECTION("the pipe") {
    const Server server;
    for (const Case& c : all) {
      INFO(c.operation->about.name << " " << c.request);
      const api::Json line{
          {"id", "x"}, {"operation", c.operation->about.name}, {"request", c.request}};
      const auto run = server.hebb({"--now", Doors::kNow, "pipe"}, line.dump() + "\n");
      api::Json answer = api::Json::parse(run.out);
      CHECK(answer["id"] == "x");
      CHECK(compared(answer.contains("answer") ? answer["answer"] : answer) == c.gives);
    }
  }
  for (const auto& [door, name, most] :
       {std::tuple{api::kCommandLine, "the command line", 100}, std::tuple{api::kHttp, "HTTP", 80},
        std::tuple{api::kMcp, "MCP", 30}}) {
    SECTION(name) {
      Doors doors;
      int offered = 0;
      for (const Case& c : all) {
        INFO(c.operation->about.name << " " << c.request);
        CHECK(compared(doors.ask(door, *c.operation, c.request)) == c.gives);
        offered += !doors.not_offered;
      }
      CHECK(offered >= most);
    }
  }
}

TEST_CASE("every door refuses a value beyond its bounds and names the field", "[slow]") {
  Doors doors;
  for (const auto& [door, least] :
       {std::pair{api::kCommandLine, 60}, std::pair{api::kHttp, 50}, std::pair{api::kMcp, 20}}) {
    int asked = 0;
    for (const api::Operation& o : api::operations()) {
      for (const api::Field& f : o.request()) {
        const auto values = bad_values(f);
        const auto& b = f.bounds;
        const bool shown = door == api::kCommandLine
                               ? !b.hidden && !b.from_file && b.flag_words.empty()
                               : !b.local;
        if ((o.doors & door) == 0 || values.empty() || !shown) continue;
        api::Json request = api::Json::object();
        for (const api::Field& other : o.request()) {  // what is missing would be named first
          if (!other.bounds.required || &other == &f) continue;
          const bool text = other.kind == api::Kind::text || other.kind == api::Kind::node;
          const api::Json value = !other.bounds.choices.empty() ? api::Json(other.bounds.choices[0])
                                  : text                        ? api::Json("x")
                                  : other.kind == api::Kind::object ? api::Json::object()
                                                                    : api::Json(1);
          request[other.name] = other.list ? api::Json::array({value}) : value;
        }
        request[f.name] = values.front();
        INFO(o.about.name << " " << request);
        const api::Json answer = doors.ask(door, o, request);
        REQUIRE(answer.contains("problem"));
        CHECK(answer["problem"]["type"].get<std::string>().ends_with("invalid_argument"));
        CHECK(answer["problem"]["field"] == f.name);
        const auto detail = answer["problem"]["detail"].get<std::string>();
        CHECK(detail.starts_with(door == api::kCommandLine ? api::option_name(f)
                                                           : "\"" + f.name + "\""));
        ++asked;
      }
    }
    CHECK(asked >= least);
  }
}

}  // namespace hebb::test
