// The elements of a page, by the ref or uid that tools use, as read from a session's snapshots.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"

namespace hebb::skill {

class PageElements {
 public:
  struct Element {
    std::string role, name;  // text in the page has only a name
    std::size_t before = 0;  // number of elements with the same role and name before it
    bool alone = true;       // no other element of its frame has the same role and name
    std::vector<Chain> frames;
  };

  // Each snapshot replaces the previous one.
  void see(std::string_view result_text);
  const Element* find(const std::string& ref) const;

 private:
  std::map<std::string, Element> elements_;
};

// Selectors that find the element again; empty: the snapshot has too little about it.
Chain chain_of(const PageElements::Element& element);

}  // namespace hebb::skill
