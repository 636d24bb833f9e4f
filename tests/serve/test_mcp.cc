// hebb mcp on pipes: what a hostile or broken client sends.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "serve/mcp/methods.h"
#include "serve/message.h"
#include "tests/serve/server.h"
#include "text/base64.h"

using namespace hebb::test;

TEST_CASE("mcp: what is no request is answered as JSON-RPC says, and the next one is read") {
  const Folder folder;
  const std::string ping = R"({"jsonrpc":"2.0","id":99,"method":"ping"})";
  struct Case {
    std::string line;
    int code;
  };
  const std::vector<Case> cases{
      {"{", -32700},
      {"\xff\xfe", -32700},
      {R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", -32700},
      {std::string(100'000, '['), -32700},
      {"17", -32600},
      {"[]", -32600},
      {"[" + ping + "]", -32600},
      {R"({"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"no/such"})", -32601},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}})", -32602},
      {std::string(17 << 20, 'x'), -32600},
  };
  std::string in;
  for (const Case& c : cases) in += c.line + "\n" + ping + "\n";
  const auto replies = talk(folder, in);
  REQUIRE(replies.size() == 2 * cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].line.substr(0, 100) << " -> " << replies[2 * i]);
    CHECK(replies[2 * i].at("error").at("code") == cases[i].code);
    CHECK(replies[2 * i + 1].at("id") == 99);
    CHECK(replies[2 * i + 1].contains("result"));
  }
}

TEST_CASE("mcp: what cannot be read is answered under the id that it begins with") {
  const Folder folder;
  const std::string cut = R"("method":"tools/call","params":{"name":"add","arguments":{"name":)";
  const auto replies = talk(folder, R"({"jsonrpc":"2.0","id":7,)" + cut + "\"\\ud83d\"}}}\n" +
                                        R"({"jsonrpc":"2.0","id":"a",)" + cut + "1e400}}}\n" +
                                        R"({"jsonrpc":"2.0",)" + cut + "\xff\n");
  REQUIRE(replies.size() == 3);
  CHECK(replies[0].at("id") == 7);
  CHECK(replies[1].at("id") == "a");
  CHECK(replies[2].at("id").is_null());
  for (const auto& reply : replies) CHECK(reply.at("error").at("code") == -32700);
}

TEST_CASE("mcp: notifications and responses get no answer") {
  const Folder folder;
  const auto replies = talk(folder,
                            R"({"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":4,"result":{}}

{"jsonrpc":"2.0","id":1,"method":"ping"}
)");
  REQUIRE(replies.size() == 1);
  CHECK(replies[0].at("id") == 1);
}

TEST_CASE("mcp: the core is listed, what is not is refused, and names of before are taken") {
  const Server server, of_all({"--tools", "all"});
  const auto reply = [](const Server& to, const std::string& body) {
    return json_of(to.ask("POST", "/mcp", kJson, body));
  };
  const auto names = [](const Json& listed) {
    std::set<std::string> all;
    for (const Json& tool : listed.at("result").at("tools")) all.insert(tool.at("name"));
    return all;
  };
  const auto core = names(reply(server, rpc("tools/list")));
  const auto all = names(reply(of_all, rpc("tools/list")));
  CHECK(core.contains("next"));
  CHECK_FALSE(core.contains("rank"));
  CHECK(std::includes(all.begin(), all.end(), core.begin(), core.end()));
  CHECK(names(Json::parse(server.hebb({"mcp"}, rpc("tools/list") + "\n").out)) == core);

  const auto call = [](const char* name, const Json& arguments = Json::object()) {
    return rpc("tools/call", {{"name", name}, {"arguments", arguments}});
  };
  const Json refused = reply(server, call("rank")).at("error");
  CHECK(refused.at("code") == -32602);
  CHECK(refused.at("message").get<std::string>().find("--tools all") != std::string::npos);
  CHECK(reply(of_all, call("rank")).contains("result"));
  CHECK(reply(server, call("hebb_rank")).contains("result"));
  CHECK(reply(server, call("hebb_next")) == reply(server, call("next")));
  // A field that is not listed is taken.
  CHECK(reply(server, call("next", {{"spread", true}, {"profile", "seed"}}))
            .at("result")
            .contains("structuredContent"));
  CHECK(reply(server, call("next", {{"no_such", true}})).at("result").at("isError") == true);
}

TEST_CASE("mcp: the tool that replays is listed on and off, and gives DISABLED where it is off") {
  const std::string ask = rpc("tools/list") + "\n";
  const std::string replay =
      rpc("tools/call", {{"name", "skill_replay"}, {"arguments", {{"skill", "checkout"}}}}) + "\n";
  const auto has = [](const Json& answer, const std::string& tool) {
    const Json& tools = answer.at("result").at("tools");
    return std::any_of(tools.begin(), tools.end(),
                       [&](const Json& one) { return one.at("name") == tool; });
  };
  const auto code = [](const Json& answer) {
    const Json& result = answer.at("result").at("structuredContent");
    CHECK(result.at("ok") == false);
    return result.at("failure").at("code").get<std::string>();
  };
  const Server server, of_all({"--tools", "all"});
  const auto piped = [&](std::vector<std::string> words, const std::string& line) {
    words.insert(words.begin(), "mcp");
    return Json::parse(server.hebb(words, line).out);
  };
  for (const bool all : {false, true}) {
    INFO(all);
    const Server& http = all ? of_all : server;
    const std::string tools = all ? "all" : "core";
    const Json listed = json_of(http.ask("POST", "/mcp", kJson, ask));
    CHECK(has(listed, "skill_replay"));
    CHECK(has(listed, "skill_recall") == all);
    CHECK(code(json_of(http.ask("POST", "/mcp", kJson, replay))) == "DISABLED");
    CHECK(has(piped({"--tools", tools}, ask), "skill_replay"));
    CHECK(code(piped({"--tools", tools}, replay)) == "DISABLED");
    CHECK(has(piped({"--tools", tools, "--replay", "http://localhost:1"}, ask), "skill_replay"));
  }
  CHECK(has(piped({"--replay", "http://localhost:1"}, ask), "skill_recall"));
}

TEST_CASE("mcp: values that clients send as texts, as null and as empty texts are understood") {
  const Server server({"--tools", "all"});
  int id = 0;
  const auto post = [&](const std::string& body, const char* path = "/mcp") {
    return json_of(server.ask("POST", path, kJson, body));
  };
  const auto call = [&](const char* name, const Json& arguments) {
    return post(rpc("tools/call", {{"name", name}, {"arguments", arguments}})).at("result");
  };
  const auto done = [&](const char* name, const Json& arguments) {
    const Json result = call(name, arguments);
    INFO(result);
    REQUIRE_FALSE(result.contains("isError"));
    return result.at("structuredContent");
  };
  const auto add = [&](Json task) {
    task["name"] = "Task " + std::to_string(++id);
    task["id"] = "t" + std::to_string(id);
    return done("add", task).at("task");
  };
  // What is not meant is empty or null.
  const Json plain = add({{"description", ""},
                          {"project", nullptr},
                          {"priority", ""},
                          {"due_at", ""},
                          {"estimate", ""},
                          {"labels", ""},
                          {"blocked_by", ""},
                          {"pinned", ""},
                          {"assignee", ""}});
  CHECK(plain == done("show", {{"id", "t1"}}).at("task"));
  for (const char* field : {"description", "priority", "due_at", "estimate", "labels"})
    CHECK_FALSE(plain.contains(field));
  // Texts that say a value.
  const Json said = add(
      {{"labels", R"(["a","b"])"}, {"priority", "1"}, {"estimate", "7200000"}, {"pinned", "True"}});
  CHECK(said.at("labels") == Json({"a", "b"}));
  CHECK(said.at("priority") == 1);
  CHECK(said.at("estimate") == 7'200'000);
  CHECK(said.at("pinned") == true);
  CHECK(add({{"estimate", "2h"}, {"priority", "high"}}).at("estimate") == 7'200'000);
  CHECK(done("list", {{"limit", "2"}, {"state", ""}, {"label", "[]"}}).at("nodes").size() == 2);
  const Json taken = done("next", {{"claim", "true"},
                                   {"agent", "ann"},
                                   {"limit", "1"},
                                   {"lease", "900000"},
                                   {"near", ""},
                                   {"vector", ""},
                                   {"budget", "3h"}});
  REQUIRE(taken.at("tasks").size() == 1);
  const Json token = taken["tasks"][0].at("token");
  CHECK(done("outcome", {{"id", taken["tasks"][0].at("id")},
                         {"outcome", "failure"},
                         {"token", std::to_string(token.get<int>())},
                         {"outcome_id", "o1"},
                         {"because", "x"}})
            .contains("schema_version"));
  CHECK(done("undo", {{"event", ""}, {"outcome_id", "o1"}}).contains("schema_version"));
  // An empty text takes a description back.
  done("edit", {{"id", "t1"}, {"description", "long"}, {"name", ""}, {"state", ""}});
  CHECK(done("show", {{"id", "t1"}}).at("task").at("description") == "long");
  CHECK(done("show", {{"id", "t1"}}).at("task").at("name") == "Task 1");
  done("edit", {{"id", "t1"}, {"description", ""}});
  CHECK_FALSE(done("show", {{"id", "t1"}}).at("task").contains("description"));
  // What cannot be read is refused, with its name.
  const std::vector<std::pair<const char*, Json>> wrong{{"limit", {{"limit", "five"}}},
                                                        {"limit", {{"limit", "1.5"}}},
                                                        {"claimed", {{"claimed", "maybe"}}},
                                                        {"label", {{"label", "[\"a\""}}},
                                                        {"label", {{"label", "a"}}}};
  for (const auto& [field, arguments] : wrong) {
    INFO(arguments);
    const Json result = call("list", arguments);
    CHECK(result.value("isError", false));
    CHECK(result.dump().find(field) != std::string::npos);
  }
  CHECK(call("show", {{"id", ""}}).value("isError", false));
  // HTTP, whose clients have types, stays strict.
  CHECK(status_of(server.ask("POST", "/v1/next", kJson, R"({"limit":"1"})")) == 400);
  const auto raw = [](const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
  };
  CHECK(post(raw("tools/list", "null")).contains("result"));
  CHECK(post(raw("tools/list", R"({"cursor":null})")).contains("result"));
  CHECK(post(raw("ping", "null"), "/mcp/").contains("result"));
  CHECK(post(raw("tools/call", R"({"name":"list","arguments":null})")).contains("result"));
  CHECK(post(raw("prompts/get", R"({"name":"what_next","arguments":{"limit":""}})"))
            .contains("result"));
}

TEST_CASE("mcp: the last message needs no newline") {
  const Folder folder;
  const std::string ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
  const auto replies = talk(folder, ping + "\n" + ping);
  REQUIRE(replies.size() == 2);
  CHECK(replies[1] == replies[0]);
  const auto cut = talk(folder, ping.substr(0, 20));
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].at("error").at("code") == -32700);
  // The rest of a line that was too long is none.
  CHECK(talk(folder, std::string(18 << 20, 'x')).size() == 1);
}

TEST_CASE("mcp: a result's text leaves out what is empty, and vectors") {
  const Json vector = Json::array({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16.5});
  CHECK(hebb::serve::mcp::short_text({{"a", 0.123456789},
                                      {"b", ""},
                                      {"c", {{"d", nullptr}}},
                                      {"e", vector},
                                      {"f", {1, 2}},
                                      {"g", false}}) == R"({"a":0.1235,"f":[1,2],"g":false})");
  CHECK(hebb::serve::mcp::short_text(Json::object()) == "{}");
}

TEST_CASE("serve: base64 as RFC 4648 has it") {
  using hebb::base64_decoded;
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"},
                                                                 {"\xfb\xff", "+/8="}};
  for (const auto& [text, coded] : vectors) CHECK(base64_decoded(coded) == text);
  for (const auto* wrong :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Z===", "Zg==Zg==", "Z-9v", "Zm 9"})
    CHECK_FALSE(base64_decoded(wrong));
}
