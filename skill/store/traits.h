// What a step's element was like when the skill was recorded, or in its first good run: what replay
// compares with it is in docs/skills.md.
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
  // The texts that name the row, entry, card or dialog it stands in, and what kind of box that is.
  std::vector<std::string> row;
  std::string row_in;
  std::string inner;    // the control in it that a press in its middle meets; empty: there is none
  std::string frame;    // address, title and heading of a frame or a further page; else empty
  std::string message;  // of the dialog that a step of this kind answers
  std::vector<std::string> options;  // what people read of those that are chosen in a list
  // What those of its tag are called: those of its name first, then the nearest; each is cut to 80
  // characters.
  std::vector<std::string> others;
  // What kind of control it is, and what stood before and after it in the page ("button Save"),
  // the nearest first.
  std::string group;
  std::vector<std::string> before, after;
  std::string under;  // the nearest heading before it ("heading May")
  // The named boxes that it stood in ("form: Archive"), the nearest first, whether that was on the
  // page or in a dialog (empty: not known), and the texts of the dialog.
  std::vector<std::string> within;
  std::string layer;
  std::vector<std::string> dialog_texts;
  std::vector<ElementTraits> to;  // of a drag: what it was dropped on; at most one

  bool operator==(const ElementTraits&) const = default;
};

Json write_traits(const ElementTraits& traits);
// nullopt where the value is no such object.
std::optional<ElementTraits> read_traits(const Json& json);

}  // namespace hebb::skill
