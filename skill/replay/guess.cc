#include "skill/replay/guess.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/resolve.h"

namespace hebb::skill {

std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const ElementTraits* traits, const std::vector<Step>& steps,
                                     Deadline deadline) {
  Finder finder(browser);
  std::optional<Element> element;
  std::string how;
  // What the structural selectors find; two that find different elements say nothing.
  for (const Selector& s : chain) {
    if (!is_structural(s.type) || counts_places(s)) continue;
    const auto found = finder.find(frame, s, deadline);
    if (found.size() != 1) continue;
    const Json given{found.front().reference(),
                     element ? element->reference() : found.front().reference()};
    if (browser.run(frame, "(a, b) => a === b", given, deadline) != true) return std::nullopt;
    if (!element) how = describe(s);
    element = found.front();
  }
  if (traits != nullptr) {
    // The page's choice: by its words, and by signs that do not depend on them.
    const Json said = browser.run(
        frame, "(t, coded) => __hebb.guess(t, coded)",
        {write_traits(*traits), element ? element->reference() : Json(nullptr)}, deadline);
    if (!said.is_string()) return std::nullopt;
    how = said.get<std::string>();
    const Json taken = browser.run(frame, "() => __hebb.guessed", Json::array(), deadline, false);
    element = Element{frame, text_member(taken, "objectId")};
  }
  if (!element) return std::nullopt;
  const std::function<bool(const std::string&)> unknown;
  Resolver recorded(browser, frame, chain, traits, false, unknown, deadline);
  if (!recorded.difference(*element, true).empty()) return std::nullopt;
  const Identity was = recorded_identity(chain), now = finder.identity(*element, deadline);
  // Nothing is known of it but its selectors: an id may since have gone to another element, so it
  // says which one is meant only where the name is the same to the ear.
  if (traits == nullptr && spoken(was.name, true) != spoken(now.name, true)) return std::nullopt;
  const auto is = [&](const Identity& id) {
    return id.name == now.name && (id.role.empty() || id.role == now.role);
  };
  const bool taken = std::any_of(steps.begin(), steps.end(), [&](const Step& other) {
    return is(recorded_identity(other.selectors));
  });
  if (taken && !now.name.empty() && !is(was)) return std::nullopt;
  const auto said = [](const Identity& id) {
    return fmt::format("{}{}\"{}\"", id.role, id.role.empty() ? "" : " ", id.name);
  };
  return Guessed{*element, {said(was), said(now), how}};
}

}  // namespace hebb::skill
