// A first day: the database of a folder, and ids that can be typed.
#include <filesystem>
#include <set>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/hebb.h"

namespace fs = std::filesystem;
using hebb::test::Folder;
using hebb::test::Hebb;
using hebb::test::lines_of;
using hebb::test::ProcessResult;
using hebb::test::read_text;
using hebb::test::run_process;
using hebb::test::write_text;

namespace {

// Without HEBB_DB, in a folder, with a home of its own.
ProcessResult run_in(const fs::path& folder, std::vector<std::string> args) {
  args.insert(args.begin(), {"env", "-u", "HEBB_DB", "-u", "XDG_STATE_HOME", "HOME=/nonexistent",
                             "HEBB_HERE=1", HEBB_BINARY});
  hebb::test::ProcessOptions options;
  options.folder = folder.string();
  return run_process(args, options);
}

std::string database_of(const fs::path& folder) {
  const auto r = run_in(folder, {"stats"});
  INFO(r.out << r.err);
  return r.exit_code == 0 ? lines_of(r.out).at(0) : "";
}

}  // namespace

TEST_CASE("the database of a folder is made by init and found from below") {
  const Folder top;
  const fs::path repository = fs::canonical(top.path()) / "repository",
                 deep = repository / "a" / "b";
  fs::create_directories(deep);
  fs::create_directory(repository / ".git");
  CHECK(run_in(deep, {"stats"}).exit_code == 69);
  const auto made = run_in(deep, {"init"});
  CHECK(made.out == "database " + (repository / ".hebb" / "hebb.db").string() + "\n");
  CHECK(read_text((repository / ".hebb" / ".gitignore").string()) == "*\n");
  const std::string line =
      "database        " + (repository / ".hebb" / "hebb.db").string() + " (of this folder)";
  CHECK(database_of(deep) == line);
  CHECK(database_of(repository) == line);
  CHECK(run_in(repository, {"init"}).out == made.out);
  // Outside of a repository it is made where one stands; the nearest one is taken.
  const fs::path alone = fs::canonical(top.path()) / "alone";
  fs::create_directory(alone);
  CHECK(run_in(alone, {"init"}).out == "database " + (alone / ".hebb" / "hebb.db").string() + "\n");
  fs::create_directory(repository / "a" / ".hebb");
  CHECK(run_in(deep, {"init"}).out ==
        "database " + (repository / "a" / ".hebb" / "hebb.db").string() + "\n");
  // --db goes before it.
  const std::string other = (alone / "other.db").string();
  CHECK(run_in(deep, {"--db", other, "init"}).out == "database " + other + "\n");
  CHECK(lines_of(run_in(deep, {"--db", other, "stats"}).out).at(0) ==
        "database        " + other + " (--db)");
}

TEST_CASE("a database that another user put above is not taken") {
  if (::geteuid() != 0) SUCCEED("only root can make a folder of another user");
  if (::geteuid() != 0) return;
  const Folder top;
  const fs::path folder = fs::canonical(top.path()) / "a", hidden = folder / ".hebb";
  fs::create_directories(hidden);
  REQUIRE(::chown(hidden.c_str(), 65534, 65534) == 0);
  const auto r = run_in(folder, {"add", "x"});
  CHECK(r.exit_code == 2);
  CHECK(r.err.find(hidden.string() + " belongs to another user") != std::string::npos);
  CHECK_FALSE(fs::exists(hidden / "hebb.db"));
}

TEST_CASE("an id that was made is short, can be typed, and is another one for each task") {
  const Hebb hebb;
  std::set<std::string> ids;
  for (int i = 0; i < 40; ++i) {
    const auto task = hebb.json({"add", "the same"})["task"];
    ids.insert(task["id"].get<std::string>());
  }
  CHECK(ids.size() == 40);
  for (const auto& id : ids) {
    INFO(id);
    CHECK(id.size() <= 5);
    CHECK(id.find_first_not_of("abcdefghjkmnpqrstuvwxyz23456789") == std::string::npos);
    CHECK((id[0] >= 'a' && id[0] <= 'z'));
  }
}

TEST_CASE("the help of the program fits a screen") {
  const Hebb hebb;
  const auto lines = lines_of(hebb.run({"--help"}).out);
  CHECK(lines.size() < 45);
  for (const auto& line : lines) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}
