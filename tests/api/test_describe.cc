// OpenAPI, MCP tools and pages made from the list have each operation that belongs in them.
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "api/describe.h"

namespace hebb::api {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

TEST_CASE("each operation stands in each door that it names, and in no other") {
  const Json paths = openapi()["paths"], tools = mcp_tools();
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
      const auto is_it = [&](const Json& tool) {
        return tool["name"] == "hebb_" + std::string(o.about.name);
      };
      CHECK(std::count_if(tools.begin(), tools.end(), is_it) == 1);
      ++named;
    }
  }
  CHECK(paths.at("/v1/events").at("get").at("operationId") == "events_stream");
  CHECK(routes == offered + 1);
  CHECK(tools.size() == named);
}

TEST_CASE("docs/api.md is what the list says") {
  std::ifstream file(HEBB_SOURCE_DIR "/docs/api.md");
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == api_page());  // else: hebb api docs > docs/api.md
}

}  // namespace hebb::api
