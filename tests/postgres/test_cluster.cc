// The servers that tests start.
#include <csignal>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/postgres/connection.h"
#include "tests/support/cluster.h"

namespace hebb::test {
namespace {

const char* const kCount = "SELECT count(*) FROM t";

}  // namespace

TEST_CASE("a server keeps what was committed when it is killed, and its address") {
  ClusterOptions options;
  options.fsync = true;
  Cluster server(options);
  const std::string url = server.url();
  CHECK(server.value("SELECT current_setting('fsync')") == "on");
  server.sql("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)");
  server.kill();
  CHECK_FALSE(server.running());
  server.start();
  CHECK(server.url() == url);
  CHECK(server.value(kCount) == "1");
  CHECK(server.log().find("was not properly shut down") != std::string::npos);
}

TEST_CASE("a standby follows, and becomes a server of its own") {
  Cluster server;
  server.sql("CREATE TABLE t (a bigint)");
  Cluster standby = server.standby(true);
  CHECK(standby.value("SELECT pg_is_in_recovery()") == "true");
  server.sql("INSERT INTO t VALUES (1)");  // returns when the standby has it on its disk
  server.kill();
  standby.promote();
  CHECK(standby.value(kCount) == "1");
  standby.sql("INSERT INTO t VALUES (2)");
  CHECK(standby.value(kCount) == "2");
}

TEST_CASE("clusters are copies of one, or made for themselves") {
  const char* const identifier = "SELECT system_identifier FROM pg_control_system()";
  Cluster one, other;
  CHECK(one.url() != other.url());
  CHECK(one.value(identifier) == other.value(identifier));
  ClusterOptions options;
  options.own_identifier = true;
  CHECK(Cluster(options).value(identifier) != one.value(identifier));
}

TEST_CASE("nothing is left of a server, also where it was killed or its test was") {
  std::string folder;
  {
    Cluster server;
    folder = std::filesystem::path(server.value("SELECT current_setting('data_directory')"))
                 .parent_path();
    CHECK(std::filesystem::exists(folder));
    server.kill();
  }
  CHECK_FALSE(std::filesystem::exists(folder));

  int ends[2];
  REQUIRE(pipe(ends) == 0);
  Folder outer;
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", outer.path().c_str(), 1);
    if (chmod(outer.path().c_str(), 0755) == 0) {
      Cluster server;  // its processes have the pipe as well
      raise(SIGKILL);
    }
    _exit(1);
  }
  close(ends[1]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  char byte = 0;
  CHECK(read(ends[0], &byte, 1) == 0);  // at the end of the last of them
  close(ends[0]);
}

}  // namespace hebb::test
