// Selectors of the Recorder of Chrome DevTools, both ways.
#include <fmt/format.h>

#include "skill/format/recorder.h"

namespace hebb::skill {
namespace {

// aria/Name[role="button"]
Selector aria(std::string_view text) {
  constexpr std::string_view kRole = "[role=\"";
  const std::size_t role = text.rfind(kRole);
  if (role == std::string_view::npos || !text.ends_with("\"]"))
    return by(SelectorType::accessible_name, std::string(text));
  const std::size_t from = role + kRole.size();
  return by_role(std::string(text.substr(from, text.size() - from - 2)),
                 std::string(text.substr(0, role)));
}

Selector one(const Json& part, const std::string& path) {
  if (!part.is_string() || part.get_ref<const std::string&>().empty())
    invalid(path, "must be a text that is not empty");
  const std::string_view text = part.get_ref<const std::string&>();
  struct Prefix {
    std::string_view prefix;
    SelectorType type;
  };
  if (text.starts_with("aria/") && text.size() > 5) return aria(text.substr(5));
  for (const auto& [prefix, type] :
       {Prefix{"xpath/", SelectorType::xpath}, Prefix{"text/", SelectorType::text},
        Prefix{"pierce/", SelectorType::css}, Prefix{"css/", SelectorType::css}}) {
    if (text.starts_with(prefix) && text.size() > prefix.size())
      return by(type, std::string(text.substr(prefix.size())));
  }
  return by(SelectorType::css, std::string(text));
}

std::string part_of(const Selector& s) {
  switch (s.type) {
    case SelectorType::role_name:
      return fmt::format("aria/{}[role=\"{}\"]", s.value, s.role);
    case SelectorType::accessible_name:
    case SelectorType::label:
      return "aria/" + s.value;
    case SelectorType::test_id:
      return fmt::format("[data-testid={}]", css_string(s.value));
    case SelectorType::placeholder:
      return fmt::format("[placeholder={}]", css_string(s.value));
    case SelectorType::xpath:
      return "xpath/" + s.value;
    case SelectorType::text:
      return "text/" + s.value;
    case SelectorType::css:
    case SelectorType::node_ref:
      break;
  }
  return s.value;
}

}  // namespace

std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

Selector selector_of_recorder(const Json& parts, const std::string& path) {
  if (parts.is_string()) return one(parts, path);
  if (!parts.is_array() || parts.empty() || parts.size() > ArtifactLimits::kWithin + 1)
    invalid(path, "must be a text or a list of them");
  std::vector<Selector> all;
  for (std::size_t i = 0; i < parts.size(); ++i)
    all.push_back(one(parts[i], fmt::format("{}[{}]", path, i)));
  Selector last = std::move(all.back());
  all.pop_back();
  last.within = std::move(all);
  return last;
}

Json recorder_selector(const Selector& s) {
  Json parts = Json::array();
  for (const Selector& outer : s.within) parts.push_back(part_of(outer));
  parts.push_back(part_of(s));
  return parts;
}

}  // namespace hebb::skill
