// import --follow: each change of a file is imported, until the program is ended.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/hebb.h"

namespace hebb::test {

namespace {

// `hebb import --follow FILE`, whose output is read line by line as it comes.
class Follower {
 public:
  Follower(const Hebb& hebb, const std::string& file, const std::vector<std::string>& more = {}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const std::string db = hebb.db();
    std::vector<const char*> args{HEBB_BINARY, "--db",     db.c_str(),  "-q",
                                  "import",    "--follow", file.c_str()};
    for (const std::string& arg : more) args.push_back(arg.c_str());
    args.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], 1);
      dup2(ends[1], 2);
      close(ends[0]);
      close(ends[1]);
      execv(args[0], const_cast<char* const*>(args.data()));
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }
  ~Follower() {
    if (pid_ > 0) end();
    std::fclose(out_);
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  int end(int signal = SIGTERM) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
  std::FILE* out_ = nullptr;
};

std::string bead(int n, const std::string& more = "") {
  return R"({"id":"bd-)" + std::to_string(n) +
         R"(","title":"T","created_at":"2020-01-01T00:00:00Z")" + more + "}\n";
}

// Asks until the node has that state.
void wait_for(const Hebb& hebb, const std::string& id, const std::string& state) {
  for (int asked = 0; asked < 5000; ++asked) {
    const auto got = hebb.run({"-q", "node", "get", id, "--json"});
    if (got.exit_code == 0 && nlohmann::json::parse(got.out).at("node").at("state") == state)
      return;
  }
  FAIL(id << " did not become " << state);
}

}  // namespace

TEST_CASE("a followed file is imported whenever it changes, whole lines alone") {
  const Hebb hebb;
  hebb.run({"init"});
  const std::string file = hebb.file("issues.jsonl");
  Follower follower(hebb, file);  // which is not there yet
  std::ofstream(file) << bead(1);
  wait_for(hebb, "bd-1", "OPEN");

  const std::string third = bead(3);
  std::ofstream(file, std::ios::app) << bead(2) << third.substr(0, 20);
  wait_for(hebb, "bd-2", "OPEN");
  CHECK(hebb.run({"node", "get", "bd-3"}).exit_code != 0);
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].empty());
  std::ofstream(file, std::ios::app) << third.substr(20);
  wait_for(hebb, "bd-3", "OPEN");

  // Replaced by another file, as editors and trackers do.
  std::ofstream(file + ".new") << bead(1,
                                       R"(,"status":"closed","closed_at":"2020-01-02T00:00:00Z")")
                               << bead(2) << bead(3);
  std::filesystem::rename(file + ".new", file);
  wait_for(hebb, "bd-1", "CLOSED");

  std::ofstream(file) << "<testsuite/>";  // no tracker's: a warning, and it goes on
  std::ofstream(file) << bead(4);
  wait_for(hebb, "bd-4", "OPEN");

  // gh prints an array, of which nothing is taken before its end.
  std::ofstream(file) << R"([{"number":1,"title":"T","state":"OPEN")";
  std::ofstream(file, std::ios::app) << R"(,"createdAt":"2020-01-01T00:00:00Z"}])";
  wait_for(hebb, "issue-1", "OPEN");
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].empty());
  CHECK(follower.end() == 0);
}

TEST_CASE("a followed file is that at its path: whatever folder or link of it is replaced") {
  namespace fs = std::filesystem;
  const Hebb hebb;
  hebb.run({"init"});
  const auto write = [&](const std::string& path, int n) {
    std::ofstream(hebb.file(path)) << bead(n);
    return "bd-" + std::to_string(n);
  };
  fs::create_directory(hebb.file("one"));
  fs::create_directory(hebb.file("two"));
  fs::create_directory_symlink("one", hebb.file("here"));
  write("one/real.jsonl", 1);
  fs::create_symlink("real.jsonl", hebb.file("one/issues.jsonl"));
  Follower follower(hebb, hebb.file("here/issues.jsonl"));
  wait_for(hebb, "bd-1", "OPEN");
  // What the link leads to is written anew, and replaced.
  wait_for(hebb, write("one/real.jsonl", 2), "OPEN");
  write("one/new", 3);
  fs::rename(hebb.file("one/new"), hebb.file("one/real.jsonl"));
  wait_for(hebb, "bd-3", "OPEN");
  // The link leads elsewhere.
  write("two/other.jsonl", 4);
  fs::create_symlink("../two/other.jsonl", hebb.file("one/link"));
  fs::rename(hebb.file("one/link"), hebb.file("one/issues.jsonl"));
  wait_for(hebb, "bd-4", "OPEN");
  wait_for(hebb, write("two/other.jsonl", 5), "OPEN");
  // A folder of the path is another one.
  write("two/issues.jsonl", 6);
  fs::create_directory_symlink("two", hebb.file("there"));
  fs::rename(hebb.file("there"), hebb.file("here"));
  wait_for(hebb, "bd-6", "OPEN");
  wait_for(hebb, write("two/issues.jsonl", 7), "OPEN");
  fs::rename(hebb.file("two"), hebb.file("old"));
  write("old/issues.jsonl", 99);  // nobody's any more
  fs::create_directory(hebb.file("two"));
  wait_for(hebb, write("two/issues.jsonl", 8), "OPEN");
  wait_for(hebb, write("two/issues.jsonl", 9), "OPEN");
  CHECK(hebb.run({"node", "get", "bd-99"}).exit_code != 0);
  CHECK(follower.end() == 0);
}

TEST_CASE("what is gone from a followed file is closed, also where its folder was replaced") {
  namespace fs = std::filesystem;
  const Hebb hebb;
  fs::create_directory(hebb.file("beads"));
  const std::string file = hebb.file("beads/issues.jsonl");
  std::ofstream(file) << bead(1) << bead(2);
  Follower follower(hebb, file, {"--prune"});
  wait_for(hebb, "bd-2", "OPEN");
  fs::rename(hebb.file("beads"), hebb.file("old"));
  fs::create_directory(hebb.file("beads"));
  std::ofstream(file) << bead(2);
  wait_for(hebb, "bd-1", "CLOSED");
  CHECK(follower.end() == 0);
}

TEST_CASE("as long as a program has a followed file open for writing, what it lacks is not gone") {
  const Hebb hebb;
  const std::string file = hebb.file("issues.jsonl");
  std::ofstream(file) << bead(1) << bead(2);
  Follower follower(hebb, file, {"--prune"});  // before the writer, which it would inherit
  wait_for(hebb, "bd-2", "OPEN");
  std::ofstream writer(file);
  writer << bead(2) << bead(3) << std::flush;
  wait_for(hebb, "bd-3", "OPEN");
  writer << bead(4) << std::flush;
  wait_for(hebb, "bd-4", "OPEN");
  CHECK(hebb.json({"node", "get", "bd-1"})["node"]["state"] == "OPEN");
  writer.close();
  wait_for(hebb, "bd-1", "CLOSED");
  CHECK(follower.end() == 0);
}

TEST_CASE("pages and objects of a followed file are taken when they end") {
  const Hebb hebb;
  const std::string file = hebb.file("issues.json");
  const auto issue = [](int n) {
    return R"({"number":)" + std::to_string(n) +
           R"(,"title":"T","state":"OPEN","createdAt":"2020-01-01T00:00:00Z"})";
  };
  hebb.run({"init"});
  Follower follower(hebb, file);
  std::ofstream(file) << "[" << issue(1) << "][" << issue(2);
  wait_for(hebb, "issue-1", "OPEN");
  CHECK(hebb.run({"node", "get", "issue-2"}).exit_code != 0);
  std::ofstream(file, std::ios::app) << "]\n[" << issue(3) << "]";
  wait_for(hebb, "issue-2", "OPEN");
  wait_for(hebb, "issue-3", "OPEN");
  std::ofstream(file) << "{\n" << issue(4).substr(1);
  wait_for(hebb, "issue-4", "OPEN");
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].empty());
  CHECK(follower.end() == 0);
}

TEST_CASE("a pipe or a folder is not followed, and ends nothing that is") {
  const Hebb hebb;
  const std::string file = hebb.file("issues.jsonl");
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  const auto refused = hebb.run({"import", "--follow", file});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("pipe") != std::string::npos);
  CHECK(hebb.run({"import", "--follow", HEBB_SOURCE_DIR}).exit_code == 2);
  std::filesystem::remove(file);
  std::ofstream(file) << bead(1);
  Follower follower(hebb, file);
  wait_for(hebb, "bd-1", "OPEN");
  // It becomes a pipe, and a file again.
  REQUIRE(mkfifo(hebb.file("pipe").c_str(), 0600) == 0);
  std::filesystem::rename(hebb.file("pipe"), file);
  std::ofstream(hebb.file("new")) << bead(2);
  std::filesystem::rename(hebb.file("new"), file);
  wait_for(hebb, "bd-2", "OPEN");
  CHECK(follower.end(SIGINT) == 0);
}

TEST_CASE("what is followed is one file, in a folder that there is") {
  const Hebb hebb;
  CHECK(hebb.run({"import", "--follow", "-"}).exit_code == 2);
  CHECK(hebb.run({"import", "--follow", "a", "b"}).exit_code == 2);
  CHECK(hebb.run({"import", "--follow", "nowhere/x"}).exit_code == 66);
}

}  // namespace hebb::test
