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

// What the snapshots of a session say of the elements that tools name by a ref or uid.
class PageElements {
 public:
  struct Element {
    std::string role, name;
    std::size_t before = 0;  // elements of the same role and name before it
    bool alone = true;       // none after it either
  };

  void see(std::string_view result_text);
  const Element* find(const std::string& ref) const;

 private:
  std::map<std::string, Element> elements_;  // of the last snapshot
};

// The calls of one session, in the order they happened.
class Replay {
 public:
  // Statements to await for a call that succeeded: what Playwright MCP says that it ran, else what
  // the arguments say. Empty: a call of which a test has nothing to do. nullopt: it cannot be
  // replayed.
  std::optional<std::vector<std::string>> steps(const ActionRow& row);

 private:
  PageElements elements_;
};

}  // namespace hebb::capture
