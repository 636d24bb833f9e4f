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

// What a function of the traits gives as {element, score, said, margin}.
std::optional<Similar> asked(Browser& browser, const std::string& frame, std::string_view script,
                             const ElementTraits& traits, Deadline deadline) {
  const Json remote =
      browser.run(frame, std::string(script), Json::array({write_traits(traits)}), deadline, false);
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
  Guessing(Browser& browser, const std::string& frame, const Chain& chain, Deadline deadline)
      : browser_(browser), finder_(browser), frame_(frame), chain_(chain), deadline_(deadline) {}

  std::optional<Guessed> guess(const std::optional<ElementTraits>& traits) {
    by_selectors();
    if (differ_) return std::nullopt;
    if (auto entry = in_entry()) return entry;
    if (!traits) return selected_ ? written_otherwise() : std::nullopt;
    const auto similar = asked(browser_, frame_, similar_script(), *traits, deadline_);
    if (similar && agrees(similar->element) && similar->passes(selected_ ? kAgreed : kAlone))
      return found(similar->element, selected_ ? how_ : "similar", similar->score, similar->margin);
    // Under another name, between the neighbours that it had.
    const auto placed = asked(browser_, frame_, "(t) => __hebb.standingNow(t)", *traits, deadline_);
    if (!placed || !agrees(placed->element)) return std::nullopt;
    return found(placed->element, selected_ ? how_ : "neighbours", placed->score, placed->margin);
  }

 private:
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

  bool agrees(const Element& e) { return !selected_ || same(*selected_, e); }

  // The one of the recorded name in the entry of a list that has the recorded texts: a table may
  // have become a list of cards.
  std::optional<Guessed> in_entry() {
    for (const Selector& s : chain_) {
      if (s.type != SelectorType::role_name || s.within.empty()) continue;
      Json given = Json::array({Json::array()});
      for (const Selector& outer : s.within) {
        if (outer.has_text.empty()) return std::nullopt;
        given[0].push_back(outer.has_text);
      }
      Selector inner = s;
      inner.within.clear();
      const auto elements = finder_.find(frame_, inner, deadline_);
      for (const Element& e : elements) given.push_back(e.reference());
      const Json at = browser_.run(frame_, "(texts, ...all) => __hebb.inEntry(texts, ...all)",
                                   given, deadline_);
      if (!at.is_number_unsigned() && !at.is_number_integer()) return std::nullopt;
      const Element& e = elements.at(at.get<std::size_t>());
      return agrees(e) ? found(e, "entry", 0, 0) : std::nullopt;
    }
    return std::nullopt;
  }

  bool same(const Element& a, const Element& b) {
    return browser_.run(frame_, "(a, b) => a === b", {a.reference(), b.reference()}, deadline_) ==
           true;
  }

  // Nothing is known of the element but its selectors: an id may since have gone to another one, so
  // it says which one is meant only where the name is the same to the ear.
  std::optional<Guessed> written_otherwise() {
    auto guessed = found(*selected_, how_, 0, 0);
    const std::string was = spoken(recorded_identity(chain_).name);
    const bool same_words = guessed && was == spoken(finder_.identity(*selected_, deadline_).name);
    return same_words ? guessed : std::nullopt;
  }

  std::optional<Guessed> found(const Element& element, const std::string& how, double score,
                               double margin) {
    const Identity was = recorded_identity(chain_), now = finder_.identity(element, deadline_);
    if (!was.role.empty() && was.role != now.role) return std::nullopt;
    const auto said = [](const Identity& id) {
      return fmt::format("{}{}\"{}\"", id.role, id.role.empty() ? "" : " ", id.name);
    };
    return Guessed{element, {said(was), said(now), how, score, margin}};
  }

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Chain& chain_;
  const Deadline deadline_;
  std::optional<Element> selected_;
  std::string how_;
  bool differ_ = false;
};

}  // namespace

std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const std::optional<ElementTraits>& traits,
                                     const std::vector<Step>& steps, Deadline deadline) {
  auto guessed = Guessing(browser, frame, chain, deadline).guess(traits);
  if (!guessed) return std::nullopt;
  const Identity was = recorded_identity(chain);
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
