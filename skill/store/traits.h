// Traits of a step's element when the skill was recorded, or in its first good run; docs/skills.md
// lists what a replay compares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// Empty: not known, or there is none. skill/store/traits.cc says what each is.
struct ElementTraits {
  std::string tag, name, text, role, accessible_name;
  std::string group, under, layer, row_in, inner, frame, message;
  std::vector<std::string> row, within, dialog_texts, options, others, before, after;
  std::vector<ElementTraits> to;  // at most one

  bool operator==(const ElementTraits&) const = default;
};

Json write_traits(const ElementTraits& traits);
// nullopt: the value is no such object. Members that are none of these, or of another kind, are
// left out: an older hebb has stored such ones.
std::optional<ElementTraits> read_traits(const Json& json);

}  // namespace hebb::skill
