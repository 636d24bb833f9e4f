// Which page of the browser a recorded call is about: servers list their pages in their results.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// Tabs have numbers in the order in which they were opened; 0 is the page of the first step.
class Tabs {
 public:
  // Reads the list of pages in a result, if it has one.
  void see(std::string_view result_text);

  // The tab of a call with these arguments; nullopt: unknown, or not opened by the session.
  std::optional<std::int64_t> of(const Json& args) const;
  void begin(const Json& args);  // the call makes the first step: its page is tab 0

  // The tab that a call closes; nullopt as above.
  std::optional<std::int64_t> close(const Json& args);

 private:
  void see_places(const std::vector<std::string_view>& lines);
  void see_ids(const std::vector<std::string_view>& lines);
  bool has_ids(const Json& args) const;
  std::int64_t id_of(const Json& args) const;

  std::int64_t next_ = 1;
  // @playwright/mcp: the tabs by their positions in the list, which change when one is closed.
  std::vector<std::int64_t> places_{0};
  std::size_t current_ = 0;
  bool lost_ = false;  // a page was closed, and it is unknown which
  // chrome-devtools-mcp: each page keeps its id.
  std::map<std::int64_t, std::int64_t> tabs_;  // by id
  std::set<std::int64_t> before_;              // ids of pages from before the first step
  std::int64_t selected_ = 0;                  // an id; 0: none
};

}  // namespace hebb::skill
