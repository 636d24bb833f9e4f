// hebb recalibrate
#include "api/recalibrate.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using api::RecalibrateRequest, api::RecalibrateResult;

constexpr std::size_t kEdgesShown = 10;

void print_changes(const Context& context, std::string_view what,
                   const std::vector<api::ChangedEdge>& edges) {
  if (edges.empty()) return;
  context.report(fmt::format("{} {}:", counted(std::ssize(edges), "edge"), what));
  for (std::size_t i = 0; i < std::min(edges.size(), kEdgesShown); ++i) {
    const auto& e = edges[i];
    context.report(fmt::format("  {} -{}-> {}  {:.3f}", e.source, e.type, e.target, e.weight));
  }
  if (edges.size() > kEdgesShown)
    context.report(fmt::format("  … and {} more", edges.size() - kEdgesShown));
}

void print_recalibration(const Context& context, const RecalibrateRequest&,
                         const RecalibrateResult& r) {
  context.report(fmt::format("recalibrated as of {}: {}{}", format_time(r.at.ms),
                             counted(r.candidates, "candidate"),
                             r.repeated ? " (done before for this time: nothing changed)" : ""));
  for (const auto& g : r.guides)
    context.report(fmt::format("  guides to {}  {:.3f}", g.id, g.weight));
  if (!r.entered.empty())
    context.report(fmt::format("entered the top: {}", fmt::join(r.entered, ", ")));
  if (!r.left.empty()) context.report(fmt::format("left the top: {}", fmt::join(r.left, ", ")));
  print_changes(context, "became dormant", r.became_dormant);
  print_changes(context, "woke", r.woke);
}

}  // namespace

void add_recalibrate(CLI::App& app, Context& context) {
  add_operation<RecalibrateRequest, RecalibrateResult>(
      app, context, {"recalibrate", api::recalibrate, print_recalibration});
}

}  // namespace hebb::cli
