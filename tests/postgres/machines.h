// Machines that share a ledger on a server: each has a folder of its own for its copy.
#pragma once

#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "engine/tables.h"
#include "sql/postgres/copy.h"
#include "sql/upstream.h"
#include "tests/support/cluster.h"
#include "tests/support/history.h"
#include "tests/support/process.h"

namespace hebb::test {

// One server for all tests of a program.
inline Cluster& shared_cluster() {
  static Cluster cluster;
  return cluster;
}

// The URL of a ledger that no other test has.
inline std::string new_ledger(Cluster& cluster = shared_cluster()) {
  static int number = 0;
  return cluster.url() + "&behind=0&ledger=test" + std::to_string(++number);
}

class Machine {
 public:
  explicit Machine(std::string url) : url_(std::move(url)) { restart(); }

  Engine& engine() { return *engine_; }
  const std::string& url() const { return url_; }
  sql::Database& copy() { return tables_of(*engine_); }
  std::string copy_path() const {
    enter();
    return postgres::read_address(url_).copy;
  }
  const std::string& cache() const { return folder_.path(); }
  // Up to the last event of the server.
  Engine& fresh() {
    const auto why = copy().upstream()->freshen(copy(), 0);
    INFO(why.value_or(""));
    CHECK(!why);
    engine_->state();
    return *engine_;
  }
  void restart() {
    engine_.reset();
    enter();
    engine_.emplace(open(url_, kNoGraphCache));
  }
  // The program on this machine.
  ProcessResult run(std::vector<std::string> args, const std::string& in = "") const {
    args.insert(args.begin(), {HEBB_BINARY, "--db", url_});
    return run_process(args, {.in = in, .env = {{"XDG_CACHE_HOME", folder_.path()}}, .folder = ""});
  }

 private:
  void enter() const { ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1); }

  std::string url_;
  Folder folder_;
  std::optional<Engine> engine_;
};

inline std::int64_t last_checksum(Engine& engine) {
  const Ledger& ledger = engine.ledger();
  return ledger.checksum_at(ledger.last_position()).value_or(0);
}

}  // namespace hebb::test
