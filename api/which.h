// Which nodes an operation is about: the fields that `rank` and `list` share.
#pragma once

#include <string>
#include <vector>

#include "api/field.h"
#include "engine/requests.h"

namespace hebb::api {

struct Which {
  std::string type, state, project, assignee;
  std::vector<std::string> label, not_label;

  WhichNodes nodes() const { return {type, state, label, not_label, project, assignee}; }
  bool is_all() const {
    return type.empty() && state.empty() && project.empty() && assignee.empty() && label.empty() &&
           not_label.empty();
  }
};

// The fields of Which as fields of S, and `offset` of S.
template <class S>
Fields which_fields(const std::string& states, const std::string& unit) {
  const auto own = [](auto member) { return member_of<S>(member); };
  return {
      field("type", own(&Which::type), "Only nodes of this type"),
      field("state", own(&Which::state), "Nodes in this state, rather than OPEN ones: " + states),
      field(
          "label", own(&Which::label),
          "Only nodes with this label (or category, or assignee): its id or name; with each, where "
          "there are several"),
      field("not_label", own(&Which::not_label), "Only nodes without this label; likewise"),
      field("project", own(&Which::project), "Only nodes of this project"),
      field("assignee", own(&Which::assignee), "Only nodes assigned to this one: its id or name"),
      field("top", &S::top, "How many", {.unit = unit, .min = 1, .max = 1e9}),
      field("offset", &S::offset, "How many to leave out at the beginning",
            {.unit = unit, .min = 0, .max = 1e9}),
  };
}

}  // namespace hebb::api
