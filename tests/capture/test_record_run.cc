// The recorder between a client and a server: both must see what they would see without it.
#include <string>

#include <catch2/catch.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/database.h"
#include "tests/capture/record_support.h"

namespace hebb::capture::test {
namespace {

void same_with_and_without(const std::vector<std::string>& command, const Client& client) {
  const Folder dir;
  const Seen direct = run_direct(command, client);
  const Seen recorded = run_recorded(command, client, dir.file("log.db"));
  // Not as one expression: Catch would print megabytes.
  const bool same_bytes = recorded.out == direct.out;
  CHECK(recorded.out.size() == direct.out.size());
  CHECK(same_bytes);
  CHECK(recorded.status == direct.status);
  CHECK(recorded.err == direct.err);
}

std::string bytes_of_all_values(std::size_t times) {
  std::string bytes;
  for (std::size_t i = 0; i < times; ++i) {
    for (int c = 0; c < 256; ++c)
      bytes += static_cast<char>((c * 131 + static_cast<int>(i)) & 0xff);
  }
  return bytes;
}

std::string odd_lines() {
  return call(1, "a") + "not JSON\n" + "{\"method\":\"tools/call\"\n" + "[]\n\n\r\n" +
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n" + std::string("\0\0\n", 3) +
         "{\"method\":\"tools/call\",\"params\":7,\"id\":{}}\n" + "{\"a\":\"\xff\xfe\"}\n" +
         std::string(5000, '[') + "\nno end of line";
}

std::string huge_call(std::size_t bytes) {
  return call(1, "write", "{\"text\":\"" + std::string(bytes, 'x') + "\"}");
}

}  // namespace

TEST_CASE("record: bytes pass unchanged in both directions", "[slow]") {
  SECTION("odd lines") { same_with_and_without({"cat"}, {.input = odd_lines()}); }
  SECTION("binary") { same_with_and_without({"cat"}, {.input = bytes_of_all_values(2000)}); }
  SECTION("a huge line") { same_with_and_without({"cat"}, {.input = huge_call(12 << 20)}); }
  SECTION("nothing") { same_with_and_without({"cat"}, {.input = ""}); }
  SECTION("many lines") {
    std::string input;
    for (int i = 0; i < 20000; ++i) input += call(i, "tool") + answer(i);
    same_with_and_without({"cat"}, {.input = input});
  }
  SECTION("a server that answers something else") {
    same_with_and_without(sh("tr a-z A-Z; printf 'no end of line'"), {.input = odd_lines()});
  }
  SECTION("stderr is the server's own") {
    same_with_and_without(sh("echo to stderr >&2; cat"), {.input = "x\n"});
  }
}

TEST_CASE("record: ends of streams pass") {
  SECTION("the client closes first and the server goes on talking") {
    same_with_and_without(sh("cat; echo after the end; exit 4"), {.input = "x\n"});
  }
  SECTION("the server closes its stdout and lives on") {
    same_with_and_without(sh("echo hi; exec 1>&-; cat >/dev/null; exit 3"), {.input = "x\n"});
  }
  SECTION("the server closes its stdin and talks on") {
    same_with_and_without(sh("exec 0<&-; echo one; echo two"),
                          {.input = bytes_of_all_values(4000)});
  }
  SECTION("the server stops reading and ends while the client still writes") {
    same_with_and_without({"head", "-c", "1000"}, {.input = bytes_of_all_values(8000)});
  }
  SECTION("the server ends while the client keeps its side open") {
    same_with_and_without(sh("echo bye; exit 9"), {.input = "x\n", .keeps_stdin = true});
  }
  SECTION("the client goes away: the server gets its SIGPIPE") {
    same_with_and_without({"yes"}, {.input = "", .reads = 100'000});
  }
  SECTION("a process left behind by the server still talks") {
    same_with_and_without(
        sh("(while grep -qs '^State:.[^ZX]' /proc/$$/status; do :; done; echo late) & exit 6"),
        {.input = ""});
  }
}

TEST_CASE("record: the end of the server is the end of the recorder") {
  SECTION("an exit code") { same_with_and_without(sh("exit 42"), {}); }
  SECTION("a signal") { same_with_and_without(sh("kill -KILL $$"), {}); }
  SECTION("another signal") { same_with_and_without(sh("echo x; kill -SEGV $$"), {.input = "y"}); }
}

TEST_CASE("record: signals are handed on") {
  const int number = GENERATE(SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2);
  CAPTURE(number);
  bool sent = false;
  Client client{.input = "", .keeps_stdin = true};
  client.on_output = [&](std::string_view out, pid_t pid) {
    if (!sent && out.find("ready\n") != std::string_view::npos) {
      kill(pid, number);
      sent = true;
    }
  };
  SECTION("to a server that handles them") {
    const auto command =
        sh("trap 'echo handled; exit 5' TERM INT QUIT HUP USR1 USR2; echo ready; while :; do sleep "
           "0.01; done");
    const Folder dir;
    const Seen seen = run_recorded(command, client, dir.file("log.db"));
    CHECK(seen.out == "ready\nhandled\n");
    CHECK(WIFEXITED(seen.status));
    CHECK(WEXITSTATUS(seen.status) == 5);
  }
  SECTION("to a server that dies of them") {
    const Folder dir;
    const Seen seen = run_recorded(sh("echo ready; exec cat"), client, dir.file("log.db"));
    CHECK(WIFSIGNALED(seen.status));
    CHECK(WTERMSIG(seen.status) == number);
  }
}

TEST_CASE("record: a recorder that is killed takes the server with it") {
  const Folder dir;
  std::string server;
  Client client{.input = "", .keeps_stdin = true};
  client.on_output = [&](std::string_view out, pid_t pid) {
    if (server.empty() && out.find('\n') != std::string_view::npos) {
      server = out.substr(0, out.find('\n'));
      kill(pid, SIGKILL);
    }
  };
  // Its stdout stays open, and so the output ends, only with the server's end.
  const Seen seen = run_recorded(sh("trap '' TERM; echo $$; while :; do sleep 0.01; done"), client,
                                 dir.file("log.db"));
  CHECK(WTERMSIG(seen.status) == SIGKILL);
  CHECK_FALSE(server.empty());
}

TEST_CASE("record: the server's signals are as they would be without the recorder") {
  same_with_and_without(sh("grep -E 'SigBlk|SigIgn' /proc/self/status"), {});
  const auto before = signal(SIGPIPE, SIG_IGN);
  same_with_and_without(sh("grep -E 'SigBlk|SigIgn' /proc/self/status"), {});
  signal(SIGPIPE, before);
}

TEST_CASE("record: a server that cannot be started") {
  const Folder dir;
  const Seen seen = run_recorded({"/nonexistent/server"}, {}, dir.file("log.db"));
  CHECK(WEXITSTATUS(seen.status) == 127);
}

}  // namespace hebb::capture::test
