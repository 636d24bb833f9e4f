// Finds the recorded element in a page, so that a replay never has to guess.
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
  std::size_t selector = 0;         // index in the chain of the one that found it; the size: none
  std::string why;                  // why there is none
  bool contradicted = false;        // selectors find different elements
  bool gone = false;                // no selector except by place finds anything
  std::vector<std::size_t> agreed;  // other selectors that find only the element
};

// Compares elements of one frame with a recorded one: its role and name, its row, its form field,
// and whether an id only counts its place. Replay and focus both decide by it.
class Resolver {
 public:
  // `known`: the recorded traits; nullptr: only the chain is known. `alternatives`: a person wrote
  // the chain, to be tried in order; nothing was recorded. `of_other_step`: whether this name is of
  // another step's element.
  Resolver(Browser& browser, const std::string& frame, const Chain& chain,
           const ElementTraits* known, bool alternatives,
           const std::function<bool(const std::string& called)>& of_other_step, Deadline deadline);

  // The element that a selector of the chain finds alone, if it is the recorded one. The other
  // selectors must agree: each finds nothing, several elements including this one, a part of it, or
  // its label. A selector that counts siblings or names parents only gives a place: it contradicts
  // an unconfirmed name if its place has another element of the same kind, unknown so far, and no
  // recorded neighbour is beside the found one. If no selector finds it any more, it is the only
  // element with the recorded role and name in its row, or on the page if the recording had no
  // other of that name. Throws CdpTimeout, CdpRefused, BrowserGone.
  Resolution resolve();

  // Why the element is not the recorded one; empty: it is.
  std::string difference(const Element& element);

 private:
  struct Seen {
    std::string why;
    Json related = Json::array();
    std::string reads;          // its visible text, if its name has no word of it
    std::string new_neighbour;  // a new control beside it that may be the recorded one
  };
  Resolution by_chain();
  std::string judge(const Element& e, const Selector& by, Resolution& result);
  Seen compare(const Element& e, const Selector* by);
  std::string other_identity(const Identity& seen, const Selector* by) const;
  std::string contradiction(const Element& e, const Selector& chosen, const Seen& seen,
                            std::vector<std::size_t>& agreed);
  std::string contradiction_text(const Element& e, const Selector& chosen, std::size_t other,
                                 const Element& rival);

  Browser& browser_;
  Finder finder_;
  const std::string& frame_;
  const Chain& chain_;
  const bool alternatives_;
  const std::function<bool(const std::string&)>& of_other_step_;
  const Deadline deadline_;
  Identity identity_;                      // recorded role and name; either may be empty
  Json recorded_;                          // the other recorded traits, for the page
  std::vector<std::vector<Element>> all_;  // the elements of each selector
};

}  // namespace hebb::skill
