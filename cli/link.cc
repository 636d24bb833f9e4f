// hebb link, unlink, pivot
#include <fmt/format.h>

#include "api/edges.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/edge_text.h"
#include "cli/operation_command.h"

namespace hebb::cli {

void add_link(CLI::App& app, Context& context) {
  using api::LinkRequest, api::LinkResult;
  add_operation<LinkRequest, LinkResult>(
      app, context,
      {"link", api::link,
       [](const Context& c, const LinkRequest& request, const LinkResult& result) {
         c.report(fmt::format("{} {}  weight {}", result.created ? "linked" : "reinforced",
                              edge_text(result.edge), weight_text(result.edge)));
         note_blocking_cycle(c, result.blocking_cycle);
         if (result.did_you_mean) {
           c.note(
               fmt::format("{} is a type of its own, with the policy of any other; did you mean "
                           "{}?",
                           request.type, *result.did_you_mean));
         }
       }});
}

void add_unlink(CLI::App& app, Context& context) {
  using api::UnlinkRequest, api::UnlinkResult;
  add_operation<UnlinkRequest, UnlinkResult>(
      app, context,
      {"unlink", api::unlink,
       [](const Context& c, const UnlinkRequest&, const UnlinkResult& result) {
         c.report(fmt::format("unlinked {}  (its weight was {})", edge_text(result.edge),
                              weight_text(result.edge)));
       }});
}

void add_pivot(CLI::App& app, Context& context) {
  using api::PivotRequest, api::PivotResult;
  add_operation<PivotRequest, PivotResult>(
      app, context,
      {"pivot", api::pivot,
       [](const Context& c, const PivotRequest& request, const PivotResult& result) {
         if (result.created) c.note(fmt::format("\"{}\" is new: a CONTEXT_NODE", request.id));
         c.report(fmt::format("pivoted: {}  weight {}", edge_text(result.edge),
                              weight_text(result.edge)));
       }});
}

}  // namespace hebb::cli
