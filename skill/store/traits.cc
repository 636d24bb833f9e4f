#include "skill/store/traits.h"

#include <algorithm>
#include <utility>

#include "engine/fields/record.h"
#include "skill/artifact/stored.h"

namespace hebb::fields {

// A list of at most one, which in JSON is no list.
struct OneOrNone;
template <>
struct CodecAs<OneOrNone, std::vector<skill::ElementTraits>>
    : Plain<std::vector<skill::ElementTraits>, Kind::object> {
  using Described = Json;
  static Json get(const std::vector<skill::ElementTraits>& list) {
    return list.empty() ? Json() : skill::write_traits(list.front());
  }
  static void set(std::vector<skill::ElementTraits>& list, const Json& json) {
    if (auto one = skill::read_traits(json)) list = {*std::move(one)};
  }
};

}  // namespace hebb::fields

namespace hebb::skill {

// The names are stored; do not rename.
RECORD(ElementTraits, FIELD(tag, "Its tag"), FIELD(name, "The attribute, not the accessible name"),
       FIELD(text, "Cut to 120 bytes; of a field: none"), FIELD(group, "Its kind of control"),
       FIELD(under, "The nearest heading before it, such as \"heading May\""),
       FIELD(layer, "Whether it was on the page or in a dialog"),
       FIELD(role, "In the accessibility tree; none: its name is not known either"),
       FIELD(accessible_name, "In the accessibility tree"),
       FIELD(row_in, "The kind of box that `row` names"),
       FIELD(inner, "The control in it that a press in its middle hits"),
       FIELD(frame, "Address, title and heading of a frame or a further page"),
       FIELD(message, "Of the dialog that a step of this kind answers"),
       FIELD(others,
             "The names of elements with its tag, those of its own name first, then the nearest"),
       FIELD(before, "Its neighbours before it, such as \"button Save\", the nearest first"),
       FIELD(after, "Likewise after it"),
       FIELD(row, "The texts that name the row, entry, card or dialog around it"),
       FIELD(within, "The named boxes around it, such as \"form: Archive\", the nearest first"),
       FIELD(dialog_texts, "The texts of the dialog that it was in"),
       FIELD(options, "The visible texts of the chosen options of a list"),
       field_as<OneOrNone>("to", self.to, "Of a drag: the element that it was dropped on"))

namespace {

// Texts cut to 400 bytes, lists to 12 of them.
Json shortened(const Json& json) {
  constexpr std::size_t kBytes = 400, kTexts = 12;
  if (json.is_string()) return json.get_ref<const std::string&>().substr(0, kBytes);
  if (json.is_object()) {
    Json object = Json::object();
    for (const auto& [name, value] : json.items()) object[name] = shortened(value);
    return object;
  }
  if (!json.is_array()) return json;
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(json.size(), kTexts); ++i)
    list.push_back(shortened(json[i]));
  return list;
}

}  // namespace

Json write_traits(const ElementTraits& traits) {
  Json out = Json::object();
  for (const fields::Field& f : fields::fields_of<ElementTraits>()) {
    Json value = f.get(&traits);
    if (value != "" && !value.empty()) out[f.name] = std::move(value);
  }
  return out;
}

std::optional<ElementTraits> read_traits(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  auto traits = read_known_members<ElementTraits>(shortened(json));
  if (traits.tag.empty() && traits.message.empty()) return std::nullopt;
  return traits;
}

}  // namespace hebb::skill
