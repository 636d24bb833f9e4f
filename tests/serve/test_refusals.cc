// A refused value is named by its field over HTTP and MCP, for every operation and field.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "api/operations.h"
#include "tests/serve/server.h"
#include "tests/support/bad_values.h"

namespace {

using hebb::api::Field, hebb::api::Operation;

struct Refused {
  const Operation* operation;
  const Field* field;
  hebb::api::Json request;
};

// A request for each field that is offered there and has bounds, with a value beyond them.
std::vector<Refused> refused_at(hebb::api::Door door) {
  std::vector<Refused> all;
  for (const Operation& o : hebb::api::operations()) {
    if ((o.doors & door) == 0) continue;
    for (const Field& f : o.request()) {
      const auto values = hebb::test::bad_values(f);
      if (f.bounds.local || values.empty()) continue;
      all.push_back({&o, &f, {{f.name, values.front()}}});
    }
  }
  return all;
}

std::string in_query(const hebb::api::Json& value) {
  const hebb::api::Json& one = value.is_array() ? value.front() : value;
  std::string text = one.is_string() ? one.get<std::string>() : one.dump();
  for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos;)
    text.replace(at, 1, "%20");
  return text;
}

// With "x" for each field in the path.
std::string path_of(const Operation& o) {
  std::string path = "/v1" + std::string(o.path);
  for (std::size_t at = 0; (at = path.find('{')) != std::string::npos;)
    path.replace(at, path.find('}') - at + 1, "x");
  return path;
}

}  // namespace

TEST_CASE("http: a refused value is named by its field") {
  hebb::test::Server server;
  const auto all = refused_at(hebb::api::kHttp);
  CHECK(all.size() > 50);
  for (const Refused& r : all) {
    const std::string method(r.operation->method);
    std::string target = path_of(*r.operation), headers, body;
    if (method == "GET" || method == "DELETE") {
      target += "?" + r.field->name + "=" + in_query(r.request[r.field->name]);
    } else {
      headers = hebb::test::kJson;
      body = r.request.dump();
    }
    const std::string answer = server.ask(method, target, headers, body);
    INFO(method << " " << target << " " << body << "\n" << answer);
    REQUIRE(hebb::test::status_of(answer) == 400);
    const hebb::api::Json problem = hebb::api::Json::parse(hebb::test::body_of(answer));
    CHECK(problem.at("field") == r.field->name);
    CHECK(problem.at("detail").get<std::string>().find("\"" + r.field->name + "\" ") == 0);
  }
}

TEST_CASE("mcp: a refused value is named by its field") {
  const hebb::test::Folder folder;
  const auto all = refused_at(hebb::api::kMcp);
  CHECK(all.size() > 20);
  std::string in;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const hebb::api::Json call{{"jsonrpc", "2.0"},
                               {"id", i},
                               {"method", "tools/call"},
                               {"params",
                                {{"name", "hebb_" + std::string(all[i].operation->about.name)},
                                 {"arguments", all[i].request}}}};
    in += call.dump() + "\n";
  }
  hebb::test::ProcessOptions options;
  options.in = in;
  const auto run =
      hebb::test::run_process({HEBB_BINARY, "--db", folder.file("t.db"), "mcp"}, options);
  std::size_t answers = 0;
  for (std::size_t at = 0; at < run.out.size(); ++answers) {
    const auto end = run.out.find('\n', at);
    const hebb::api::Json answer = hebb::api::Json::parse(run.out.substr(at, end - at));
    at = end + 1;
    const Refused& r = all.at(answer.at("id").get<std::size_t>());
    INFO(r.operation->about.name << " " << r.field->name << ": " << answer);
    REQUIRE(answer.contains("result"));
    CHECK(answer["result"].at("isError") == true);
    CHECK(answer.dump().find("\\\"" + r.field->name + "\\\"") != std::string::npos);
  }
  CHECK(answers == all.size());
}
