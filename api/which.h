// Which nodes an operation is about: the fields that `rank`, `list` and `next` share.
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

// The fields of Which, but for `state`, as fields of S.
template <class S>
Fields filter_fields() {
  const auto own = [](auto member) { return member_of<S>(member); };
  return {
      field("type", own(&Which::type), "Only nodes of this type"),
      field(
          "label", own(&Which::label),
          "Only nodes with this label (or category, or assignee): its id or name; with each, where "
          "there are several"),
      field("not_label", own(&Which::not_label), "Only nodes without this label; likewise"),
      field("project", own(&Which::project), "Only nodes of this project"),
      field("assignee", own(&Which::assignee), "Only nodes assigned to this one: its id or name"),
  };
}

// These and `state`, and `limit` and `offset` of S.
template <class S>
Fields which_fields(const std::string& states, std::string_view unit) {
  Fields fields = filter_fields<S>();
  fields.insert(fields.begin() + 1, field("state", member_of<S>(&Which::state),
                                          "Nodes in this state, rather than OPEN ones: " + states));
  fields.push_back(
      field("limit", &S::limit, "How many", {.unit = unit, .min = 1, .max = 1e9, .was = "top"}));
  fields.push_back(field("offset", &S::offset, "How many to leave out at the beginning",
                         {.unit = unit, .min = 0, .max = 1e9}));
  return fields;
}

}  // namespace hebb::api
