#include "skill/replay/signature.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "skill/replay/replay.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kFields = 64;

bool is_id(std::string_view part) {
  if (part.empty()) return false;
  const auto all = [&](std::string_view allowed) {
    return part.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (all("0123456789")) return true;
  constexpr std::size_t kHex = 16;
  return part.size() >= kHex && all("0123456789abcdefABCDEF-") &&
         part.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

std::string origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return "";
  const std::size_t end = url.find_first_of("/?#", scheme + 3);
  return std::string(url.substr(0, end));
}

std::string path_pattern(std::string_view url) {
  const std::string origin = origin_of(url);
  std::string_view rest = url.substr(origin.size());
  rest = rest.substr(0, rest.find_first_of("?#"));
  std::string out;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    out += '/';
    out += is_id(part) ? "*" : part;
    rest.remove_prefix(end);
  }
  return out.empty() ? "/" : out;
}

std::string frame_identity(Browser& browser, std::size_t tab, const std::string& frame,
                           Deadline deadline) {
  const Frame& shown = browser.require_frame(frame);
  if (tab == 0 && shown.parent.empty()) return "";
  const std::string url = shown.url;
  const Json titles = browser.run(
      frame,
      "() => [document.title, (document.querySelector('h1,h2') || {}).textContent || '']"
      ".map((t) => [...__hebb.squeeze(t.replace(/\\d/g, ''))].slice(0, 80).join(''))",
      Json::array(), deadline);
  // data: and blob: addresses differ in each load.
  const std::string address = url.starts_with("http")    ? origin_of(url) + path_pattern(url)
                              : url.starts_with("file:") ? url.substr(0, url.find('?'))
                                                         : url.substr(0, url.find(':') + 1);
  std::string identity = address;
  for (const Json& title : titles) identity += fmt::format(" \"{}\"", title.get<std::string>());
  return identity;
}

PageSignature signature_of(Browser& browser, std::size_t tab, Deadline deadline) {
  PageSignature s;
  const Frame* main = browser.page(tab).main();
  if (main == nullptr) return s;
  s.origin = origin_of(main->url);
  if (s.origin.empty()) s.origin = main->url.substr(0, main->url.find(':') + 1);  // file:
  s.path = path_pattern(main->url);
  Finder finder(browser);
  for (const Identity& id : finder.controls(main->id, deadline)) {
    constexpr std::size_t kHash = 16;
    s.fields.push_back(content_hash(id.role + "\n" + id.name).substr(0, kHash));
    if (s.fields.size() == kFields) break;
  }
  return s;
}

std::string difference(const PageSignature& recorded, const PageSignature& seen) {
  if (recorded.origin != seen.origin)
    return fmt::format("the origin is {}, recorded was {}", seen.origin, recorded.origin);
  if (recorded.path != seen.path)
    return fmt::format("the path is {}, recorded was {}", seen.path, recorded.path);
  std::vector<std::string> left = seen.fields;
  std::size_t there = 0;
  for (const std::string& field : recorded.fields) {
    const auto found = std::find(left.begin(), left.end(), field);
    if (found == left.end()) continue;
    left.erase(found);
    ++there;
  }
  if (there * 2 >= recorded.fields.size()) return "";
  return fmt::format("{} of the {} recorded fields are on the page", there, recorded.fields.size());
}

}  // namespace hebb::skill
