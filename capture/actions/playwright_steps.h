// Recorded browser calls as statements of a Playwright test.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "capture/actions/row.h"

namespace hebb::capture {

// The elements of a page, by the ref or uid that tools use, as read from a session's snapshots.
class PageElements {
 public:
  struct Element {
    std::string role, name;
    std::size_t before = 0;  // number of elements with the same role and name before it
    bool alone = true;       // no other element has the same role and name
  };

  void see(std::string_view result_text);
  const Element* find(const std::string& ref) const;

 private:
  std::map<std::string, Element> elements_;  // of the last snapshot
};

// The calls of one session, in the order they happened.
class Replay {
 public:
  // Statements to await for a call that succeeded, from the code that Playwright MCP reports, else
  // from the arguments. Empty: a call that a test does not need. nullopt: it cannot be replayed.
  std::optional<std::vector<std::string>> steps(const ActionRow& row);

 private:
  PageElements elements_;
};

}  // namespace hebb::capture
