// The database as a file, and files that commands write: their owners, and who may do what.
#include <filesystem>
#include <optional>
#include <regex>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/database.h"
#include "tests/cli/hebb.h"

using hebb::test::Hebb;
using hebb::test::ProcessResult;
using hebb::test::read_text;
using hebb::test::run_process;
using hebb::test::write_text;
namespace fs = std::filesystem;

namespace {

void check_failure_says(const ProcessResult& r, int code, const std::string& says) {
  INFO(r.out << r.err);
  CHECK(r.exit_code == code);
  CHECK(r.err.find("hebb: ") != std::string::npos);
  CHECK(r.err.find(says) != std::string::npos);
}

// Runs the program as a user who may write neither the database nor its folder: as `nobody` if this
// is root, who may write anything.
class Reader {
 public:
  Reader() {
    hebb.fill();
    fs::create_directory(folder);
    ::chmod(hebb.file(".").c_str(), 0755);
    REQUIRE(hebb.run({"backup", db}).exit_code == 0);
    REQUIRE(hebb.run({"--db", db, "rank"}).exit_code == 0);  // the copy has a log from now on
    ::chmod(db.c_str(), 0444);
    ::chmod(folder.c_str(), 0555);
  }
  ~Reader() { ::chmod(folder.c_str(), 0755); }

  ProcessResult run(std::vector<std::string> args) const {
    std::vector<std::string> all{HEBB_BINARY, "--db", db, "--now", hebb.now};
    if (::geteuid() == 0) {
      const std::vector<std::string> nobody{"setpriv", "--reuid=65534", "--regid=65534",
                                            "--clear-groups"};
      all.insert(all.begin(), nobody.begin(), nobody.end());
    }
    all.insert(all.end(), args.begin(), args.end());
    return run_process(all);
  }

  Hebb hebb;
  std::string folder = hebb.file("folder");
  std::string db = folder + "/a.db";
};

// Whether the process has become the program, and has the file open.
bool has_open(pid_t pid, const std::string& file) {
  std::error_code none;
  if (fs::read_symlink(fmt::format("/proc/{}/exe", pid), none) != fs::canonical(HEBB_BINARY)) {
    return false;
  }
  const fs::path wanted = fs::canonical(file);
  std::error_code gone;
  for (const auto& fd : fs::directory_iterator(fmt::format("/proc/{}/fd", pid), gone)) {
    if (fs::read_symlink(fd.path(), gone) == wanted) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a database that would be gone with the process is refused") {
  const Hebb hebb;
  hebb.fill();
  for (const std::string name : {":memory:", "file:x?mode=memory", "file::memory:?cache=shared"}) {
    CAPTURE(name);
    check_failure_says(hebb.run({"--db", name, "init"}), 2, "--db names");
    hebb::test::ProcessOptions options;
    options.env = {{"HEBB_DB", name}};
    check_failure_says(run_process({HEBB_BINARY, "rank"}, options), 2, "HEBB_DB names");
  }
  // Spelled as the path that it is, any name is a file's.
  CHECK(hebb.run({"--db", "./file:x", "init"}).exit_code == 0);
  CHECK(fs::is_regular_file(hebb.file("file:x")));
}

TEST_CASE("what is no file is no database") {
  const Hebb hebb;
  REQUIRE(::mkfifo(hebb.file("pipe").c_str(), 0600) == 0);
  for (const std::string& name : {hebb.file("pipe"), hebb.file(".")}) {
    CAPTURE(name);
    check_failure_says(hebb.run({"--db", name, "rank"}), 69, name);
    check_failure_says(hebb.run({"--db", name, "init"}), 69, name);
    check_failure_says(hebb.run({"--db", name, "rebuild"}), 69, name);
  }
}

TEST_CASE("another program's database is refused, and stays as it was") {
  const Hebb hebb;
  const std::string path = hebb.file("theirs.db");
  {
    hebb::sql::Database db(path, hebb::sql::Database::Mode::read_write_create);
    db.exec("CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT); PRAGMA user_version = 1");
  }
  const std::string before = read_text(path);
  for (const std::string command : {"rank", "init", "rebuild", "verify"}) {
    CAPTURE(command);
    check_failure_says(hebb.run({"--db", path, command}), 69, "another program");
  }
  check_failure_says(hebb.run({"--db", path, "actions", "sequences"}), 69, "another program");
  CHECK(read_text(path) == before);
  CHECK_FALSE(fs::exists(path + "-wal"));
}

TEST_CASE("a database that cannot be written is read by whoever may read it", "[slow]") {
  const Reader reader;
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"rank"},
                                             {"explain", "task-1"},
                                             {"node", "get", "task-1"},
                                             {"neighbors", "task-1"},
                                             {"search", "login"},
                                             {"promoted"},
                                             {"stats"},
                                             {"verify"},
                                             {"undo"},
                                             {"gc", "--older-than", "1d", "--dry-run"},
                                             {"policy", "show"},
                                             {"dead-letters", "list"},
                                             {"actions", "sequences"},
                                             {"actions", "export"}}) {
    CAPTURE(command.front());
    const auto r = reader.run(command);
    INFO(r.err);
    CHECK(r.exit_code == 0);
    std::vector<std::string> by_owner{"--db", reader.db};
    by_owner.insert(by_owner.end(), command.begin(), command.end());
    CHECK(r.out == reader.hebb.run(by_owner).out);
  }
  CHECK(std::distance(fs::directory_iterator(reader.folder), fs::directory_iterator()) == 1);
}

TEST_CASE("what would change a database that cannot be written says so, and why") {
  const Reader reader;
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"init"},
           {"rebuild"},
           {"undo", "1"},
           {"gc", "--older-than", "1d"},
           {"node", "delete", "task-1"},
           {"node", "set", "task-1", "--name", "x"},
           {"link", "task-1", "task-2", "BLOCKS"},
           {"unlink", "task-1", "task-2", "BLOCKS"},
           {"pivot", "task-1"},
           {"recalibrate"},
           {"policy", "set", "failure_penalty=0.5"},
           {"ingest", HEBB_SOURCE_DIR "/tests/golden/files/bad.ndjson"},
           {"dead-letters", "drop", "--all"},
           {"dead-letters", "retry", "--all"},
           {"actions", "score"},
           {"actions", "prune", "--older-than", "1d"}}) {
    CAPTURE(command.front());
    check_failure_says(reader.run(command), 1, reader.db + " cannot be written");
  }
  CHECK(reader.run({"init"}).err.find("Permission denied") != std::string::npos);
  CHECK(std::distance(fs::directory_iterator(reader.folder), fs::directory_iterator()) == 1);
}

TEST_CASE("reading an older database whose schema cannot be changed says why") {
  const Hebb hebb;
  const std::string path = hebb.file("old.db");
  hebb.run({"--db", path, "add", "A task"});
  hebb::sql::Database(path, hebb::sql::Database::Mode::read_write)
      .exec("PRAGMA user_version = 21; CREATE TRIGGER theirs AFTER INSERT ON event "
            "BEGIN DELETE FROM policy; END");
  check_failure_says(hebb.run({"--db", path, "list"}), 1, "the trigger theirs");
}

TEST_CASE("whatever writes makes the database that is not there", "[slow]") {
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"rebuild"},
                                             {"undo", "1"},
                                             {"gc", "--older-than", "1d"},
                                             {"node", "delete", "a"},
                                             {"unlink", "a", "b", "BLOCKS"},
                                             {"pivot", "a"},
                                             {"next", "--claim", "--agent", "ann"},
                                             {"claim", "renew", "1"},
                                             {"claim", "release", "1"},
                                             {"outcome", "a", "success"},
                                             {"dead-letters", "retry", "--all"},
                                             {"dead-letters", "drop", "--all"},
                                             {"actions", "score"},
                                             {"actions", "scrub"},
                                             {"actions", "prune", "--older-than", "1d"}}) {
    const Hebb hebb;
    const auto r = hebb.run(command);
    INFO(command.front() << ": " << r.err);
    CHECK(r.exit_code != 69);
    CHECK(hebb.run({"verify"}).exit_code == 0);
  }
}

TEST_CASE("several that begin at once make one database") {
  const Hebb hebb;
  hebb::test::ProcessOptions options;
  const auto r = hebb::test::run_process(
      {"/bin/sh", "-c",
       "for i in 1 2 3 4 5 6 7 8; do \"$0\" --db \"$1\" -q node set t$i --type TASK & done; "
       "wait",
       HEBB_BINARY, hebb.db()},
      options);
  CHECK(r.err.empty());
  CHECK(hebb.json({"list"})["total"] == 8);
}

TEST_CASE("an agent's first question makes the database, in the default place too") {
  const Hebb hebb;
  hebb::test::ProcessOptions options;
  options.env = {{"HOME", hebb.file("home")}, {"XDG_STATE_HOME", ""}, {"HEBB_DB", ""}};
  options.folder = hebb.file("");
  options.in =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"next","arguments":{}}})"
      "\n";
  const auto r = hebb::test::run_process({HEBB_BINARY, "mcp"}, options);
  INFO(r.out << r.err);
  CHECK(nlohmann::json::parse(r.out)["result"]["structuredContent"]["tasks"].empty());
  CHECK(fs::exists(hebb.file("home/.local/state/hebb/hebb.db")));
}

TEST_CASE("what only reads makes no database, and says how one is made") {
  const Hebb hebb;
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"rank"},
                                             {"recalibrate"},
                                             {"next"},
                                             {"list"},
                                             {"stats"},
                                             {"verify"},
                                             {"undo"},
                                             {"search", "x"},
                                             {"claim", "list"},
                                             {"gc", "--older-than", "1d", "--dry-run"},
                                             {"dead-letters", "list"},
                                             {"actions", "sequences"}}) {
    CAPTURE(command.front());
    check_failure_says(hebb.run(command), 69, "make it with `hebb --db");
    CHECK_FALSE(fs::exists(hebb.db()));
  }
}

TEST_CASE("an import whose database is deleted or replaced meanwhile does not end well") {
  const Hebb hebb;
  hebb.run({"init"});
  const bool replaced = GENERATE(false, true);
  hebb.run({"backup", "other.db"});
  hebb::sql::Database writer(hebb.db(), hebb::sql::Database::Mode::read_write);
  std::optional<hebb::sql::Transaction> lock(writer);  // which the import waits for
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int err = ::open(hebb.file("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(err, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    const std::string db = hebb.db();
    ::execl(HEBB_BINARY, "hebb", "--db", db.c_str(), "import",
            HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  while (!has_open(pid, hebb.db())) ::sched_yield();
  if (replaced) {
    fs::rename(hebb.file("other.db"), hebb.db());
  } else {
    fs::remove(hebb.db());
  }
  lock.reset();
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  const std::string err = read_text(hebb.file("err"));
  INFO(err);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 69);
  CHECK(std::regex_replace(err, std::regex("\\s+"), " ").find("was deleted, moved or replaced") !=
        std::string::npos);
}

TEST_CASE("a backup replaces nothing but a file that it was told to replace") {
  const Hebb hebb;
  hebb.fill();
  write_text(hebb.file("a.db"), "mine");
  write_text(hebb.file("b.db.partial"), "mine");
  check_failure_says(hebb.run({"backup", "a.db"}), 1, "--force");
  CHECK(read_text(hebb.file("a.db")) == "mine");
  CHECK(hebb.run({"backup", "b.db"}).exit_code == 0);
  CHECK(hebb.run({"backup", "b.db", "--force"}).exit_code == 0);
  CHECK(hebb.run({"backup", "a.db", "--force"}).exit_code == 0);
  CHECK(read_text(hebb.file("b.db.partial")) == "mine");
  CHECK(hebb.run({"--db", "a.db", "verify"}).exit_code == 0);
  for (const std::string path : {"/dev/null", "."}) {
    check_failure_says(hebb.run({"backup", path, "--force"}), 1, "only a regular file is replaced");
  }
  struct stat s {};
  REQUIRE(::stat("/dev/null", &s) == 0);
  CHECK(S_ISCHR(s.st_mode));
  check_failure_says(hebb.run({"backup", "hebb.db", "--force"}), 2, "the database itself");
}

TEST_CASE("nothing is written over a file of the database, there or not, by whatever name",
          "[slow]") {
  const Hebb hebb;
  hebb.fill();
  fs::create_directory(hebb.file("sub"));
  fs::create_symlink("hebb.db", hebb.file("link.db"));
  for (const std::string suffix : {"", "-wal", "-shm", "-journal", "-image", "-image-new"}) {
    CAPTURE(suffix);
    const std::string name = "hebb.db" + suffix;
    const std::string link = "to" + suffix, hard = "hard" + suffix;
    fs::create_symlink("sub/../" + name, hebb.file(link));
    std::vector<std::string> names{name, "./sub/../" + name, hebb.file(name), link};
    if (!suffix.empty() && fs::exists(hebb.file(name))) {
      fs::create_hard_link(hebb.file(name), hebb.file(hard));
      names.push_back(hard);
    }
    for (const std::string& path : names) {
      CAPTURE(path);
      check_failure_says(hebb.run({"backup", path, "--force"}), 2, "the database itself");
      check_failure_says(hebb.run({"export", path}), 2, "the database itself");
      check_failure_says(hebb.run({"--db", "link.db", "backup", path, "--force"}), 2,
                         "the database itself");
    }
    if (fs::exists(hebb.file(hard))) fs::remove(hebb.file(hard));
  }
  CHECK(hebb.run({"verify"}).exit_code == 0);
}

TEST_CASE("a log is exported whole, through a link, and not over the database") {
  const Hebb hebb;
  hebb.fill();
  const std::string log = hebb.run({"export"}).out;
  const std::string db = read_text(hebb.db());
  check_failure_says(hebb.run({"export", "hebb.db"}), 2, "the database itself");
  CHECK(read_text(hebb.db()) == db);
  write_text(hebb.file("log.jsonl"), "mine");
  fs::create_symlink("log.jsonl", hebb.file("link.jsonl"));
  CHECK(hebb.run({"export", "link.jsonl"}).exit_code == 0);
  CHECK(read_text(hebb.file("log.jsonl")) == log);
  CHECK(fs::is_symlink(hebb.file("link.jsonl")));
  check_failure_says(hebb.run({"export", "no/such/log.jsonl"}), 1, "no/such/log.jsonl");
}
