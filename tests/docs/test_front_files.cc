// llms.txt and server.json: what other programs read of hebb first.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace fs = std::filesystem;

namespace {

std::string top(const std::string& name) {
  return hebb::test::read_text(std::string(HEBB_SOURCE_DIR "/") + name);
}

}  // namespace

TEST_CASE("llms.txt: a title, a summary, and links to every page, which are there") {
  const std::string text = top("llms.txt");
  CHECK(std::regex_search(text, std::regex("^# hebb\n\n> [^\n]+\n\n")));
  const std::regex link(R"(\n- \[[^\]\n]+\]\(([^)\n]+)\): [^\n]+)");
  std::set<std::string> linked;
  for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
    INFO((*it)[1]);
    CHECK(fs::is_regular_file(fs::path(HEBB_SOURCE_DIR) / (*it)[1].str()));
    linked.insert((*it)[1]);
  }
  CHECK(static_cast<long>(linked.size()) == std::count(text.begin(), text.end(), '['));
  for (const auto& page : fs::directory_iterator(HEBB_SOURCE_DIR "/docs")) {
    const std::string name = "docs/" + page.path().filename().string();
    INFO(name);
    if (name.ends_with(".md")) CHECK(linked.contains(name));
  }
}

// https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
TEST_CASE("server.json: of the registry's shape, and of this version") {
  const auto json = nlohmann::json::parse(top("server.json"));
  CHECK(std::regex_match(json.at("name").get<std::string>(),
                         std::regex("[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")));
  CHECK(json.at("description").get<std::string>().size() <= 100);
  CHECK(json.at("title").get<std::string>().size() <= 100);
  const std::string version = json.at("version");
  CHECK(hebb::test::run_process({HEBB_BINARY, "--version"})
            .out.starts_with("hebb " + version + " ("));
  for (const auto& [name, value] : json.items()) {
    INFO(name);
    CHECK(std::set<std::string>{"$schema", "name", "title", "description", "version", "_meta"}
              .contains(name));
  }
  for (const auto& [name, value] : json.at("_meta").items()) {
    CHECK(name == "io.modelcontextprotocol.registry/publisher-provided");
    CHECK(value.is_object());
  }
}
