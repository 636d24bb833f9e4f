#include "skill/replay/agree.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hebb::skill {
namespace {

bool says_place(const Selector& s) { return s.nth.has_value() || counts_places(s); }

// Whether it goes by an id or another name in the page's code, and not by what people read.
bool says_code(const Selector& s) {
  constexpr auto kRead = std::to_array<std::string_view>(
      {"aria-label", "placeholder", "title=", "alt=", "text()", "contains(", "value="});
  const bool read = std::any_of(kRead.begin(), kRead.end(), [&](std::string_view said) {
    return s.value.find(said) != std::string::npos;
  });
  return s.type == SelectorType::test_id || (is_structural(s.type) && !says_place(s) && !read);
}

// What one selector finds, seen from the chosen element.
struct Seen {
  std::size_t selector = 0;
  std::vector<Element> elements;
  bool same = false;        // the element is among them
  bool rival = false;       // one of them is of the element's kind
  std::string called = {};  // the first of them that is another one
  Element other = {};
};

class Comparing {
 public:
  Comparing(Browser& browser, const Chain& chain, std::size_t chosen, const Element& element,
            Deadline deadline)
      : browser_(browser),
        finder_(browser),
        chain_(chain),
        chosen_(chosen),
        element_(element),
        deadline_(deadline) {}

  Agreement compare(const std::function<bool(const std::string&)>& stood_beside) {
    look();
    Agreement result;
    bool confirmed = says_code(chain_[chosen_]);
    for (const Seen& s : seen_) {
      if (s.same && s.elements.size() == 1) result.agreed.push_back(s.selector);
      confirmed = confirmed || (s.same && says_code(chain_[s.selector]));
    }
    for (const Seen& s : seen_) {
      if (s.same) continue;
      const bool place = says_place(chain_[s.selector]);
      const bool moved = s.elements.size() != 1 || confirmed || !s.rival ||
                         (stood_beside && stood_beside(s.called));
      if (place && moved) continue;
      result.against = said(s);
      return result;
    }
    return result;
  }

 private:
  // One question to the page for all that was found.
  void look() {
    Json given = Json::array({element_.reference()});
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      if (i == chosen_) continue;
      auto elements = finder_.find(element_.frame, chain_[i], deadline_);
      if (elements.empty()) continue;
      for (const Element& e : elements) given.push_back(e.reference());
      seen_.push_back({i, std::move(elements)});
    }
    if (seen_.empty()) return;
    const Json related = browser_.run(
        element_.frame, "(e, ...all) => all.map((o) => __hebb.related(e, o))", given, deadline_);
    if (!related.is_array() || related.size() + 1 != given.size())
      throw CdpRefused("the page has changed");
    std::size_t at = 0;
    for (Seen& s : seen_) {
      for (const Element& e : s.elements) {
        const Json& said = related.at(at++);
        const bool same = said.value("same", Json()) == true;
        s.same = s.same || same;
        s.rival = s.rival || said.value("like", Json()) == true;
        if (same || !s.other.object.empty()) continue;
        s.other = e;
        s.called = text_member(said, "called");
      }
    }
  }

  std::string said(const Seen& s) {
    const auto named = [&](const Element& e) {
      const Identity id = finder_.identity(e, deadline_);
      return fmt::format("{} \"{}\"", id.role, id.name);
    };
    const std::string others =
        s.elements.size() == 1 ? "" : fmt::format("{} others, such as ", s.elements.size());
    return fmt::format("the selectors contradict each other: {} finds {}; {} finds {}{}",
                       describe(chain_[chosen_]), named(element_), describe(chain_[s.selector]),
                       others, named(s.other));
  }

  Browser& browser_;
  Finder finder_;
  const Chain& chain_;
  const std::size_t chosen_;
  const Element& element_;
  const Deadline deadline_;
  std::vector<Seen> seen_;
};

}  // namespace

Agreement agreement(Browser& browser, const Chain& chain, std::size_t chosen,
                    const Element& element,
                    const std::function<bool(const std::string& called)>& stood_beside,
                    Deadline deadline) {
  if (chain.size() == 1) return {};
  return Comparing(browser, chain, chosen, element, deadline).compare(stood_beside);
}

}  // namespace hebb::skill
