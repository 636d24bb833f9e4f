// The page in a real Chromium, by playwright-core and axe-core: npm packages, pinned in
// serve/page/.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "reward/factors.h"
#include "tests/serve/server.h"
#include "tests/support/process.h"
#include "tests/support/script.h"

using namespace hebb::test;

namespace {

namespace fs = std::filesystem;

void in_browser(const std::string& script) {
  const fs::path page = fs::path(HEBB_SOURCE_DIR) / "serve" / "page";
  const fs::path run_sh = fs::path(HEBB_SOURCE_DIR) / "tests" / "serve" / "page" / "run.sh";
  const fs::path work = fs::current_path() / "page";
  run_script({run_sh.string(), page.string(), work.string(), HEBB_BINARY, script});
}

}  // namespace

TEST_CASE("page: in a browser: every view, for eyes, ears and hands", "[browser]") {
  in_browser("views.mjs");
}

TEST_CASE("page: in a browser: what happens elsewhere shows, and what is done can be undone",
          "[browser]") {
  in_browser("live.mjs");
}

TEST_CASE("page: in a browser: tasks are written and done, with keys of one letter too",
          "[browser]") {
  in_browser("tasks.mjs");
}

TEST_CASE("page: in a browser: a hundred thousand tasks", "[browser]") { in_browser("many.mjs"); }

TEST_CASE("page: the committed files are what its sources build to, byte for byte", "[node]") {
  const fs::path page = fs::path(HEBB_SOURCE_DIR) / "serve" / "page";
  const Folder folder;
  const std::string out = folder.file("built");
  const std::string check = "HEBB_PAGE_WORK='" + (fs::current_path() / "page").string() + "' '" +
                            (page / "build.sh").string() + "' '" + out + "' && diff -r '" + out +
                            "' '" + (page / "built").string() + "'";
  run_script({"/bin/sh", "-c", check});
}

TEST_CASE("page: its files come without a token, with a strict policy and a tag") {
  const Folder folder;
  write_text(folder.file("secret"), "0123456789abcdef\n");
  const Server server({"--token-file", folder.file("secret")});
  const auto page = server.ask("GET", "/");
  REQUIRE(status_of(page) == 200);
  CHECK(page.find("Content-Type: text/html; charset=utf-8\r\n") != std::string::npos);
  CHECK(page.find("Content-Security-Policy: default-src 'none'; script-src 'self';") !=
        std::string::npos);
  CHECK(page.find("unsafe-") == std::string::npos);
  CHECK(page.find("<style") == std::string::npos);
  CHECK(page.find(" style=") == std::string::npos);
  const auto tag = header_of(page, "ETag");
  REQUIRE_FALSE(tag.empty());
  const auto again = server.ask("GET", "/", "If-None-Match: " + tag + "\r\n");
  CHECK(status_of(again) == 304);
  CHECK(body_of(again).empty());
  for (const char* file : {"/page/page.js", "/page/page.css", "/page/inter.woff2"})
    CHECK(status_of(server.ask("GET", file)) == 200);
  CHECK(status_of(server.ask("POST", "/", "Content-Length: 0\r\n")) == 405);
  CHECK(status_of(server.ask("GET", "/page/nothing")) == 401);
  CHECK(status_of(server.ask("GET", "/page/../v1/rank")) == 401);
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 401);
  CHECK(status_of(server.ask("GET", "/", "Origin: http://evil.example\r\n")) == 403);
}

TEST_CASE("page: it names factors as reasons and explanations do") {
  const std::string path = HEBB_SOURCE_DIR "/serve/page/src/factors.js";
  std::ifstream file(path);
  const std::string source(std::istreambuf_iterator<char>(file), {});
  const auto has = [&](std::string_view name, const hebb::reward::FactorWords& words) {
    const std::string line =
        fmt::format("\n  {}: ['{}', '{}', '{}'],\n", name, words.label, words.raises, words.lowers);
    INFO(path << " lacks" << line);
    CHECK(source.find(line) != std::string::npos);
  };
  for (const hebb::reward::Factor& factor : hebb::reward::factors()) has(factor.name, factor.words);
}
