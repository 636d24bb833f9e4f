// hebb dead-letters list, retry, drop
#include "api/dead_letters.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/ingested.h"
#include "cli/operation_command.h"
#include "cli/outcome_hook.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

void print_letters(const Context& context, const api::DeadLettersListResult& result) {
  if (result.dead_letters.empty()) return context.note("no dead letters");
  std::vector<std::vector<std::string>> rows;
  for (const auto& l : result.dead_letters) {
    rows.push_back({std::to_string(l.id), l.reason, fmt::format("{}:{}", l.file, l.line),
                    shortened(l.detail), shortened(l.text)});
  }
  context.table({{"id", true},
                 {"reason"},
                 {"where", false, true},
                 {"detail", false, true},
                 {"text", false, true}},
                rows);
  if (result.next)
    context.note(fmt::format("there are more; --after {} goes on with them", *result.next));
}

void add_listing(CLI::App& letters, Context& context) {
  using api::DeadLettersListRequest, api::DeadLettersListResult;
  add_operation<DeadLettersListRequest, DeadLettersListResult>(
      letters, context,
      {"dead_letters_list", api::dead_letters_list,
       [](const Context& c, const DeadLettersListRequest&, const DeadLettersListResult& result) {
         print_letters(c, result);
       }});
}

void add_retry(CLI::App& letters, Context& context) {
  using api::DeadLettersRetryRequest, api::IngestResult;
  CLI::App* command = add_operation<DeadLettersRetryRequest, IngestResult>(
      letters, context,
      {"dead_letters_retry",
       api::dead_letters_retry,
       [](const Context& c, const DeadLettersRetryRequest&, const IngestResult& result) {
         print_sums(c, result);
       },
       {},
       [](const Context& c, const DeadLettersRetryRequest&, const IngestResult& result) {
         note_refusals(c, result);
         if (result.refused == 0) return;
         throw Stop(kSomeRefused, fmt::format("{} of {} {} refused still, and kept", result.refused,
                                              result.items, result.refused == 1 ? "is" : "are"));
       }});
  add_outcome_hook(*command, context);
}

void add_drop(CLI::App& letters, Context& context) {
  using api::DeadLettersDropRequest, api::DeadLettersDropResult;
  add_operation<DeadLettersDropRequest, DeadLettersDropResult>(
      letters, context,
      {"dead_letters_drop", api::dead_letters_drop,
       [](const Context& c, const DeadLettersDropRequest&, const DeadLettersDropResult& result) {
         c.report(fmt::format("{} dropped", result.dropped));
       }});
}

}  // namespace

void add_dead_letters(CLI::App& app, Context& context) {
  auto* letters = add_command(app, context, "dead-letters", "Input that was refused, and why",
                              "  hebb dead-letters list\n"
                              "  hebb dead-letters retry --all\n"
                              "  hebb dead-letters drop 3 4",
                              {});
  letters->require_subcommand(1);
  add_listing(*letters, context);
  add_retry(*letters, context);
  add_drop(*letters, context);
}

}  // namespace hebb::cli
