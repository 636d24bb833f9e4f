// OpenAPI, MCP tools and pages made from the list have each operation that belongs in them.
#include <algorithm>
#include <functional>

#include <catch2/catch.hpp>

#include "api/describe.h"

namespace hebb::api {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const Operation& named_by(const Json& tool) {
  const auto all = operations();
  return *std::find_if(all.begin(), all.end(),
                       [&](const Operation& o) { return tool["name"] == o.about.name; });
}

}  // namespace

TEST_CASE("each operation stands in each door that it names, and in no other") {
  const Json paths = openapi()["paths"], tools = mcp_tools(Tool::all);
  std::size_t routes = 0, offered = 0, named = 0;
  for (const auto& [path, methods] : paths.items()) routes += methods.size();
  for (const Operation& o : operations()) {
    INFO(o.about.name);
    if ((o.doors & kHttp) != 0) {
      ++offered;
      const Json& route = paths.at("/v1" + std::string(o.path)).at(lower(std::string(o.method)));
      CHECK(route["operationId"] == o.about.name);
    }
    if ((o.doors & kMcp) != 0) {
      const auto is_it = [&](const Json& tool) { return tool["name"] == o.about.name; };
      CHECK(std::count_if(tools.begin(), tools.end(), is_it) == 1);
      ++named;
    }
  }
  CHECK(paths.at("/v1/events").at("get").at("operationId") == "events_stream");
  CHECK(routes == offered + 1);
  CHECK(tools.size() == named);
}

TEST_CASE("tools: a model is given few, in few words") {
  const Json core = mcp_tools(Tool::core);
  CHECK(core.size() <= 9);
  CHECK(core.size() < mcp_tools(Tool::all).size());
  // Four bytes a token is what tokenizers give of such JSON, and a little more.
  CHECK(core.dump().size() / 4 <= 2500);
  for (const Json& tool : core) {
    INFO(tool["name"]);
    const Operation& o = named_by(tool);
    for (const Field& f : o.remote_request()) {
      INFO(f.name);
      CHECK(tool["inputSchema"]["properties"].contains(f.name) == !f.bounds.rare);
      CHECK_FALSE((f.bounds.rare && f.bounds.required));
    }
    CHECK_FALSE(tool.contains("outputSchema"));
  }
}

// A client whose model takes one type alone refuses the whole list, or each call with the field.
TEST_CASE("tools: each field has one type") {
  std::size_t types = 0;
  const std::function<void(const Json&)> look = [&](const Json& schema) {
    if (schema.is_object() && schema.contains("type") && !schema["type"].is_object()) {
      CHECK(schema["type"].is_string());
      ++types;
      if (schema.contains("default"))
        CHECK(schema["default"].is_string() == (schema["type"] == "string"));
    }
    for (const Json& one : schema) {
      if (one.is_structured()) look(one);
    }
  };
  for (const Tool list : {Tool::core, Tool::all}) {
    for (const Json& tool : mcp_tools(list)) {
      INFO(tool["name"]);
      look(tool["inputSchema"]);
      if (tool.contains("outputSchema")) look(tool["outputSchema"]);
      for (const auto& [name, field] : tool["inputSchema"]["properties"].items()) {
        INFO(name);
        CHECK_FALSE(field.contains("anyOf"));
      }
    }
  }
  CHECK(types > 200);
  for (const Json& tool : mcp_tools(Tool::core)) {
    if (tool["name"] == "next")
      CHECK(tool["inputSchema"]["properties"]["lease"]["default"] == "15m");
  }
}

TEST_CASE("tools: their texts name nothing that a model cannot use over MCP") {
  std::size_t texts = 0;
  const std::function<void(const Json&)> look = [&](const Json& value) {
    for (const Json& one : value) {
      if (one.is_structured()) look(one);
      if (!one.is_string()) continue;
      const std::string text = one.get<std::string>();
      INFO(text);
      ++texts;
      for (const char* foreign : {"--", ".md", "`hebb ", "hebb_"})
        CHECK(text.find(foreign) == std::string::npos);
    }
  };
  look(mcp_tools(Tool::all));
  look(mcp_tools(Tool::core));
  CHECK(texts > 500);
}

}  // namespace hebb::api
