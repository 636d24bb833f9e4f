// Which nodes an operation is about: the fields that `rank`, `list` and `next` share.
#pragma once

#include <string>
#include <vector>

#include "api/field.h"
#include "engine/requests.h"

namespace hebb::api {

struct Which {
  std::string type, project, assignee;
  std::vector<std::string> label, not_label;

  WhichNodes nodes(const std::string& state = {}) const {
    return {type, state, label, not_label, project, assignee};
  }
  bool is_all() const {
    return type.empty() && project.empty() && assignee.empty() && label.empty() &&
           not_label.empty();
  }
};
RECORD(Which,
       FIELD(type, "Only nodes of this type"),
       FIELD(label, "Only nodes with this label (or category, or assignee): its id or name; with "
             "each, where there are several"),
       FIELD(not_label, "Only nodes without this label; likewise"),
       FIELD(project, "Only nodes of this project"),
       FIELD(assignee, "Only nodes assigned to this one: its id or name"))

}  // namespace hebb::api
