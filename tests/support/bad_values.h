// Values that a field of a request cannot have, for tests that go through the list of operations.
#pragma once

#include <vector>

#include "api/field.h"

namespace hebb::test {

// None for a field that takes any value of its kind, where a text of the command line is always
// one.
inline std::vector<api::Json> bad_values(const api::Field& field) {
  std::vector<api::Json> values;
  const auto& bounds = field.bounds;
  if (bounds.min) values.emplace_back(*bounds.min - 1);
  if (bounds.max && *bounds.max < 1e15) values.emplace_back(*bounds.max + 1);
  if (!bounds.choices.empty()) values.emplace_back("no such choice");
  switch (field.kind) {
    case api::Kind::integer:
    case api::Kind::priority:
    case api::Kind::number:
    case api::Kind::time:
    case api::Kind::duration:
      values.emplace_back("neither");
      break;
    default:
      break;
  }
  if (field.list) {
    for (api::Json& value : values) value = api::Json::array({value});
  }
  return values;
}

}  // namespace hebb::test
