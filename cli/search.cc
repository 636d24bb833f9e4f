// hebb search: nodes by their words. What it finds counts as asked for.
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/found_nodes.h"

namespace hebb::cli {

namespace {

using recall::FoundNode;

struct Options {
  std::vector<std::string> words;
  recall::SearchQuery query;
};

void search(const Context& context, Options& options) {
  options.query.text = fmt::format("{}", fmt::join(options.words, " "));
  Engine engine = context.open(Context::Access::read);
  const auto found = recall::search_nodes(up_to_date_mirror(engine), options.query, context.now());
  if (context.json) return context.print_json(found_nodes_json(found));
  if (found.empty()) return context.note("nothing found");
  std::vector<std::vector<std::string>> rows;
  for (const FoundNode& n : found) {
    rows.push_back({n.id, n.type, n.state, shortened(n.name.empty() ? n.description : n.name)});
  }
  context.table({{"id"}, {"type"}, {"state"}, {"name", false, true}}, rows);
}

}  // namespace

void add_search(CLI::App& app, Context& context) {
  const auto options = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "search", "Nodes by the words of their id, name and description",
                  "  hebb search flaky login test\n"
                  "  hebb search payment --state OPEN --project shop --json",
                  [&context, options] { search(context, *options); });
  command
      ->add_option("WORDS", options->words, "Any text; the last word may be the beginning of one")
      ->required();
  add_node_filter(*command, options->query.filter);
  command->add_option("--state", options->query.filter.state, "Only nodes in this state");
  command->add_option("--limit", options->query.limit, "At most so many (20)")
      ->check(CLI::Range(std::size_t{1}, recall::kSearchLimit));
}

}  // namespace hebb::cli
