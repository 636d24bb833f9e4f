#include "skill/store/traits.h"

#include <array>
#include <utility>

namespace hebb::skill {
namespace {

constexpr std::size_t kBytes = 400;  // of one member
constexpr std::size_t kOthers = 12;

constexpr auto kTexts = std::to_array<std::pair<const char*, std::string ElementTraits::*>>(
    {{"tag", &ElementTraits::tag},
     {"name", &ElementTraits::name},
     {"text", &ElementTraits::text},
     {"group", &ElementTraits::group},
     {"under", &ElementTraits::under},
     {"layer", &ElementTraits::layer},
     {"role", &ElementTraits::role},
     {"accessible_name", &ElementTraits::accessible_name},
     {"row_in", &ElementTraits::row_in},
     {"inner", &ElementTraits::inner},
     {"frame", &ElementTraits::frame},
     {"message", &ElementTraits::message}});
constexpr auto kLists =
    std::to_array<std::pair<const char*, std::vector<std::string> ElementTraits::*>>(
        {{"others", &ElementTraits::others},
         {"before", &ElementTraits::before},
         {"after", &ElementTraits::after},
         {"row", &ElementTraits::row},
         {"within", &ElementTraits::within},
         {"dialog_texts", &ElementTraits::dialog_texts},
         {"options", &ElementTraits::options}});

}  // namespace

Json write_traits(const ElementTraits& traits) {
  Json out = Json::object();
  for (const auto& [key, member] : kTexts) {
    if (!(traits.*member).empty()) out[key] = traits.*member;
  }
  for (const auto& [key, member] : kLists) {
    if (!(traits.*member).empty()) out[key] = traits.*member;
  }
  if (!traits.to.empty()) out["to"] = write_traits(traits.to.front());
  return out;
}

std::optional<ElementTraits> read_traits(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  ElementTraits traits;
  for (const auto& [key, member] : kTexts) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) continue;
    traits.*member = found->get<std::string>().substr(0, kBytes);
  }
  for (const auto& [key, member] : kLists) {
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) continue;
    for (const Json& name : *list) {
      if (name.is_string() && (traits.*member).size() < kOthers)
        (traits.*member).push_back(name.get<std::string>().substr(0, kBytes));
    }
  }
  if (const auto to = json.find("to"); to != json.end()) {
    if (auto end = read_traits(*to)) traits.to.push_back(std::move(*end));
  }
  if (traits.tag.empty() && traits.message.empty()) return std::nullopt;
  return traits;
}

}  // namespace hebb::skill
