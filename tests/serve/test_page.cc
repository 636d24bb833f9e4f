// The page in a real Chromium, by playwright-core and axe-core: npm packages, pinned in
// serve/page/.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

namespace fs = std::filesystem;

constexpr int kSkipped = 77;

// What the script says is shown when it fails, and where it skips.
void run(const std::vector<std::string>& words) {
  const auto process = hebb::test::run_process(words);
  if (process.exit_code == kSkipped) {
    WARN("hebb-test-skipped: " << process.out);
    return;
  }
  INFO(process.out << process.err);
  CHECK(process.exit_code == 0);
}

void in_browser(const std::string& script) {
  const fs::path page = fs::path(HEBB_SOURCE_DIR) / "serve" / "page";
  const fs::path run_sh = fs::path(HEBB_SOURCE_DIR) / "tests" / "serve" / "page" / "run.sh";
  const fs::path work = fs::current_path() / "page";
  run({run_sh.string(), page.string(), work.string(), HEBB_BINARY, script});
}

}  // namespace

TEST_CASE("page: in a browser: every view, for eyes, ears and hands") { in_browser("views.mjs"); }

TEST_CASE("page: in a browser: what happens elsewhere shows, and what is done can be undone") {
  in_browser("live.mjs");
}

TEST_CASE("page: in a browser: a hundred thousand tasks") { in_browser("many.mjs"); }

TEST_CASE("page: the committed files are what its sources build to, byte for byte") {
  const fs::path page = fs::path(HEBB_SOURCE_DIR) / "serve" / "page";
  const hebb::test::Folder folder;
  const std::string out = folder.file("built");
  const std::string check = "HEBB_PAGE_WORK='" + (fs::current_path() / "page").string() + "' '" +
                            (page / "build.sh").string() + "' '" + out + "' && diff -r '" + out +
                            "' '" + (page / "built").string() + "'";
  run({"/bin/sh", "-c", check});
}
