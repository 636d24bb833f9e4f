// nodes, facets: what there is, listed and counted, for whoever looks around.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct NodesRequest {
  std::string state, type, label, project;
  std::int64_t limit = 50, offset = 0;
  static const Fields& fields();
};
// A node in a list: no more than a line says.
struct NodeLine {
  std::string id, name, type, state, project;
  std::vector<std::string> contexts;  // ids
  std::optional<Time> changed_at, completed_at;
  static const Fields& fields();
};
struct NodesResult {
  std::vector<NodeLine> nodes;  // changed last first
  std::optional<std::int64_t> next;
  static const Fields& fields();
};
NodesResult nodes(Session& session, const NodesRequest& request);
Operation nodes_operation();

struct FacetsRequest {
  static const Fields& fields();
};
struct Facet {
  std::string value;
  std::optional<std::string> name;   // of a label: what people call it
  std::int64_t count = 0, open = 0;  // nodes, and those of them that are OPEN
  static const Fields& fields();
};
struct FacetsResult {
  std::vector<Facet> states, types, labels, projects;  // most OPEN nodes first
  static const Fields& fields();
};
FacetsResult facets(Session& session, const FacetsRequest& request);
Operation facets_operation();

}  // namespace hebb::api
