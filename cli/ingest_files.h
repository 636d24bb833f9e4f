// What import and ingest (and dead-letters retry) share: reading files, and printing what was done
// with them.
#pragma once

#include <string>
#include <vector>

#include "api/ingest.h"
#include "cli/command.h"
#include "cli/embedding.h"

namespace hebb::cli {

struct IngestOptions {
  std::vector<std::string> files;
  std::string format;
  std::string task;
  std::string tz;  // junit
  bool strict = false;
  bool allow_future = false;
  std::uint64_t max_size = Limits::kInputBytes;  // of each file
  std::string embedder, model;
};

void add_max_size(CLI::App& command, IngestOptions& options);

// Reads every file and prints the sums; throws Stop(kSomeRefused) if some items were refused.
void ingest_files(const Context& context, const IngestOptions& options);
void add_allow_future(CLI::App& command, bool& allow_future);
// For IngestRequest::latest.
std::optional<TimeMs> latest_of(const Context& context, bool allow_future);
// Prints the first of them on stderr.
void print_refusals(const Context& context, const api::IngestResult& result);
void print_sums(const Context& context, const api::IngestResult& result);

}  // namespace hebb::cli
