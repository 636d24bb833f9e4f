#include "skill/replay/guess.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/resolve.h"

namespace hebb::skill {
namespace {

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
  Guessing(Browser& browser, const std::string& frame, const Chain& chain,
           const ElementTraits* traits, Deadline deadline)
      : browser_(browser),
        finder_(browser),
        frame_(frame),
        chain_(chain),
        traits_(traits),
        deadline_(deadline) {}

  std::optional<Guessed> guess() {
    by_selectors();
    if (differ_) return std::nullopt;
    if (auto entry = in_entry()) return entry;
    return traits_ == nullptr ? written_otherwise() : by_signs();
  }

 private:
  // The page's choice: of the recorded kind, by two signs that do not depend on each other.
  std::optional<Guessed> by_signs() {
    const Json best =
        browser_.run(frame_, "(t, coded) => __hebb.guess(t, coded)",
                     {write_traits(*traits_), selected_ ? selected_->reference() : Json(nullptr)},
                     deadline_, false);
    const Frame* f = browser_.frame(frame_);
    if (f == nullptr || !best.contains("objectId")) return std::nullopt;
    const Json members = browser_.call("Runtime.getProperties",
                                       {{"objectId", best["objectId"]}, {"ownProperties", true}},
                                       f->session, deadline_);
    Json of = Json::object();
    for (const Json& member : members.value("result", Json::array()))
      of[text_member(member, "name")] = member.value("value", Json::object());
    const auto number = [&](const char* key) { return of[key].value("value", 0.0); };
    const Element e{frame_, text_member(of["element"], "objectId")};
    if (e.object.empty() || !agrees(e)) return std::nullopt;
    return found(e, text_member(of["how"], "value"), number("score"), number("margin"));
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
    const std::function<bool(const std::string&)> unknown;
    if (!Resolver(browser_, frame_, chain_, traits_, false, unknown, deadline_)
             .difference(element, true)
             .empty())
      return std::nullopt;
    const Identity was = recorded_identity(chain_), now = finder_.identity(element, deadline_);
    const auto said = [](const Identity& id) {
      return fmt::format("{}{}\"{}\"", id.role, id.role.empty() ? "" : " ", id.name);
    };
    return Guessed{element, {said(was), said(now), how, score, margin}};
  }

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Chain& chain_;
  const ElementTraits* traits_;
  const Deadline deadline_;
  std::optional<Element> selected_;
  std::string how_;
  bool differ_ = false;
};

}  // namespace

std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const ElementTraits* traits, const std::vector<Step>& steps,
                                     Deadline deadline) {
  auto guessed = Guessing(browser, frame, chain, traits, deadline).guess();
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
