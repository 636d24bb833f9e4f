// What import and ingest (and dead-letters retry) share: reading files, and saying what became of
// them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

struct IngestOptions {
  std::vector<std::string> files;
  std::string format;
  std::string task;
  bool strict = false;
  std::string embedder, model;
};

void add_embedder_options(CLI::App& command, std::string& embedder, std::string& model);
// nullptr where none was named.
std::unique_ptr<Embedder> embedder_of(const std::string& embedder, const std::string& model);

// Reads every file, prints the sums; throws Stop(kSomeRefused) where some items were refused.
void ingest_files(const Context& context, const IngestOptions& options);
void print_summary(const Context& context, const IngestSummary& summary, const std::string& file);

}  // namespace hebb::cli
