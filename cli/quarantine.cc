// hebb quarantine
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

void quarantine(const Context& context, const std::vector<std::int64_t>& positions) {
  Engine engine = context.open(Context::Access::read);
  const auto damages = engine.quarantine(positions, context.now());
  Json json = Json::array();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    json.push_back({{"event", positions[i]}, {"damage", damages[i]}});
    if (context.json) continue;
    context.report(fmt::format("event {} counts no more: {}", positions[i], damages[i]));
  }
  if (context.json) return context.print_json(json);
  context.report("what is left of it stays in the ledger; `hebb verify` looks at the rest");
}

}  // namespace

void add_quarantine(CLI::App& app, Context& context) {
  const auto positions = std::make_shared<std::vector<std::int64_t>>();
  auto* command = add_command(
      app, context, "quarantine",
      "Take events out of what counts that are damaged in the ledger, as `verify` names them",
      "  hebb verify\n  hebb quarantine 4711",
      [&context, positions] { quarantine(context, *positions); });
  command->add_option("EVENT", *positions, "Its position in the ledger")->required();
}

}  // namespace hebb::cli
