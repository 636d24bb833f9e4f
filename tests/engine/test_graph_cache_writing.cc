// When a graph cache is written, by which process, and how writes by others are noticed.
#include <csignal>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/mirror/graph_cache.h"
#include "tests/engine/graph_cache_support.h"

namespace hebb::test {
namespace {

// --- writing -------------------------------------------------------------------------------------

TEST_CASE("a graph cache is written when its tail is long, and not before",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const auto first = inode_of(world.cache);
  Engine engine = open(world.path, 0);
  for (std::size_t i = 0; i < 250; ++i) engine.append(failure(kStart + 2 * kDay, "t3"));
  CHECK(inode_of(world.cache) == first);
  engine.append(failure(kStart + 2 * kDay, "t3"));
  CHECK(inode_of(world.cache) != first);
  CHECK_FALSE(fs::exists(world.cache + "-new"));
  CHECK(difference(held(world.path, 0), held(world.path, kNoGraphCache)) == "");
}

TEST_CASE("a small database has no graph cache", "[graph_cache][sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"), 1000);
  engine.append(node(kStart, "a"));
  engine.recalibrate(kStart + kHour);
  engine.rebuild();
  CHECK_FALSE(fs::exists(dir.file("a.db-image")));
}

TEST_CASE("a graph cache that was left half written does not keep the next one from being written",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  write_bytes(world.cache + "-new", "half");
  const auto first = inode_of(world.cache);
  Engine engine = open(world.path, 0);
  engine.append(failure(kStart + 2 * kDay, "t3"));
  engine.recalibrate(kStart + 3 * kDay);
  CHECK(inode_of(world.cache) != first);
  CHECK_FALSE(fs::exists(world.cache + "-new"));
}

TEST_CASE("a graph cache is for its owner alone", "[graph_cache][sqlite]") {
  const mode_t mode = GENERATE(0600, 0644);
  WithGraphCache world;
  REQUIRE(::chmod(world.path.c_str(), mode) == 0);
  open(world.path, 0).rebuild();
  struct stat status {};
  REQUIRE(::stat(world.cache.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a file that has the name of a new graph cache is never written to",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const auto first = inode_of(world.cache);
  const std::string other = world.dir.file("other"), next = world.cache + "-new";
  write_bytes(other, "precious");
  std::error_code error;
  SECTION("another name of it") {
    fs::create_hard_link(other, next, error);
    REQUIRE_FALSE(error);
    open(world.path, 0).rebuild();
    CHECK(inode_of(world.cache) != first);
  }
  SECTION("a link to it") {
    fs::create_symlink(other, next, error);
    REQUIRE_FALSE(error);
    open(world.path, 0).rebuild();
  }
  CHECK(read_text(other) == "precious");
  CHECK(difference(held(world.path, 0), world.answers) == "");
}

void give_away(const std::string& path) { REQUIRE(::chown(path.c_str(), 65534, 65534) == 0); }

TEST_CASE("a graph cache of another user is not read", "[graph_cache][sqlite]") {
  if (::geteuid() != 0) SUCCEED("only root can make a file of another user");
  if (::geteuid() != 0) return;
  WithGraphCache world;
  give_away(world.cache);
  {
    Engine engine = open(world.path, 0);
    CHECK_FALSE(engine.state().graph().edges().weight.is_view());
    CHECK(engine.verify() ==
          std::vector<std::string>{"graph cache: it belongs to another user; `hebb rebuild` writes "
                                   "it anew"});
    engine.rebuild();
    CHECK(engine.verify() == std::vector<std::string>{});
  }
  CHECK(open(world.path, 0).state().graph().edges().weight.is_view());
}

TEST_CASE("beside a database of another user a graph cache is neither read nor written",
          "[graph_cache][sqlite]") {
  if (::geteuid() != 0) SUCCEED("only root can make a file of another user");
  if (::geteuid() != 0) return;
  WithGraphCache world;
  for (const char* suffix : {"", "-wal", "-shm", "-image"}) {
    if (fs::exists(world.path + suffix)) give_away(world.path + suffix);
  }
  const auto first = inode_of(world.cache);
  Engine engine = open(world.path, 0);
  CHECK_FALSE(engine.state().graph().edges().weight.is_view());
  CHECK(engine.verify() == std::vector<std::string>{});
  engine.rebuild();
  CHECK(inode_of(world.cache) == first);
  CHECK(difference(held(world.path, 0), world.answers) == "");
}

TEST_CASE("a graph cache that cannot be written is no error", "[graph_cache][sqlite]") {
  WithGraphCache world;
  fs::remove(world.cache);
  fs::create_directory(world.cache + "-new");
  Engine engine = open(world.path, 0);
  engine.append(failure(kStart + 2 * kDay, "t3"));
  engine.recalibrate(kStart + 3 * kDay);
  CHECK_FALSE(fs::exists(world.cache));
  CHECK(difference(held(world.path, 0), held(world.path, kNoGraphCache)) == "");
}

TEST_CASE("a graph cache for which there is no room leaves the one that is there",
          "[graph_cache][sqlite]") {
  WithGraphCache world;
  const std::string whole = read_text(world.cache);
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit small{20'000, 20'000};
    std::signal(SIGXFSZ, SIG_IGN);
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) ::_exit(2);
    State state;
    state.apply(node(kStart, "a"));
    ::_exit(write_graph_cache(world.cache, state, {1, 2}) ? 1 : 0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(read_text(world.cache) == whole);
  CHECK_FALSE(fs::exists(world.cache + "-new"));
}

TEST_CASE("processes that write a graph cache at once leave a whole one", "[graph_cache][sqlite]") {
  WithGraphCache world;
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    try {
      for (int i = 0; i < 8; ++i) {
        Engine engine = open(world.path, 0);
        engine.append(failure(kStart + 2 * kDay + i, fmt::format("t{}", k)));
        try {
          engine.recalibrate(kStart + (3 + i) * kDay + k);
        } catch (const Refused&) {  // another process was faster, and recalibrated as of later
        }
        engine.state();
      }
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(open(world.path, 0).verify() == std::vector<std::string>{});
  CHECK(difference(held(world.path, 0), held(world.path, kNoGraphCache)) == "");
  CHECK_FALSE(fs::exists(world.cache + "-new"));
}

}  // namespace
}  // namespace hebb::test
