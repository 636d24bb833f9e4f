// hebb next, hebb claim renew | release | list, hebb outcome
#include "api/claims.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/order_options.h"
#include "cli/outcome_hook.h"

namespace hebb::cli {

namespace {

void print_claim(const Context& context, const api::ClaimRecord& c) {
  context.line(fmt::format("{}  {}  token {}  {}  until {}", c.task, c.agent, c.token, c.status,
                           format_time(c.expires_at.ms)));
}

}  // namespace

void add_next(CLI::App& app, Context& context) {
  const auto files = std::make_shared<OrderFiles>();
  auto* command = add_operation<api::NextRequest, api::NextResult>(
      app, context,
      {"next", api::next,
       [](const Context& c, const api::NextRequest&, const api::NextResult& result) {
         if (result.tasks.empty()) c.note("nothing to do");
         for (const auto& task : result.tasks) {
           std::string line = task.id;
           if (!task.name.empty()) line += "  " + task.name;
           if (task.token)
             line +=
                 fmt::format("  token {}  until {}", *task.token, format_time(task.expires_at->ms));
           if (!task.why.empty()) line += fmt::format("  ({})", fmt::join(task.why, ", "));
           c.line(line);
         }
       },
       [files](const Context&, api::NextRequest& request) { read_order(*files, request); }});
  add_order_options(*command, *files);
  add_outcome_hook(*command, context);
}

void add_claim(CLI::App& app, Context& context) {
  CLI::App* claim = add_command(app, context, "claim", "Tasks that agents have claimed",
                                "  hebb claim list\n"
                                "  hebb claim renew 4711 --lease 30m\n"
                                "  hebb claim release 4711",
                                {});
  claim->require_subcommand(1);
  const auto print = [](const Context& c, const auto&, const api::ClaimResult& result) {
    print_claim(c, result.claim);
  };
  add_operation<api::ClaimRenewRequest, api::ClaimResult>(*claim, context,
                                                          {"claim_renew", api::claim_renew, print});
  add_operation<api::ClaimReleaseRequest, api::ClaimResult>(
      *claim, context, {"claim_release", api::claim_release, print});
  add_operation<api::ClaimListRequest, api::ClaimListResult>(
      *claim, context,
      {"claim_list", api::claim_list,
       [](const Context& c, const api::ClaimListRequest&, const api::ClaimListResult& result) {
         if (result.claims.empty()) c.note("no claims");
         for (const auto& record : result.claims) print_claim(c, record);
       }});
}

void add_outcome(CLI::App& app, Context& context) {
  CLI::App* command = add_operation<api::OutcomeRequest, api::OutcomeResult>(
      app, context,
      {"outcome", api::outcome,
       [](const Context& c, const api::OutcomeRequest&, const api::OutcomeResult& result) {
         c.report(fmt::format("{}: {}{}", result.id, result.outcome,
                              result.repeated ? ", which was known already" : ""));
       }});
  add_outcome_hook(*command, context);
}

}  // namespace hebb::cli
