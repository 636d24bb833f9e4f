// Traits of a step's element when the skill was recorded, or in its first good run; docs/skills.md
// lists what a replay compares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// The names of the members in JSON are stored; do not rename.
struct ElementTraits {
  std::string tag, name;              // name: the attribute, not the accessible name
  std::string text;                   // cut to 120 bytes; of a field: empty
  std::string role, accessible_name;  // of the accessibility tree; no role: neither is known
  // The texts that name the row, entry, card or dialog around it, and the kind of that box.
  std::vector<std::string> row;
  std::string row_in;
  std::string inner;    // the control in it that a press in its middle hits; empty: none
  std::string frame;    // address, title and heading of a frame or a further page; else empty
  std::string message;  // of the dialog that a step of this kind answers
  std::vector<std::string> options;  // the visible texts of the chosen options of a list
  // The names of elements with its tag: of its own name first, then the nearest; each is cut to 80
  // characters.
  std::vector<std::string> others;
  // Its kind of control, and its neighbours before and after it in the page ("button Save"), the
  // nearest first.
  std::string group;
  std::vector<std::string> before, after;
  std::string under;  // the nearest heading before it ("heading May")
  // The named boxes around it ("form: Archive"), the nearest first, whether it was on the page or
  // in a dialog (empty: unknown), and the texts of the dialog.
  std::vector<std::string> within;
  std::string layer;
  std::vector<std::string> dialog_texts;
  std::vector<ElementTraits> to;  // of a drag: the element that it was dropped on; at most one

  bool operator==(const ElementTraits&) const = default;
};

Json write_traits(const ElementTraits& traits);
// nullopt: the value is no such object.
std::optional<ElementTraits> read_traits(const Json& json);

}  // namespace hebb::skill
