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
ProcessResult run_in(const fs::path& folder, std::vector<std::string> args, fs::path home = {}) {
  if (home.empty()) home = folder / "home";
  args.insert(args.begin(), {"env", "-u", "HEBB_DB", "-u", "XDG_STATE_HOME",
                             "HOME=" + home.string(), "GIT_DIR=/nowhere", HEBB_BINARY});
  hebb::test::ProcessOptions options;
  options.folder = folder.string();
  return run_process(args, options);
}

// The line of stats about it.
std::string database_of(const fs::path& folder, const fs::path& home = {}) {
  const auto r = run_in(folder, {"stats"}, home);
  INFO(r.out << r.err);
  return r.exit_code == 0 ? lines_of(r.out).at(0) : "";
}

// A folder in which the database is to be.
struct Place {
  explicit Place(const fs::path& folder) : database((folder / ".hebb" / "hebb.db").string()) {}
  std::string made() const { return "made " + database + "\n"; }
  std::string is_there() const { return database + " is there already\n"; }
  std::string line(const std::string& why) const {
    return "database        " + database + " (" + why + ")";
  }
  std::string database;
};

// As `git worktree add` makes it: `git` is the .git of the main worktree, or a bare repository.
void make_worktree(const fs::path& git, const fs::path& tree) {
  const fs::path own = git / "worktrees" / tree.filename();
  for (const char* folder : {"objects", "refs"}) fs::create_directories(git / folder);
  fs::create_directories(own);
  fs::create_directories(tree / "deep");
  write_text((git / "HEAD").string(), "ref: refs/heads/main\n");
  write_text((own / "commondir").string(), "../..\n");
  write_text((tree / ".git").string(), "gitdir: " + own.string() + "\n");
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
  const Place place(repository);
  CHECK(made.out == place.made());
  CHECK(read_text((repository / ".hebb" / ".gitignore").string()) == "*\n");
  CHECK(database_of(deep) == place.line(".hebb of this repository"));
  CHECK(database_of(repository) == place.line(".hebb of this repository"));
  const auto again = run_in(repository, {"init"});
  CHECK(again.exit_code == 0);
  CHECK(again.out == place.is_there());
  CHECK(nlohmann::json::parse(run_in(repository, {"init", "--json"}).out)["made"] == false);
  // Outside of a repository it is made where one stands; the nearest one is taken.
  const fs::path alone = fs::canonical(top.path()) / "alone";
  fs::create_directory(alone);
  CHECK(run_in(alone, {"init"}).out == Place(alone).made());
  CHECK(database_of(alone) == Place(alone).line(".hebb of this folder"));
  fs::create_directory(repository / "a" / ".hebb");
  CHECK(run_in(deep, {"init"}).out == Place(repository / "a").made());
  CHECK(database_of(deep) == Place(repository / "a").line(".hebb of a folder above"));
  // --db goes before it.
  const std::string other = (alone / "other.db").string();
  CHECK(nlohmann::json::parse(run_in(deep, {"--db", other, "init", "--json"}).out)["made"] == true);
  CHECK(run_in(deep, {"--db", other, "init"}).out == other + " is there already\n");
  CHECK(lines_of(run_in(deep, {"--db", other, "stats"}).out).at(0) ==
        "database        " + other + " (--db)");
}

TEST_CASE("all worktrees of a repository have the database of the main one") {
  const Folder top;
  const fs::path main = fs::canonical(top.path()) / "main",
                 tree = fs::canonical(top.path()) / "tree";
  make_worktree(main / ".git", tree);
  const Place place(main);
  for (const std::string& to :
       {(main / ".git/worktrees/tree").string(), std::string("../main/.git/worktrees/tree")}) {
    write_text((tree / ".git").string(), "gitdir: " + to + "\n");
    fs::remove_all(main / ".hebb");
    CHECK(run_in(tree / "deep", {"init"}).out == place.made());
    CHECK(run_in(tree, {"init"}).out == place.is_there());
  }
  CHECK_FALSE(fs::exists(tree / ".hebb"));
  CHECK(database_of(tree / "deep") == place.line(".hebb of this repository"));
  for (const fs::path& within : {main, main / ".git", main / ".git" / "worktrees" / "tree"})
    CHECK(run_in(within, {"init"}).out == place.is_there());
  // That of a folder within the repository is one of all worktrees, too.
  fs::create_directories(main / "deep");
  fs::create_directory(main / "deep" / ".hebb");
  CHECK(run_in(tree / "deep", {"init"}).out == Place(main / "deep").made());
  CHECK(run_in(tree, {"init"}).out == place.is_there());
  // In the folder of another repository it is still the worktree of its own.
  fs::create_directories(main / "other" / ".git");
  make_worktree(main / ".git", main / "other" / "tree");
  CHECK(run_in(main / "other", {"init"}).out == Place(main / "other").made());
  CHECK(run_in(main / "other" / "tree", {"init"}).out == place.is_there());
  // A submodule is a repository of its own.
  write_text((tree / ".git").string(), "gitdir: ../main/.git/modules/tree\n");
  CHECK(run_in(tree, {"init"}).out == Place(tree).made());
}

TEST_CASE("all worktrees of a bare repository have one database") {
  const Folder top;
  const fs::path above = fs::canonical(top.path());
  SECTION("beside it") {
    const fs::path git = above / "proj.git";
    make_worktree(git, above / "one");
    make_worktree(git, above / "two");
    CHECK(run_in(above / "one" / "deep", {"init"}).out == Place(git).made());
    for (const fs::path& at : {above / "two", git, git / "refs"})
      CHECK(database_of(at) == Place(git).line(".hebb of this repository"));
  }
  SECTION("around it, with a file .git beside it") {
    const fs::path git = above / "proj" / ".bare";
    make_worktree(git, above / "proj" / "one");
    write_text((above / "proj" / ".git").string(), "gitdir: ./.bare\n");
    CHECK(run_in(above / "proj" / "one", {"init"}).out == Place(above / "proj").made());
    for (const fs::path& at : {above / "proj", git})
      CHECK(database_of(at) == Place(above / "proj").line(".hebb of this repository"));
  }
}

TEST_CASE("the search for a database ends at the root of the repository, and at the home folder") {
  const Folder top;
  const fs::path home = fs::canonical(top.path()) / "home", outer = home / "outer",
                 inner = outer / "inner";
  fs::create_directories(inner / "deep");
  fs::create_directory(outer / ".git");
  REQUIRE(run_in(outer, {"init"}, home).out == Place(outer).made());
  const std::string named = "only where it is named: --db " + Place(outer).database;
  const auto use_no_other = [&] {
    const auto read = run_in(inner / "deep", {"list"}, home);
    CHECK(read.exit_code == 69);
    CHECK(read.err.find(named) != std::string::npos);
    CHECK(run_in(inner, {"setup", "claude"}, home).err.find(named) != std::string::npos);
    const auto written = run_in(inner, {"add", "x"}, home);
    CHECK(written.exit_code == 0);
    CHECK(written.err.find("a new database, of this user: ") != std::string::npos);
    CHECK(written.err.find(named) != std::string::npos);
    CHECK(database_of(inner, home).ends_with("hebb.db (the default of this user)"));
    CHECK(run_in(inner / "deep", {"init"}, home).out == Place(inner).made());
    CHECK(database_of(inner / "deep", home) == Place(inner).line(".hebb of this repository"));
  };
  SECTION("of a repository") {
    fs::create_directory(inner / ".git");
    use_no_other();
  }
  SECTION("of a submodule") {
    write_text((inner / ".git").string(), "gitdir: ../.git/modules/inner\n");
    use_no_other();
  }
  SECTION("of the home folder") {
    fs::remove_all(outer / ".git");
    CHECK(database_of(inner, outer) == Place(outer).line(".hebb of a folder above"));
    CHECK(database_of(inner, home / "elsewhere") == Place(outer).line(".hebb of a folder above"));
    const auto read = run_in(inner / "deep", {"list"}, inner);
    CHECK(read.exit_code == 69);
    CHECK(read.err.find(named) != std::string::npos);
  }
}

TEST_CASE("a task is named by its id or its exact name") {
  const Hebb hebb;
  hebb.run({"add", "Call plumber", "--id", "p1", "--label", "home", "--label", "home"});
  hebb.run({"add", "Call", "sister", "--id", "s1", "--label", "garden,home"});
  CHECK(hebb.json({"show", "Call plumber"})["task"]["id"] == "p1");
  for (const char* other : {"call plumber", "Call", "p", "plumber"})
    CHECK(hebb.run({"done", other}).exit_code == 1);
  CHECK(hebb.json({"show", "Call sister"})["task"]["labels"] ==
        nlohmann::json::array({"garden", "home"}));
  CHECK(hebb.json({"explain", "p1", "label-home", "LABELED_AS"})["weight"] == 1.0);
  hebb.run({"add", "Call plumber", "--id", "p2"});
  const auto two = hebb.run({"done", "Call plumber"});
  CHECK(two.exit_code == 2);
  CHECK(two.err.find("2 tasks are called: p1 (OPEN), p2 (OPEN)") != std::string::npos);
  // A label is no task.
  CHECK(hebb.run({"pin", "home"}).exit_code == 1);
  // One that was deleted comes back when it is given again.
  hebb.run({"node", "delete", "label-home"});
  CHECK(hebb.json({"add", "Paint", "--label", "home"})["task"]["labels"] ==
        nlohmann::json::array({"home"}));
  hebb.run({"node", "delete", "p2"});
  CHECK(hebb.run({"add", "x", "--id", "p2"}).err.find("was deleted") != std::string::npos);
}

TEST_CASE("next says why there is nothing to do, and only of what was asked for") {
  const Hebb hebb;
  hebb.run({"add", "a", "--id", "a", "--label", "ui"});
  hebb.run({"node", "set", "t", "--type", "TEST", "--state", "OPEN"});
  hebb.run({"next", "--claim", "--agent", "ann"});
  CHECK(hebb.run({"next"}).err.find(
            "nothing to do: 1 task is claimed; 1 test or skill is given out") != std::string::npos);
  const auto other = hebb.run({"next", "--label", "nowhere"});
  CHECK(other.err.find("there is no label \"nowhere\"") != std::string::npos);
  CHECK(other.err.find("claimed") == std::string::npos);
  // Asked again, whoever has it gets its token.
  const auto again = hebb.json({"claim", "take", "a", "--agent", "ann"})["tasks"][0];
  CHECK(again["token"].is_number());
  CHECK(hebb.run({"claim", "take", "a", "--agent", "bob"}).exit_code == 1);
  const auto ended = hebb.run({"fail", "a", "--because", "out of stock", "--agent", "bob"});
  CHECK(ended.err.find("the claim of ann on a has ended") != std::string::npos);
  CHECK(hebb.json({"next"})["tasks"][0]["failures"][0]["because"] == "out of stock");
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

TEST_CASE("what another user put above is not followed: a link, a repository") {
  if (::geteuid() != 0) SUCCEED("only root can make a link of another user");
  if (::geteuid() != 0) return;
  const Folder top;
  const fs::path above = fs::canonical(top.path()), folder = above / "a", mine = above / "mine";
  fs::create_directories(folder);
  fs::create_directories(mine / ".hebb");
  const auto give_away = [](const fs::path& path) {
    REQUIRE(::lchown(path.c_str(), 65534, 65534) == 0);
  };
  SECTION("a link to a folder of one's own") {
    fs::create_symlink(mine / ".hebb", above / ".hebb");
    give_away(above / ".hebb");
    const auto r = run_in(folder, {"add", "x"});
    CHECK(r.exit_code == 2);
    CHECK(r.err.find((above / ".hebb").string() + " belongs to another user") != std::string::npos);
  }
  SECTION("a worktree of a repository of one's own") {
    fs::create_directories(mine / ".git" / "worktrees" / "a");
    write_text((above / ".git").string(),
               "gitdir: " + (mine / ".git" / "worktrees" / "a").string() + "\n");
    give_away(above / ".git");
    run_in(folder, {"add", "x"});
  }
  SECTION("a repository") {
    fs::create_directory(above / ".git");
    give_away(above / ".git");
    REQUIRE(run_in(folder, {"init"}).exit_code == 0);
    CHECK_FALSE(fs::exists(above / ".hebb"));
    CHECK(fs::exists(folder / ".hebb" / "hebb.db"));
  }
  CHECK_FALSE(fs::exists(mine / ".hebb" / "hebb.db"));
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
