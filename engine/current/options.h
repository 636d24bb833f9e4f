// How an engine is opened.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "engine/ledger/event.h"

namespace hebb {

// Called now and then by work that may take long; done == total at its end.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct EngineOptions {
  std::string path;            // ":memory:" too
  bool create = true;          // make the database if there is none
  bool read_only = false;      // write nothing, not even the mirror; for files one may not write
  int busy_timeout_ms = 5000;  // how long to wait for another writer
  // A database with at least so many events has a graph cache beside it, so that opening does not
  // fold them all. The largest value of the type turns that off.
  std::size_t graph_cache_from = 1'000;
  Progress progress = {};  // of reading the graph, and of folding the whole ledger
  // Called when the tables could not be brought up to date after an import (the ledger is complete
  // then).
  std::function<void(const std::string&)> warning = {};
  // Called for each outcome that was appended, with its position: after the commit, in the order of
  // the ledger. Not for an import of the past (Format::of_past).
  std::function<void(const Event&)> outcome_taken = {};
};

}  // namespace hebb
