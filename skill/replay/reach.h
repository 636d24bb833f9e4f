// Which addresses a run may open: those of its skill, and those that whoever asks for it has named.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skill/browser/process.h"

namespace hebb::skill {

// An address's origin; of a pattern, such as https://*.example.com, one for each scheme that it
// may mean. A port that is not spelled is that of the scheme, or any after a host that ends with *.
// Empty: it is no address or pattern of http or https, or nobody can be sure how it is read.
std::vector<OpenOrigin> read_origin(std::string_view address, bool pattern);

// What has to be known of a skill's addresses before any is opened.
class Reach {
 public:
  // `own`: the skill's addresses. The first one that is one of a site or a file says which of both
  // the skill is one of. `others`: patterns. `limits`: what all of them have to be within.
  // Throws Invalid.
  Reach(const std::vector<std::string>& own, const std::vector<std::string>& others,
        const std::optional<std::vector<std::string>>& limits);
  Reach() = default;  // nothing

  // Why an address may not be opened; empty: it may.
  std::string why_not(std::string_view url) const;
  bool allows(std::string_view url) const { return why_not(url).empty(); }
  // Whether all that an address or a pattern stands for is within the limits.
  bool within_limits(std::string_view address, bool pattern) const;
  const std::vector<OpenOrigin>& open() const { return open_; }  // in order, each once

 private:
  void add(const std::vector<OpenOrigin>& origins);

  std::vector<OpenOrigin> open_;
  std::optional<std::vector<OpenOrigin>> limits_;
  bool files_ = false;
};

// Whether it is an address of a site or a file, and so says what the skill is one of.
bool is_place(std::string_view url);

}  // namespace hebb::skill
