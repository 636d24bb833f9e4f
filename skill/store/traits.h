// What an element was like when a skill was recorded: what `hebb skill heal` compares with. Replay
// does not use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// The names of the members in JSON are stored; do not rename.
struct ElementTraits {
  std::string tag, type, name;  // name: the attribute, not the accessible name
  std::string text;             // cut to 120 bytes; of a field: empty
  std::string id, aria_label, css_class, xpath;
  // What those beside it that were most like it are called, cut to 80 characters.
  std::vector<std::string> others;
  // What kind of control it is, what stood before and after it in the page ("button Save"), the
  // nearest first, and how many names those of its kind had: for one that has another name since.
  std::string group;
  std::vector<std::string> before, after;
  double alike = 0;
  std::vector<ElementTraits> to;               // of a drag: what it was dropped on; at most one
  double x = 0, y = 0, width = 0, height = 0;  // in the document, in CSS pixels

  bool operator==(const ElementTraits&) const = default;
};

Json write_traits(const ElementTraits& traits);
// nullopt where the value is no such object.
std::optional<ElementTraits> read_traits(const Json& json);

}  // namespace hebb::skill
