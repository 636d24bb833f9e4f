#include "skill/capture/elements.h"

#include <algorithm>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::skill {
namespace {

// role "name": the first word, and the quoted string after it; a text has only the string.
PageElements::Element element_of(std::string_view text) {
  PageElements::Element element;
  std::size_t at = std::min(text.find_first_not_of(" -'"), text.size());
  while (at < text.size() && (is_letter(text[at]) || text[at] == '_')) element.role += text[at++];
  if (!element.role.empty() && at < text.size() && text[at] == ' ') ++at;
  if (at >= text.size() || text[at] != '"') return element;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    element.name += text[at];
  }
  return element;
}

// [ref=e12] of Playwright MCP, uid=1_6 of chrome-devtools-mcp; empty: the line lists no element.
std::string ref_of(std::string_view line, std::string_view& rest) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  if (line.substr(first).starts_with("uid=")) {
    const std::size_t space = std::min(line.find(' ', first), line.size());
    rest = line.substr(std::min(space + 1, line.size()));
    return std::string(line.substr(first + 4, space - first - 4));
  }
  constexpr std::string_view kRef = "[ref=";
  const std::size_t begin = line.find(kRef);
  if (begin == std::string_view::npos || !line.substr(first).starts_with("- ")) return {};
  const std::size_t end = line.find(']', begin);
  if (end == std::string_view::npos) return {};
  rest = line;
  return std::string(line.substr(begin + kRef.size(), end - begin - kRef.size()));
}

// An iframe's name is its title or its label. One without a name has to be the only one.
Chain frame_chain(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_of("\"\\\n") == std::string::npos;
  if (!plain) return {by(SelectorType::css, "iframe")};
  return {by(SelectorType::css,
             fmt::format("iframe[title=\"{0}\"], iframe[aria-label=\"{0}\"]", name))};
}

// An iframe whose content is listed below it, indented further.
struct OpenFrame {
  std::size_t indent;
  std::string ref;
  std::vector<Chain> frames;
};

}  // namespace

void PageElements::see(std::string_view text) {
  std::map<std::string, Element> seen;
  std::map<std::vector<std::string>, std::vector<Element*>> alike;  // by frame, role and name
  std::vector<OpenFrame> inside;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest;
    std::string ref = ref_of(line, rest);
    if (ref.empty()) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    while (!inside.empty() && inside.back().indent >= indent) inside.pop_back();
    Element element = element_of(rest);
    if (!inside.empty()) element.frames = inside.back().frames;
    auto& others = alike[{inside.empty() ? "" : inside.back().ref, element.role, element.name}];
    element.before = others.size();
    if (element.role == "Iframe" || element.role == "iframe") {
      inside.push_back({indent, ref, element.frames});
      inside.back().frames.push_back(frame_chain(element.name));
    }
    const auto [at, is_new] = seen.insert_or_assign(std::move(ref), std::move(element));
    if (is_new) others.push_back(&at->second);
  }
  if (seen.empty()) return;
  for (auto& [name, same] : alike) {
    for (Element* element : same) element->alone = same.size() == 1;
  }
  elements_ = std::move(seen);
}

const PageElements::Element* PageElements::find(const std::string& ref) const {
  const auto found = elements_.find(ref);
  return found == elements_.end() ? nullptr : &found->second;
}

Chain chain_of(const PageElements::Element& element) {
  const bool blank = is_blank(element.name);
  if (element.role.empty()) {
    if (blank || !element.alone) return {};
    return {by(SelectorType::text, element.name)};
  }
  // Names such as RootWebArea are Chromium's own: no ARIA role begins with a capital.
  if (!is_lower(element.role.front()) || element.role == "generic") return {};
  Selector s = by_role(element.role, element.name);
  if (!element.alone) s.nth = static_cast<std::int64_t>(element.before);
  return {std::move(s)};
}

}  // namespace hebb::skill
