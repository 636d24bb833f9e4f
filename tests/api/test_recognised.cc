// A file is recognised by how it begins.
#include <catch2/catch.hpp>

#include "engine/input/recognise.h"

namespace hebb {

namespace {

std::string format_of(std::string_view text) {
  Input input(text);
  const Format* found = recognised(input);
  CHECK(input.ahead() == text);  // nothing of it is skipped
  return found ? std::string(found->name) : "";
}

}  // namespace

TEST_CASE("each format is recognised by how its file begins") {
  CHECK(format_of("<?xml version=\"1.0\"?><testsuites/>") == "junit");
  CHECK(format_of("\xef\xbb\xbf \n<testsuite/>") == "junit");
  CHECK(format_of(R"({"kind":"node","at":1,"id":"a","type":"TASK"})") == "history");
  CHECK(format_of(R"({"taskId":"a","outcome":"success"})") == "outcome");
  CHECK(format_of(R"([ {"outcome":"success","taskId":"a"} ])") == "outcome");
  CHECK(format_of(R"({"specversion":"1.0","data":{"taskId":"a"}})") == "cloudevents");
  CHECK(format_of(R"([[{"number":1,"title":"T","state":"open"}]])") == "github");
  CHECK(format_of(R"([] [[],[{"number":1,"title":"T","state":"open"}]])") == "github");
  CHECK(format_of(R"({"total_count":1,"items":[{"number":1,"title":"T"}]})") == "github");
  CHECK(format_of(R"({"issues":[{"key":"P-1","fields":{}}],"nextPageToken":"x"})") == "jira");
  CHECK(format_of("[{\"body\":\"" + std::string(100'000, 'x') + R"(","number":1,"title":"T"}])") ==
        "github");
  CHECK(format_of(R"({"id":"bd-1","title":"T","status":"open","labels":["number"]})") == "beads");
  CHECK(format_of(R"([
    {"id":1,"description":"T","entry":"20200101T000000Z","status":"pending","uuid":"u"}])") ==
        "taskwarrior");
}

TEST_CASE("names in texts, in objects within and in names of names are no fields") {
  CHECK(format_of(R"({"note":"\"taskId\":1, {","x":{"taskId":"a"},"y":["kind"]})") == "");
  CHECK(format_of(R"({"id":"bd-1","title":"kind \\","status":"open","description":"taskId"})") ==
        "beads");
  CHECK(format_of(R"({"kind":"outcome","taskId":"a"})") == "");
}

TEST_CASE("what is none of the formats is not recognised, however it ends") {
  for (const char* text : {"", " \n", "[", "[]", "{", "{}", "7", "taskId,outcome\na,success",
                           "{\"taskId", "[[[", "\"x\"", "}{", "{]"}) {
    INFO(text);
    CHECK(format_of(text) == "");
  }
  CHECK(format_of("{\"taskId\":\"a") == "outcome");  // cut off, but said already
}

TEST_CASE("what another tracker or tool writes is not recognised as one of the formats") {
  for (const char* text :
       {R"([{"id":1,"iid":2,"title":"T","state":"opened"}])",
        R"({"id":"x","title":"T","number":5,"identifier":"E-5","state":{"name":"Todo"}})",
        R"([{"userId":1,"id":"1","title":"T","completed":false}])",
        R"([{"id":"x","title":"T","isDone":true}])", R"([{"id":"x","title":"T","state":"closed"}])",
        R"([{"id":"P","title":"T","status":"Done","content":{"number":7}}])",
        R"({"apiVersion":"v1","kind":"List","items":[]})", "<project/>",
        "<!-- a --><html><body/></html>"}) {
    INFO(text);
    CHECK(format_of(text) == "");
  }
  CHECK(format_of(R"([{"id":"1","key":"P-1","fields":{"summary":"S"}}])") == "jira");
  CHECK(format_of("<!-- <a> --><?x?>\n<testsuite/>") == "junit");
}

TEST_CASE("only the beginning is read of a long input") {
  std::size_t given = 0;
  Input input(
      [&](char* to, std::size_t room) {
        std::fill_n(to, room, ' ');
        given += room;
        return room;
      },
      std::uint64_t{1} << 30);
  CHECK(recognised(input) == nullptr);
  CHECK(given <= 4 << 20);
}

}  // namespace hebb
