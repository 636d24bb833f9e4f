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
};

// The role and name of a chain's element; either may be empty.
Identity recorded_identity(const Chain& chain);

// The text as people see it: each run of blanks becomes one, and the ends have none.
std::string squeeze(std::string_view text);

// The text {"value": "button"} of a member of an accessibility node, such as its role; empty: it
// has none.
std::string value_in(const Json& node, const char* key);

class Finder {
 public:
  // `begins`: an inexact selector also finds texts that begin with its words: for selectors that a
  // person wrote.
  explicit Finder(Browser& browser, bool begins = false) : browser_(browser), begins_(begins) {}

  // All elements that the selector finds in the frame, in document order. Empty also for an invalid
  // selector. Throws CdpTimeout, BrowserGone.
  std::vector<Element> find(const std::string& frame, const Selector& selector, Deadline deadline);
  // Likewise, the elements of each selector of the chain; selectors that need a single query are
  // sent together.
  std::vector<std::vector<Element>> find_all(const std::string& frame, const Chain& chain,
                                             Deadline deadline);

  // Role and name in the accessibility tree; also as a command for call_all(), with the reader of
  // its answer.
  Identity identity(const Element& element, Deadline deadline);
  Command identity_command(const Element& element);
  static Identity identity_of(const Json& answer);

  // Form fields and buttons of a frame, with their roles and names. Throws CdpRefused if the page
  // is too large to be read.
  std::vector<Identity> controls(const std::string& frame, Deadline deadline);

 private:
  std::vector<Element> find_in(const std::string& frame, const Selector& selector,
                               const std::optional<Element>& root, Deadline deadline);
  std::vector<Element> by_accessibility(const std::string& frame, const Selector& selector,
                                        const std::optional<Element>& root, Deadline deadline);
  std::vector<std::vector<Element>> by_script(const std::string& frame, const Json& selectors,
                                              const std::optional<Element>& root,
                                              Deadline deadline);
  // Accessibility.queryAXTree in the frame with each of the params.
  std::vector<Json> query_tree(const std::string& frame, const std::vector<Json>& params,
                               Deadline deadline);
  std::vector<Element> elements_of_nodes(const std::string& frame, const std::vector<Json>& ids,
                                         Deadline deadline);
  Json in_json(const Selector& selector) const;  // in the form of the page's functions
  // The elements for which the page's function is true.
  std::vector<Element> kept(const std::string& function, const Json& argument,
                            std::vector<Element> elements, Deadline deadline);

  Browser& browser_;
  const bool begins_;
};

}  // namespace hebb::skill
