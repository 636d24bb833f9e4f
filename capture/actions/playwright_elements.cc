// The elements of a page as snapshots list them.
#include <algorithm>

#include "capture/actions/playwright_steps.h"
#include "capture/ascii.h"

namespace hebb::capture {
namespace {

// role "name": the first word, and the first string in quotes if it follows.
PageElements::Element element_of(std::string_view text) {
  PageElements::Element element;
  std::size_t at = std::min(text.find_first_not_of(" -'"), text.size());
  while (at < text.size() && (is_lower(text[at]) || text[at] == '_')) element.role += text[at++];
  if (!text.substr(at).starts_with(" \"")) return element;
  for (at += 2; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    element.name += text[at];
  }
  return element;
}

// [ref=e12] of Playwright MCP, uid=1_6 of chrome-devtools-mcp; empty: the line lists nothing.
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

}  // namespace

void PageElements::see(std::string_view text) {
  std::map<std::string, Element> seen;
  std::map<std::pair<std::string, std::string>, std::vector<Element*>> alike;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest;
    std::string ref = ref_of(text.substr(0, end), rest);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (ref.empty()) continue;
    Element element = element_of(rest);
    auto& others = alike[{element.role, element.name}];
    element.before = others.size();
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

}  // namespace hebb::capture
