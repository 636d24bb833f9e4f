// Claims by many processes at once.
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/claims/claims.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {

TEST_CASE("claims: eight processes empty a queue of 2000, and no task goes to two of them",
          "[sqlite][slow]") {
  constexpr int kTasks = 2000, kProcesses = 8;
  const Folder dir;
  const std::string path = dir.file("a.db");
  {
    Engine engine = open(path);
    std::vector<Event> events;
    for (int i = 0; i < kTasks; ++i) events.push_back(node(kStart + i, "t" + std::to_string(i)));
    engine.append(std::move(events));
    engine.sync();
  }
  std::vector<std::pair<pid_t, int>> children;
  for (int p = 0; p < kProcesses; ++p) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      std::string out;
      try {
        EngineOptions options;
        options.path = path;
        options.busy_timeout_ms = 120'000;
        Engine engine(options);
        ClaimNext next;
        next.agent = "p" + std::to_string(p);
        next.now = kStart + kDay;
        next.lease_ms = 10 * kMinute;
        while (true) {
          const auto claimed = engine.claim_next(next);
          if (claimed.empty()) break;
          for (const auto& c : claimed)
            out += c.row.id + " " + std::to_string(c.claim.token) + "\n";
        }
      } catch (const std::exception& e) {
        out = std::string("error ") + e.what() + "\n";
      }
      for (std::size_t at = 0; at < out.size();) {
        const auto written = ::write(ends[1], out.data() + at, out.size() - at);
        if (written <= 0) break;
        at += static_cast<std::size_t>(written);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    children.emplace_back(child, ends[0]);
  }
  std::set<std::string> tasks, tokens;
  int claims = 0;
  for (const auto& [child, fd] : children) {
    std::string out;
    char bytes[4096];
    for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
      out.append(bytes, static_cast<std::size_t>(got));
    ::close(fd);
    ::waitpid(child, nullptr, 0);
    std::istringstream in(out);
    for (std::string task, token; in >> task >> token; ++claims) {
      REQUIRE(task != "error");
      tasks.insert(task);
      tokens.insert(token);
    }
  }
  CHECK(claims == kTasks);
  CHECK(tasks.size() == kTasks);
  CHECK(tokens.size() == kTasks);
  Engine engine = open(path);
  CHECK(engine.claims().size() == kTasks);
}

}  // namespace hebb::test
