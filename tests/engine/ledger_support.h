// Lines of input, and helpers to run work in other processes, for tests of the ledger.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {

// A database with one node, not mirrored yet, and another connection that can hold it.
struct TwoConnections {
  TwoConnections() : engine(options()), other(options().path, sql::Database::Mode::read_write) {
    engine.append(node(kStart, "a"));
    std::vector<Event> many;  // so many that they are left to sync()
    for (int i = 0; i < 100; ++i) many.push_back(partial(kStart + i, "a"));
    engine.append(std::move(many));
  }
  EngineOptions options() const {
    EngineOptions o;
    o.path = dir.file("a.db");
    o.busy_timeout_ms = 20;
    return o;
  }
  Folder dir;
  Engine engine;
  sql::Database other;
};

inline std::string node_line(const std::string& id, TimeMs at = kStart) {
  return fmt::format(R"({{"kind":"node","at":{},"id":"{}","type":"TASK","state":"OPEN"}})", at,
                     id) +
         "\n";
}
inline std::string edge_line(const std::string& a, const std::string& b, TimeMs at = kStart) {
  return fmt::format(R"({{"kind":"edge","at":{},"source":"{}","target":"{}","type":"RELATES"}})",
                     at, a, b) +
         "\n";
}
inline std::string outcome_line(const std::string& task, const std::string& id,
                                const std::string& outcome = "failure") {
  const std::string identity = id.empty() ? "" : fmt::format(R"("id":"{}",)", id);
  return fmt::format(R"({{{}"taskId":"{}","outcome":"{}"}})", identity, task, outcome) + "\n";
}

inline std::int64_t failures_of(Engine& engine, const std::string& task) {
  std::int64_t n = 0;
  engine.ledger().events_of_subject(task, [&](Event&& e) {
    const auto* o = std::get_if<OutcomeSignal>(&e.payload);
    n += o && o->outcome == OutcomeKind::failure;
  });
  return n;
}

// Runs it in n processes at once, which get their number. Returns their exit codes: 99 for an
// exception, whose text goes to stderr.
inline std::vector<int> in_children(int n, const std::function<int(int)>& work) {
  std::vector<pid_t> children;
  for (int k = 0; k < n; ++k) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      int code = 99;
      try {
        code = work(k);
      } catch (const std::exception& e) {
        std::fprintf(stderr, "process %d of %d: %s\n", k, n, e.what());
      }
      ::_exit(code);
    }
    children.push_back(pid);
  }
  std::vector<int> codes;
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    codes.push_back(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
  }
  return codes;
}

// Runs it in another process. Returns its exit code, or minus the signal that ended it.
inline int in_child(const std::function<int()>& work) {
  return in_children(1, [&](int) { return work(); }).front();
}

}  // namespace hebb::test
