// Which nodes are of a type, a project, have a label …: for passes over the graph. The query
// golden_path asks the same of the mirror. For engine/ and api/.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/current/folded.h"
#include "engine/rank/query.h"
#include "reward/evidence.h"

namespace hebb {

// Types of nodes that are OPEN as long as they are of use, and no work: they are handed out only
// where their type is asked for.
inline constexpr std::array<std::string_view, 2> kNoWork{"SKILL", reward::kTestType};

// For each of the names: the nodes of that name or id; capital letters make no difference. Some may
// be gone. O(nodes + names).
std::vector<std::vector<std::string>> ids_by_names(Folded& folded,
                                                   const std::vector<std::string>& names);

// Its arguments have to live as long as it does. takes() costs the node's outgoing edges.
class NodeFilter {
 public:
  NodeFilter(Folded& folded, const State& s, const reward::View& view, const WhichNodes& which);
  bool takes(graph::NodeId n) const;  // whatever its state

 private:
  using Nodes = std::unordered_set<graph::NodeId>;
  bool has_context(graph::NodeId n, const Nodes& contexts, bool assigned) const;

  const reward::View& view_;
  const WhichNodes& which_;
  std::optional<graph::TypeId> assigned_to_;
  std::vector<Nodes> labels_, not_labels_;
  Nodes assignees_, of_project_;
};

}  // namespace hebb
