#include "skill/replay/guess.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/browser/page_script.h"

namespace hebb::skill {
namespace {

// Of 1. Alone, similarity has to be high, come from what says which element it is (name, text, id,
// label) and not from its kind and place, and be well ahead of the next one. Where a selector finds
// the same element, less will do. Both were chosen by hand.
struct Threshold {
  double score, said, margin;
};
constexpr Threshold kAlone{0.7, 0.75, 0.1}, kAgreed{0.5, 0.3, 0.02};

struct Similar {
  Element element;
  double score = 0, said = 0, margin = 0;
  bool passes(const Threshold& t) const {
    return score >= t.score && said >= t.said && margin >= t.margin;
  }
};

std::optional<Similar> most_similar(Browser& browser, const std::string& frame,
                                    const ElementTraits& traits, Deadline deadline) {
  const Json remote = browser.run(frame, std::string(similar_script()),
                                  Json::array({write_traits(traits)}), deadline, false);
  const Frame* f = browser.frame(frame);
  if (f == nullptr || !remote.is_object() || !remote.contains("objectId")) return std::nullopt;
  const std::string session = f->session;
  const Json members =
      browser.call("Runtime.getProperties",
                   {{"objectId", remote["objectId"]}, {"ownProperties", true}}, session, deadline);
  Similar found;
  for (const Json& member : members.value("result", Json::array())) {
    const Json value = member.value("value", Json::object());
    const Json name = member.value("name", Json()), number = value.value("value", Json());
    if (name == "element") found.element = {frame, value.value("objectId", "")};
    if (!number.is_number()) continue;
    if (name == "score") found.score = number.get<double>();
    if (name == "said") found.said = number.get<double>();
    if (name == "margin") found.margin = number.get<double>();
  }
  if (found.element.object.empty()) return std::nullopt;
  return found;
}

// Letters and digits alone, in lower case. Bytes of other alphabets stay as they are.
std::string spoken(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c + 32);
    const bool other = static_cast<unsigned char>(c) >= 0x80;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || other) out += c;
  }
  return out;
}

class Guessing {
 public:
  Guessing(Browser& browser, const std::string& frame, const Step& step, Deadline deadline)
      : browser_(browser), finder_(browser), frame_(frame), step_(step), deadline_(deadline) {}

  std::optional<Guessed> guess(const std::optional<ElementTraits>& traits) {
    by_selectors();
    if (differ_) return std::nullopt;
    std::optional<Similar> similar;
    if (traits) similar = most_similar(browser_, frame_, *traits, deadline_);
    if (traits && !similar) return std::nullopt;
    if (!similar) return selected_ ? written_otherwise() : std::nullopt;
    const bool agreed = selected_ && same(*selected_, similar->element);
    if (selected_ && !agreed) return std::nullopt;
    if (!similar->passes(agreed ? kAgreed : kAlone)) return std::nullopt;
    return found(similar->element, agreed ? how_ : "similar", similar->score, similar->margin);
  }

 private:
  // What the structural selectors find; two that find different elements say nothing.
  void by_selectors() {
    for (const Selector& s : step_.selectors) {
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

  // Nothing is known of the element but its selectors: an id may since have gone to another one, so
  // it says which one is meant only where the name is the same to the ear.
  std::optional<Guessed> written_otherwise() {
    auto guessed = found(*selected_, how_, 0, 0);
    const std::string was = spoken(recorded_identity(step_.selectors).name);
    const bool same_words = guessed && was == spoken(finder_.identity(*selected_, deadline_).name);
    return same_words ? guessed : std::nullopt;
  }

  std::optional<Guessed> found(const Element& element, const std::string& how, double score,
                               double margin) {
    const Identity was = recorded_identity(step_.selectors),
                   now = finder_.identity(element, deadline_);
    if (!was.role.empty() && was.role != now.role) return std::nullopt;
    const auto said = [](const Identity& id) {
      return fmt::format("{}{}\"{}\"", id.role, id.role.empty() ? "" : " ", id.name);
    };
    return Guessed{element, {said(was), said(now), how, score, margin}};
  }

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Step& step_;
  const Deadline deadline_;
  std::optional<Element> selected_;
  std::string how_;
  bool differ_ = false;
};

}  // namespace

std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Step& step,
                                     const std::optional<ElementTraits>& traits,
                                     const std::vector<Step>& steps, Deadline deadline) {
  auto guessed = Guessing(browser, frame, step, deadline).guess(traits);
  if (!guessed) return std::nullopt;
  const Identity was = recorded_identity(step.selectors);
  const Identity now = Finder(browser).identity(guessed->element, deadline);
  const auto is = [&](const Identity& id) {
    return id.name == now.name && (id.role.empty() || id.role == now.role);
  };
  const bool taken = !now.name.empty() && !is(was) &&
                     std::any_of(steps.begin(), steps.end(), [&](const Step& other) {
                       return is(recorded_identity(other.selectors));
                     });
  if (taken) return std::nullopt;
  return guessed;
}

}  // namespace hebb::skill
