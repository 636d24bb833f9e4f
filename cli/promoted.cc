// hebb promoted: the nodes asked for most.
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/found_nodes.h"

namespace hebb::cli {

namespace {

using recall::FoundNode;

struct Options {
  recall::PromotedQuery query;
  std::string recalled_within;
};

void promoted(const Context& context, Options& options) {
  if (!options.recalled_within.empty()) {
    options.query.recalled_since = context.now() - parse_duration_ms(options.recalled_within);
  }
  Engine engine = context.open(Context::Access::read);
  const auto found = recall::promoted_nodes(up_to_date_mirror(engine), options.query);
  if (context.json) return context.print_json(found_nodes_json(found));
  if (found.empty()) return context.note("no node was asked for that often");
  std::vector<std::vector<std::string>> rows;
  for (const FoundNode& n : found) {
    rows.push_back({std::to_string(n.recall_count),
                    format_time(n.last_recalled_at.value_or(graph::kNever)), n.id, n.type,
                    shortened(n.name)});
  }
  context.table({{"recalls", true}, {"last"}, {"id"}, {"type"}, {"name", false, true}}, rows);
}

}  // namespace

void add_promoted(CLI::App& app, Context& context) {
  const auto options = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "promoted", "Nodes that are asked for again and again",
                  "  hebb promoted\n"
                  "  hebb promoted --min-recalls 10 --recalled-within 30d --project shop",
                  [&context, options] { promoted(context, *options); });
  add_node_filter(*command, options->query.filter);
  command
      ->add_option("--min-recalls", options->query.min_recalls, "Asked for at least so often (5)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}));
  command->add_option("--recalled-within", options->recalled_within,
                      "Last asked for within this span, such as 30d");
  command->add_option("--limit", options->query.limit, "At most so many (20)")
      ->check(CLI::Range(std::size_t{1}, recall::kSearchLimit));
}

}  // namespace hebb::cli
