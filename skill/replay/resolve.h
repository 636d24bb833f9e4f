// Which element of a page is the one that was recorded, so that a replay never has to guess.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "skill/browser/element.h"
#include "skill/store/traits.h"

namespace hebb::skill {

struct Resolution {
  std::optional<Element> element;
  std::size_t selector = 0;         // of the chain: the one that has found it; its size: none
  std::string why;                  // why there is none
  bool contradicted = false;        // some were found, and they differ
  bool gone = false;                // no selector finds anything, but for those that say a place
  std::vector<std::size_t> agreed;  // the other selectors that find the element alone
};

// Compares elements of one frame with what was recorded of one: its role and name, its row, its
// form field, and whether an id only counts its place. Replay and the focus ask nothing else.
class Resolver {
 public:
  // `known`: what the element was like; nullptr: only the chain says. `alternatives`: the chain is
  // what a person has said, to be tried in order: nothing was recorded. `of_other_step`: whether
  // something of this name is the element of another step.
  Resolver(Browser& browser, const std::string& frame, const Chain& chain,
           const ElementTraits* known, bool alternatives,
           const std::function<bool(const std::string& called)>& of_other_step, Deadline deadline);

  // The element that a selector of the chain finds alone, if it is the recorded one. The others
  // have to mean the same: one that finds nothing, or several of which one is the element, does; so
  // does what is a part of the element, or its label. One that counts siblings or names parents
  // says only where an element stands: it contradicts a name that nothing else confirms, where in
  // that place stands an element of the same kind that is not known as another one, and no
  // neighbour of the element is the recorded one. Where no selector finds it any more, it is the
  // only element of the recorded role and name in its row, or on the page if nothing of its name
  // stood beside it. Throws CdpTimeout, CdpRefused, BrowserGone.
  Resolution resolve();

  // Why the element is not the recorded one; empty: it is.
  std::string difference(const Element& element);

 private:
  struct Seen {
    std::string why;
    Json related = Json::array();
    std::string reads;          // what stands on it, where no word of that is in its name
    std::string new_neighbour;  // a new control beside it that may be the recorded one
  };
  Resolution by_chain();
  std::string judge(const Element& e, const Selector& by, Resolution& result);
  Seen compare(const Element& e, const Selector* by);
  std::string other_identity(const Identity& seen, const Selector* by) const;
  std::string contradiction(const Element& e, const Selector& chosen, const Seen& seen,
                            std::vector<std::size_t>& agreed);
  std::string said(const Element& e, const Selector& chosen, std::size_t other,
                   const Element& rival);

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Chain& chain_;
  const bool alternatives_;
  const std::function<bool(const std::string&)>& of_other_step_;
  const Deadline deadline_;
  Identity identity_;                      // that was recorded; either may be empty
  Json recorded_;                          // the rest of it, for the page
  std::vector<std::vector<Element>> all_;  // what each selector finds
};

}  // namespace hebb::skill
