// hebb import, ingest
#include <memory>

#include <fmt/format.h>

#include "api/ingest_files.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/ingested.h"
#include "cli/operation_command.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

using api::IngestedFiles, api::IngestFilesRequest, api::ImportFilesRequest;

void print_ingested(const Context& context, const IngestedFiles& result) {
  for (const auto& file : result.files) print_sums(context, file);
}

void end(const Context& context, bool strict, const IngestedFiles& result) {
  std::int64_t items = 0, refused = 0;
  for (const auto& file : result.files) {
    note_refusals(context, file);
    items += file.items;
    refused += file.refused;
  }
  if (result.unreadable) throw api::Problem(api::ProblemType::unreadable, *result.unreadable);
  const auto& last = result.files.back();
  if (strict && last.refused > 0) {
    throw Stop(kFailed, fmt::format("{}: refused as a whole (--strict); nothing of it was written",
                                    last.file.value_or("")));
  }
  note_blocking_cycle(context, last.blocking_cycle);
  if (refused > 0) {
    throw Stop(kSomeRefused,
               fmt::format("{} of {} items were refused and kept; see `hebb dead-letters list`",
                           refused, items));
  }
}

template <class Request>
void add(CLI::App& app, Context& context, std::string_view operation,
         IngestedFiles (*run)(api::Session&, const Request&)) {
  const auto max_size = std::make_shared<std::uint64_t>(Request().max_size);
  auto* command = add_operation<Request, IngestedFiles>(
      app, context,
      {operation, run,
       [](const Context& c, const Request&, const IngestedFiles& result) {
         print_ingested(c, result);
       },
       [max_size](const Context&, Request& request) { request.max_size = *max_size; },
       [](const Context& c, const Request& request, const IngestedFiles& result) {
         end(c, request.strict, result);
       }});
  command
      ->add_option("--max-size", *max_size,
                   "Refuse a file that is longer, such as 500MB or 4GiB (default 1GiB)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::PositiveNumber);
}

}  // namespace

void add_import(CLI::App& app, Context& context) {
  add<ImportFilesRequest>(app, context, "import_files", api::import_files);
}

void add_ingest(CLI::App& app, Context& context) {
  add<IngestFilesRequest>(app, context, "ingest_files", api::ingest_files);
}

}  // namespace hebb::cli
