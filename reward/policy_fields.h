// The table of policy fields, and functions of names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "reward/policy.h"

namespace hebb::reward {

template <class Owner>
struct Field {
  FieldInfo info;
  std::variant<double Owner::*, int Owner::*, bool Owner::*, std::string Owner::*> member;
  std::optional<double> off = {};  // with this value a factor is exactly 1
};
std::span<const Field<Policy>> policy_fields();
std::span<const Field<TypePolicy>> type_fields();
// Fields that have one value for each name.
extern const FieldInfo kNodeField, kContextField, kLabelField, kReasonField, kSuccessField;

void switch_factors_off(Policy& policy);  // so that the priority of a task is its base

bool is_same_type(std::string_view a, std::string_view b);  // names of types of nodes, in any case
// Whether the letters and digits of the text begin as those of the other do, in any case; whole:
// and end with them.
bool reads_as(std::string_view text, std::string_view other, bool whole);
// Whether a type, a label or a reason may have a policy under that name: 1 to 128 bytes of UTF-8
// without control characters.
bool is_type_name(std::string_view name);

}  // namespace hebb::reward
