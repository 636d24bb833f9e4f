#include "skill/replay/capture_element.h"

#include <algorithm>

#include "skill/browser/input.h"
#include "skill/browser/page_script.h"
#include "skill/learn/learn.h"

namespace hebb::skill {
namespace {

class Capturing {
 public:
  Capturing(Browser& browser, const Element& element, Deadline deadline)
      : browser_(browser), finder_(browser), element_(element), deadline_(deadline) {}

  Chain chain(const Json& answer) {
    const Identity id = finder_.identity(element_, deadline_);
    const bool has_role = !id.role.empty() && id.role != "generic" && id.role != "none";
    const Selector named = by_role(id.role, id.name);
    const bool is_unique = has_role && !id.name.empty() && alone(named);
    if (!is_unique) find_context(answer, has_role ? &named : nullptr);
    Chain chain;
    if (has_role) {
      Selector s = named;
      s.within = context_;
      if (is_unique || alone(s)) chain.push_back(std::move(s));
    }
    if (!id.name.empty()) keep(chain, by(SelectorType::accessible_name, id.name));
    const std::string own_text = text_member(member(answer, "traits"), "text");
    for (const Json& way : answer.value("ways", Json::array())) {
      const auto type = selector_type(text_member(way, "type"));
      const bool positional = is_true(way, "positional");
      const bool ambiguous = positional && !is_unique;
      // An xpath searches the whole page, also with `within`.
      const bool free = context_.empty() || type == SelectorType::xpath;
      if (!type || (ambiguous && free)) continue;
      Selector s = by(*type, text_member(way, "value"));
      if (ambiguous) s.within = context_;
      // Without a unique name, each way also requires the element's text.
      if (!is_unique && is_structural(*type)) s.has_text = own_text;
      keep(chain, std::move(s));
    }
    return chain;
  }

 private:
  bool alone(const Selector& s) {
    const auto found = finder_.find(element_.frame, s, deadline_);
    return found.size() == 1 && same(found.front());
  }
  bool same(const Element& other) {
    return browser_.run(element_.frame, "(a, b) => a === b",
                        {element_.reference(), other.reference()}, deadline_) == true;
  }

  void keep(Chain& chain, Selector s) {
    if (s.value.empty() || s.value.size() > ArtifactLimits::kTextBytes) return;
    bool found = alone(s);
    if (!found && !context_.empty()) {
      s.within = context_;
      found = alone(s);
    }
    if (found && std::find(chain.begin(), chain.end(), s) == chain.end())
      chain.push_back(std::move(s));
  }

  // An element around it, with a text that no other of its kind has.
  void find_context(const Json& answer, const Selector* named) {
    for (const Json& around : answer.value("around", Json::array())) {
      Selector outer = by(SelectorType::css, text_member(around, "css"));
      outer.has_text = text_member(around, "text");
      if (named != nullptr) {
        Selector inner = *named;
        inner.within = {outer};
        if (!alone(inner)) continue;
      }
      context_ = {std::move(outer)};
      return;
    }
  }

  Browser& browser_;
  Finder finder_;
  const Element& element_;
  const Deadline deadline_;
  std::vector<Selector> context_;
};

Json look(Browser& browser, const Element& element, Deadline deadline) {
  return browser.run(element.frame, std::string(capture_script()),
                     Json::array({element.reference()}), deadline);
}

CapturedElement seen(const Json& answer, const Identity& identity) {
  CapturedElement captured;
  captured.traits = read_traits(member(answer, "traits")).value_or(ElementTraits{});
  captured.traits.role = identity.role;
  captured.traits.accessible_name = identity.name;
  captured.secret = is_true(answer, "secret");
  return captured;
}

}  // namespace

std::vector<Chain> capture_frames(Browser& browser, std::size_t tab, const std::string& frame,
                                  Deadline deadline) {
  std::vector<Chain> path;
  Input input(browser, tab);
  for (auto owner = input.owner_of(frame, deadline); owner;
       owner = input.owner_of(owner->frame, deadline)) {
    path.insert(path.begin(), capture_element(browser, *owner, {}, deadline).chain);
    if (path.front().empty()) return {};
  }
  return path;
}

CapturedElement look_at_element(Browser& browser, const Element& element, Deadline deadline) {
  const Json answer = look(browser, element, deadline);
  return seen(answer, Finder(browser).identity(element, deadline));
}

CapturedElement capture_element(Browser& browser, const Element& element,
                                const std::vector<SelectorType>& order, Deadline deadline) {
  const Json answer = look(browser, element, deadline);
  CapturedElement captured = seen(answer, Finder(browser).identity(element, deadline));
  captured.chain = Capturing(browser, element, deadline).chain(answer);
  if (captured.chain.size() > ArtifactLimits::kSelectors)
    captured.chain.resize(ArtifactLimits::kSelectors);
  order_chain(captured.chain, order);
  return captured;
}

}  // namespace hebb::skill
