// What the commands that list nodes share.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "recall/recall.h"

namespace hebb::cli {

Json found_nodes_json(const std::vector<recall::FoundNode>& nodes);

// One line of at most 60 columns.
std::string shortened(std::string text);

// --type, --project, --scope.
void add_node_filter(CLI::App& command, recall::NodeFilter& filter);

// The database with its mirror up to date; where it cannot be written now, as it is.
sql::Database& up_to_date_mirror(Engine& engine);

}  // namespace hebb::cli
