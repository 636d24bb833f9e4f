// facets: the states, types, labels and projects there are, for whoever looks around.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

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
