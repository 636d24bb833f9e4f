// Which addresses a run may open: the skill's own, and those allowed in the request.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skill/browser/process.h"

namespace hebb::skill {

// An address's origin; of a pattern, such as https://*.example.com, one for each possible scheme.
// The default port is the scheme's, or any after a host that ends with *. Empty: no address or
// pattern of http or https, or an ambiguous one.
std::vector<OpenOrigin> read_origin(std::string_view address, bool pattern);

// The origins that a run may open, from all its addresses.
class Reach {
 public:
  // `own`: the skill's addresses. The first address of a site or a file decides whether the skill
  // is for sites or for files. `others`: patterns. `limits`: patterns that must include all of
  // them. Throws Invalid.
  Reach(const std::vector<std::string>& own, const std::vector<std::string>& others,
        const std::optional<std::vector<std::string>>& limits);
  Reach() = default;  // nothing

  // Why an address may not be opened; empty: it may.
  std::string why_not(std::string_view url) const;
  bool allows(std::string_view url) const { return why_not(url).empty(); }
  // Whether the limits include all origins of an address or a pattern.
  bool within_limits(std::string_view address, bool pattern) const;
  const std::vector<OpenOrigin>& open() const { return open_; }  // in order, each once

 private:
  void add(const std::vector<OpenOrigin>& origins);

  std::vector<OpenOrigin> open_;
  std::optional<std::vector<OpenOrigin>> limits_;
  bool files_ = false;
};

// Whether the address is of a site or a file, which decides the kind of the skill.
bool is_place(std::string_view url);

}  // namespace hebb::skill
