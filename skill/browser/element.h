// Finding elements by selectors, and their role and name from the accessibility tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/browser/browser.h"

namespace hebb::skill {

// An element of a page; invalid once the page removes it.
struct Element {
  std::string frame;   // its id
  std::string object;  // a remote object of the frame's session, in hebb's world
  Json reference() const { return {{"objectId", object}}; }
};

struct Identity {
  std::string role, name;
  bool operator==(const Identity&) const = default;
};

// The role and name that a chain says its element has; either may be empty.
Identity recorded_identity(const Chain& chain);

// The text as people see it: each run of blanks becomes one, and none is left at the ends.
std::string squeeze(std::string_view text);

class Finder {
 public:
  explicit Finder(Browser& browser) : browser_(browser) {}

  // All elements that the selector finds in the frame, in document order. Empty also for a selector
  // that is not valid. Throws CdpTimeout, BrowserGone.
  std::vector<Element> find(const std::string& frame, const Selector& selector, Deadline deadline);

  // Role and name in the accessibility tree.
  Identity identity(const Element& element, Deadline deadline);

  // Form fields and buttons of a frame, with their roles and names. Throws CdpRefused if the page
  // is too large to be read.
  std::vector<Identity> controls(const std::string& frame, Deadline deadline);

 private:
  std::vector<Element> find_in(const std::string& frame, const Selector& selector,
                               const std::optional<Element>& root, Deadline deadline);
  std::vector<Element> by_accessibility(const std::string& frame, const Selector& selector,
                                        const std::optional<Element>& root, Deadline deadline);
  std::vector<Element> by_script(const std::string& frame, const Selector& selector,
                                 const std::optional<Element>& root, Deadline deadline);
  // Accessibility.queryAXTree in the frame with each of the params.
  std::vector<Json> query_tree(const std::string& frame, const std::vector<Json>& params,
                               Deadline deadline);
  std::vector<Element> elements_of_nodes(const std::string& frame, const std::vector<Json>& ids,
                                         Deadline deadline);
  std::string session_of(const std::string& frame);

  Browser& browser_;
};

}  // namespace hebb::skill
