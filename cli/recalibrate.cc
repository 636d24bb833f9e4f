// hebb recalibrate
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

constexpr int kWaitMs = 600'000;
constexpr std::size_t kEdgesShown = 10;

Json changes_json(const std::vector<EdgeChange>& changes) {
  Json out = Json::array();
  for (const auto& c : changes) {
    out.push_back({{"source", c.edge.source},
                   {"target", c.edge.target},
                   {"type", c.edge.type},
                   {"weight", c.weight}});
  }
  return out;
}

void print_changes(const Context& context, std::string_view what,
                   const std::vector<EdgeChange>& changes) {
  if (changes.empty()) return;
  context.report(fmt::format("{} edges {}:", changes.size(), what));
  for (std::size_t i = 0; i < std::min(changes.size(), kEdgesShown); ++i) {
    const auto& c = changes[i];
    context.report(
        fmt::format("  {} -{}-> {}  {:.3f}", c.edge.source, c.edge.type, c.edge.target, c.weight));
  }
  if (changes.size() > kEdgesShown)
    context.report(fmt::format("  … and {} more", changes.size() - kEdgesShown));
}

void recalibrate(const Context& context, bool no_wait) {
  Engine engine = context.open(Context::Access::create, no_wait ? 0 : kWaitMs);
  const RecalibrationReport r = engine.recalibrate(context.now());
  if (context.json) {
    Json guides = Json::array();
    for (const auto& g : r.guides) guides.push_back({{"id", g.node}, {"x", g.x}});
    context.print_json({{"at", r.at},
                        {"repeated", r.repeated},
                        {"candidates", r.candidates},
                        {"guides", guides},
                        {"entered", r.entered},
                        {"left", r.left},
                        {"becameDormant", changes_json(r.became_dormant)},
                        {"woke", changes_json(r.woke)}});
    return;
  }
  context.report(fmt::format("recalibrated as of {}: {} candidates{}", format_time(r.at),
                             r.candidates,
                             r.repeated ? " (done before for this time: nothing changed)" : ""));
  for (const auto& g : r.guides) context.report(fmt::format("  guides to {}  {:.3f}", g.node, g.x));
  if (!r.entered.empty())
    context.report(fmt::format("entered the top: {}", fmt::join(r.entered, ", ")));
  if (!r.left.empty()) context.report(fmt::format("left the top: {}", fmt::join(r.left, ", ")));
  print_changes(context, "became dormant", r.became_dormant);
  print_changes(context, "woke", r.woke);
}

}  // namespace

void add_recalibrate(CLI::App& app, Context& context) {
  const auto no_wait = std::make_shared<bool>(false);
  auto* command = add_command(app, context, "recalibrate",
                              "The batch job: rank everything as of now and write what guides",
                              "  hebb recalibrate\n  hebb recalibrate --no-wait || [ $? = 75 ]",
                              [&context, no_wait] { recalibrate(context, *no_wait); });
  command->add_flag("--no-wait", *no_wait,
                    "If another process is writing, exit 75 rather than wait");
}

}  // namespace hebb::cli
