// What people set on a node, for the rows that are shown. Only for engine/.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "engine/current/folded.h"
#include "engine/rank/query.h"
#include "reward/view.h"

namespace hebb {

class FactsOf {
 public:
  // Labels and assignees are those whose edges count at that time. All have to live as long as
  // this.
  FactsOf(Folded& folded, const reward::View& view, TimeMs now);

  // content: the node's. O(its edges), and a read for each label that is met for the first time.
  NodeFacts operator()(graph::NodeId n, const NodeContent& content);

  const std::string& name_of(graph::NodeId n);  // its id where it has no name

 private:
  Folded& folded_;
  const reward::View& view_;
  const TimeMs now_;
  const std::optional<graph::TypeId> assigned_to_;
  std::unordered_map<graph::NodeId, std::string> names_;
};

// How many bytes the facts add to a row of JSON.
std::size_t bytes_of(const NodeFacts& facts);

}  // namespace hebb
