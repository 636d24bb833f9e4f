#include "skill/replay/guess.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/resolve.h"

namespace hebb::skill {
namespace {

class Guessing {
 public:
  Guessing(Browser& browser, const std::string& frame, const Chain& chain,
           const ElementTraits* traits, const std::vector<Step>& steps, Deadline deadline)
      : browser_(browser),
        finder_(browser),
        frame_(frame),
        chain_(chain),
        traits_(traits),
        steps_(steps),
        deadline_(deadline) {}

  std::optional<Guessed> guess() {
    by_selectors();
    if (differ_) return std::nullopt;
    if (traits_ != nullptr) return by_signs();
    return selected_ ? found(*selected_, how_) : std::nullopt;
  }

 private:
  // The page's choice: of the recorded kind, by its words and signs that do not depend on them.
  std::optional<Guessed> by_signs() {
    const Json how = browser_.run(
        frame_, "(t, coded) => __hebb.guess(t, coded)",
        {write_traits(*traits_), selected_ ? selected_->reference() : Json(nullptr)}, deadline_);
    if (!how.is_string()) return std::nullopt;
    const Json element =
        browser_.run(frame_, "() => __hebb.guessed", Json::array(), deadline_, false);
    return found({frame_, text_member(element, "objectId")}, how.get<std::string>());
  }

  // What the structural selectors find; two that find different elements say nothing.
  void by_selectors() {
    for (const Selector& s : chain_) {
      if (s.type != SelectorType::css && s.type != SelectorType::xpath) continue;
      if (counts_places(s)) continue;
      const auto elements = finder_.find(frame_, s, deadline_);
      if (elements.size() != 1) continue;
      if (selected_ && !same(*selected_, elements.front())) differ_ = true;
      if (!selected_) how_ = describe(s);
      if (!selected_) selected_ = elements.front();
    }
  }

  bool same(const Element& a, const Element& b) {
    return browser_.run(frame_, "(a, b) => a === b", {a.reference(), b.reference()}, deadline_) ==
           true;
  }

  std::optional<Guessed> found(const Element& element, const std::string& how) {
    const std::function<bool(const std::string&)> unknown;
    if (!Resolver(browser_, frame_, chain_, traits_, false, unknown, deadline_)
             .difference(element, true)
             .empty())
      return std::nullopt;
    const Identity was = recorded_identity(chain_), now = finder_.identity(element, deadline_);
    const auto is = [&](const Identity& id) {
      return id.name == now.name && (id.role.empty() || id.role == now.role);
    };
    // Nothing is known of it but its selectors: an id may since have gone to another element, so it
    // says which one is meant only where the name is the same to the ear.
    if (traits_ == nullptr && spoken(was.name, true) != spoken(now.name, true)) return std::nullopt;
    const bool taken = !now.name.empty() && !is(was) &&
                       std::any_of(steps_.begin(), steps_.end(), [&](const Step& other) {
                         return is(recorded_identity(other.selectors));
                       });
    if (taken) return std::nullopt;
    const auto said = [](const Identity& id) {
      return fmt::format("{}{}\"{}\"", id.role, id.role.empty() ? "" : " ", id.name);
    };
    return Guessed{element, {said(was), said(now), how}};
  }

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Chain& chain_;
  const ElementTraits* traits_;
  const std::vector<Step>& steps_;
  const Deadline deadline_;
  std::optional<Element> selected_;
  std::string how_;
  bool differ_ = false;
};

}  // namespace

std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const ElementTraits* traits, const std::vector<Step>& steps,
                                     Deadline deadline) {
  return Guessing(browser, frame, chain, traits, steps, deadline).guess();
}

}  // namespace hebb::skill
