#include "cli/found_nodes.h"

#include "cli/display_width.h"
#include "engine/visible_text.h"

namespace hebb::cli {

namespace {

constexpr std::size_t kShown = 60;  // columns of a name or description

}  // namespace

std::string shortened(std::string text) {
  return cut_to_width(visible_line(one_line(std::move(text))), kShown);
}

Json found_nodes_json(const std::vector<recall::FoundNode>& nodes) {
  Json rows = Json::array();
  std::int64_t rank = 0;
  for (const recall::FoundNode& n : nodes) {
    Json row = {{"rank", ++rank},
                {"id", n.id},
                {"type", n.type},
                {"state", n.state},
                {"name", n.name},
                {"description", n.description},
                {"project", n.project},
                {"scope", n.scope},
                {"recall_count", n.recall_count},
                {"last_recalled_at", nullptr}};
    if (n.last_recalled_at) row["last_recalled_at"] = *n.last_recalled_at;
    rows.push_back(std::move(row));
  }
  return rows;
}

sql::Database& up_to_date_mirror(Engine& engine) {
  engine.try_sync();
  return engine.store().database();
}

void add_node_filter(CLI::App& command, recall::NodeFilter& filter) {
  command.add_option("--type", filter.type, "Only nodes of this type");
  command.add_option("--project", filter.project, "Only nodes of this project");
  command.add_option("--scope", filter.scope, "Only nodes of this scope");
}

}  // namespace hebb::cli
