// What the commands share that show or change single nodes and edges.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// The checks that the readers of files make, for what is given by hand. Throw Refused; what is not
// even UTF-8 or JSON is a mistake of usage, Stop(kUsage).
void require_text(const std::string& text, std::string_view field);
void require_name(const std::string& text, std::string_view field);
std::string require_properties(const std::string& json);  // of --properties; canonical
// Throws Stop(kFailed) where there is no such node, or it is deleted.
graph::NodeId require_node(const State& s, const std::string& id);

// An edge as it is at a time; the JSON has the names of the view edge_now.
struct EdgeNow {
  std::string source, target, type;
  double weight = 0, stored_weight = 0;
  TimeMs touched_at = 0;
  bool dormant = false;
};
EdgeNow edge_now(const State& s, graph::EdgeId e, TimeMs now);
Json edge_json(const EdgeNow& edge);
std::string edge_text(const EdgeNow& edge);  // "a -TYPE-> b"
std::string weight_text(const EdgeNow& edge);

// Both ends exist: created and not deleted.
bool is_between_existing(const State& s, graph::EdgeId e);

// By EdgeId, for the algorithms of graph/: 1 / effective weight; infinite for what is dormant,
// without weight, or between nodes that do not exist.
std::vector<double> costs(const State& s, TimeMs now);

}  // namespace hebb::cli
