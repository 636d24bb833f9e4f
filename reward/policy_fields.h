// The table of policy fields that policy_fields.cc and policy_toml.cc share.
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

  std::string_view name() const {  // the key without "type.*." and the like
    for (const std::string_view prefix : {"type.*.", "node.*.", "label.*.", "reason.*."}) {
      if (info.key.starts_with(prefix)) return info.key.substr(prefix.size());
    }
    return info.key;
  }
};

std::span<const Field<Policy>> policy_fields();
void switch_factors_off(Policy& policy);  // so that the priority of a task is its base
std::span<const Field<TypePolicy>> type_fields();
std::span<const Field<NodePolicy>> node_fields();
std::span<const Field<LabelPolicy>> label_fields();
std::span<const Field<ReasonPolicy>> reason_fields();

// The value as text: shortest form that reads back to the same bits.
template <class Owner>
std::string value_text(const Owner& owner, const Field<Owner>& field);

// Whether the letters and digits of the text begin as those of the other do, in any case; whole:
// and end with them.
bool reads_as(std::string_view text, std::string_view other, bool whole);
// Whether a type, a label or a reason may have a policy under that name: 1 to 128 bytes of UTF-8
// without control characters.
bool is_type_name(std::string_view name);

}  // namespace hebb::reward
