// --on-outcome: what the command is told, when, and what becomes of one that fails.
#include <csignal>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "tests/cli/hebb.h"

namespace hebb::test {

namespace {

const std::string kTasks = R"({"at":1767571100000,"kind":"node","id":"a","type":"TASK"}
{"at":1767571100000,"kind":"node","id":"b","type":"TASK"}
)";

// Writes what it is told of to `told`, in the folder where hebb runs.
const std::string kTell =
    R"(read -r json; echo "$HEBB_TASK $HEBB_OUTCOME $HEBB_EVENT [$HEBB_AGENT] $json" >> told)";

std::vector<std::string> told(const Hebb& hebb) { return lines_of(read_text(hebb.file("told"))); }

nlohmann::json json_of(const std::string& line) {
  return nlohmann::json::parse(line.substr(line.find('{')));
}

}  // namespace

TEST_CASE("on-outcome: each new outcome is told once, in the order of the ledger") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  std::string in;
  for (int i = 0; i < 20; ++i) {
    in += fmt::format(R"({{"id":"o{}","taskId":"{}","outcome":"{}","agentId":"ann","note":"n{}"}})",
                      i, i % 2 == 0 ? "a" : "b", i % 3 == 0 ? "success" : "failure", i) +
          "\n";
  }
  in += R"({"id":"o0","taskId":"a","outcome":"success","agentId":"ann","note":"n0"})"
        "\n";  // known
  in += R"({"taskId":"nobody","outcome":"success"})"
        "\n";  // refused
  const auto r = hebb.run({"ingest", "-", "--on-outcome", kTell}, in);
  INFO(r.err);
  CHECK(r.exit_code == 3);
  const auto lines = told(hebb);
  REQUIRE(lines.size() == 20);
  std::int64_t before = 0;
  for (const std::string& line : lines) {
    const auto json = json_of(line);
    const auto event = json["event"].get<std::int64_t>();
    CHECK(event > before);
    before = event;
    CHECK(line.starts_with(fmt::format("{} {} {} [ann] {{", json["task"].get<std::string>(),
                                       json["outcome"].get<std::string>(), event)));
    CHECK(json["given"]["taskId"] == json["task"]);
    CHECK(json["given"]["outcome"] == json["outcome"]);
    CHECK(json["at"] == "2026-01-05T00:00:00Z");
  }
  // The same input again tells of nothing, nor does a log, nor an outcome without the option.
  hebb.run({"ingest", "-", "--on-outcome", kTell}, in);
  hebb.run({"outcome", "a", "failure"});
  CHECK(told(hebb).size() == 20);
  CHECK(hebb.run({"outcome", "a", "success", "--on-outcome", kTell}).exit_code == 0);
  CHECK(told(hebb).back().find(" []") != std::string::npos);
  CHECK(told(hebb).size() == 21);
}

TEST_CASE("on-outcome: a command that fails, takes too long or reads nothing loses no outcome",
          "[slow]") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  const auto events = [&] { return hebb.json({"stats"})["events"].get<int>(); };
  const int before = events();
  const auto run = [&](const std::string& command, const std::string& limit = "60s") {
    const auto r = hebb.run(
        {"-q", "outcome", "a", "failure", "--on-outcome", command, "--on-outcome-timeout", limit});
    CHECK(r.exit_code == 0);
    return r.err;
  };
  CHECK(run("echo why not >&2; exit 7").find("ended with exit code 7") != std::string::npos);
  CHECK(run("kill -9 $$").find("ended by signal 9") != std::string::npos);
  CHECK(run("no-such-program-anywhere").find("exit code 127") != std::string::npos);
  // Killed with what it has started.
  CHECK(run("sleep 1000 | cat", "300ms").find("took longer than 300 ms") != std::string::npos);
  // Also when it has left its process group.
  CHECK(run("exec python3 -c 'import os, signal; os.setpgid(0, os.getpgid(os.getppid())); "
            "signal.pause()'",
            "1s")
            .find("took longer than 1000 ms") != std::string::npos);
  // Each is kept, with why, until a command has succeeded for it.
  auto letters = hebb.json({"dead-letters", "list"})["dead_letters"];
  REQUIRE(letters.size() == 5);
  CHECK(letters[0]["reason"] == "not_told");
  CHECK(letters[0]["format"] == "on-outcome");
  CHECK(letters[0]["detail"] == "ended with exit code 7: why not");
  CHECK(nlohmann::json::parse(letters[0]["text"].get<std::string>())["task"] == "a");

  CHECK(run("true").empty());
  CHECK(run("exec <&-").empty());
  CHECK(run("echo said").find("said") != std::string::npos);
  // What it leaves running holds nobody up, and what it prints takes no more room than this.
  CHECK(run("sleep 1000 & echo $! > left").empty());
  CHECK(run("yes | head -c 50000000").size() < 10'000);
  kill(std::stoi(read_text(hebb.file("left"))), SIGKILL);
  CHECK(events() == before + 10);
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].size() == 5);
  CHECK(hebb.run({"outcome", "a", "failure", "--on-outcome", "true", "--on-outcome-timeout", "x"})
            .exit_code == 2);
}

TEST_CASE("on-outcome: what a command was not told of is told again when it is retried") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  const auto kept = [&] { return hebb.json({"stats"})["dead_letters"].get<int>(); };
  hebb.run({"outcome", "a", "success", "--on-outcome", "exit 1"});
  hebb.run({"outcome", "b", "failure", "--on-outcome", "exit 1"});
  CHECK(kept() == 2);
  // Nobody listens.
  const auto alone = hebb.run({"dead-letters", "retry", "--all"});
  CHECK(alone.exit_code == 3);
  CHECK(alone.err.find("--on-outcome") != std::string::npos);
  CHECK(kept() == 2);
  // It fails again.
  CHECK(hebb.run({"dead-letters", "retry", "1", "--on-outcome", "exit 2"}).exit_code == 0);
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"][0]["detail"] ==
        "ended with exit code 2");
  CHECK(hebb.run({"dead-letters", "retry", "--all", "--on-outcome", kTell}).exit_code == 0);
  REQUIRE(told(hebb).size() == 2);
  CHECK(told(hebb)[0].starts_with("a success "));
  CHECK(told(hebb)[1].starts_with("b failure "));
  CHECK(kept() == 0);
  // What does not count any more is told to nobody.
  hebb.run({"outcome", "b", "success", "--on-outcome", "exit 1"});
  const auto position = hebb.json({"stats"})["events"].get<int>();
  hebb.run({"undo", std::to_string(position)});
  CHECK(hebb.run({"dead-letters", "retry", "--all", "--on-outcome", kTell}).exit_code == 0);
  CHECK(told(hebb).size() == 2);
  CHECK(kept() == 0);
}

TEST_CASE("on-outcome: hebb that is killed before the command has run forgets no outcome") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  // The command kills hebb, its parent, while the second outcome still waits.
  const auto r = hebb.run({"ingest", "-", "--on-outcome", "kill -9 $PPID"},
                          R"({"id":"1","taskId":"a","outcome":"success"}
{"id":"2","taskId":"b","outcome":"partial"}
)");
  CHECK(r.exit_code == 128 + SIGKILL);
  CHECK(hebb.json({"stats"})["outcomes"] == 2);
  CHECK(hebb.run({"dead-letters", "retry", "--all", "--on-outcome", kTell}).exit_code == 0);
  REQUIRE(told(hebb).size() == 2);
  CHECK(told(hebb)[1].starts_with("b partial "));
}

TEST_CASE("on-outcome: what is secret in an outcome is told to nobody, and kept nowhere") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  const std::string secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  hebb.run({"ingest", "-", "--on-outcome", kTell + "; echo token=" + secret + "; exit 1"},
           R"({"taskId":"a","outcome":"success","note":")" + secret + "\"}\n");
  REQUIRE(told(hebb).size() == 1);
  CHECK(told(hebb)[0].find(secret) == std::string::npos);
  CHECK(hebb.run({"dead-letters", "list", "--json"}).out.find(secret) == std::string::npos);
}

TEST_CASE("on-outcome: a retried line of a log tells of the past, and so nobody") {
  const Hebb hebb;
  hebb.run({"import", "-"},
           R"({"at":1767571100001,"kind":"outcome","subject":"a","taskId":"a","outcome":"success"}
)");
  hebb.run({"ingest", "-"}, R"({"taskId":"a","outcome":"failure"}
)");
  hebb.run({"import", "-"}, kTasks);
  const auto r = hebb.run({"dead-letters", "retry", "--all", "--on-outcome", kTell});
  INFO(r.out << r.err);
  CHECK(hebb.json({"stats"})["outcomes"] == 2);
  REQUIRE(told(hebb).size() == 1);
  CHECK(told(hebb)[0].starts_with("a failure "));
}

TEST_CASE("on-outcome: the command may use hebb on the same database") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  const std::string chain =
      fmt::format(R"([ "$HEBB_TASK" != a ] || '{}' --db '{}' --now {} outcome b success)",
                  HEBB_BINARY, hebb.db(), hebb.now);
  const auto r = hebb.run({"outcome", "a", "success", "--on-outcome", chain});
  CHECK(r.exit_code == 0);
  CHECK(r.err == "b: success\n");
  CHECK(hebb.json({"node", "get", "b"})["node"]["state"] == "CLOSED");
}

TEST_CASE("on-outcome: an agent's outcome over MCP is told, and nothing of it is in the protocol") {
  const Hebb hebb;
  hebb.run({"import", "-"}, kTasks);
  const auto r = hebb.run(
      {"mcp", "--on-outcome", kTell + "; echo noise"},
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"outcome","arguments":{"id":"a","outcome":"partial","agent":"bo"}}})"
      "\n");
  REQUIRE(lines_of(r.out).size() == 1);
  CHECK(nlohmann::json::parse(r.out)["id"] == 1);
  CHECK(r.err.find("noise") != std::string::npos);
  REQUIRE(told(hebb).size() == 1);
  CHECK(told(hebb)[0].starts_with("a partial "));
  CHECK(json_of(told(hebb)[0])["given"]["agentId"] == "bo");
}

// The examples of docs/formats.md, with programs of their names that write down how they are
// called.
TEST_CASE("on-outcome: the documented commands close what has succeeded in bd and gh") {
  const Hebb hebb;
  hebb.run({"import", "-"}, R"({"at":1767571100000,"kind":"node","id":"issue-12","type":"TASK"}
{"at":1767571100000,"kind":"node","id":"bd-3","type":"TASK"}
)");
  const std::string docs = read_text(HEBB_SOURCE_DIR "/docs/formats.md");
  const auto documented = [&](const std::string& program) {
    const auto begin = docs.rfind("--on-outcome '", docs.find(program)) + 14;
    return docs.substr(begin, docs.find('\'', begin) - begin);
  };
  for (const std::string program : {"bd", "gh"}) {
    write_text(hebb.file(program), "#!/bin/sh\necho \"" + program + " $*\" >> called\n");
    REQUIRE(chmod(hebb.file(program).c_str(), 0755) == 0);
  }
  const std::string path = "PATH=.:$PATH; ";
  const auto outcome = [&](const std::string& task, const std::string& kind,
                           const std::string& command) {
    const auto r = hebb.run({"outcome", task, kind, "--on-outcome", path + command});
    CHECK(r.exit_code == 0);
    CHECK(r.err.empty());
  };
  const std::string bd = documented("bd close"), gh = documented("gh issue close");
  outcome("bd-3", "failure", bd);
  outcome("bd-3", "success", bd);
  outcome("issue-12", "partial", gh);
  outcome("issue-12", "success", gh);
  hebb.run({"edit", "bd-3", "--state", "OPEN"});
  outcome("bd-3", "success", gh);  // not GitHub's
  CHECK(read_text(hebb.file("called")) ==
        "bd close --reason done, says hebb -- bd-3\n"
        "gh issue close --reason completed -- 12\n");
}

}  // namespace hebb::test
