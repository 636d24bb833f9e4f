#include "engine/values/did_you_mean.h"

#include <algorithm>
#include <vector>

namespace hebb {

namespace {

constexpr std::size_t kTypedMax = 64;  // longer than any name

// Optimal string alignment: Levenshtein's distance, with swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

}  // namespace

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  if (typed.size() > kTypedMax) return {};
  const std::string_view word = without_dashes(typed);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  bool tied = false;
  for (const std::string& name : names) {
    const bool begins = word.size() >= 3 && without_dashes(name).starts_with(word);
    const std::size_t far = begins ? 0 : distance(word, without_dashes(name));
    if (far > least || (far == least && best.empty())) continue;
    tied = far == least;
    if (tied) continue;
    least = far;
    best = name;
  }
  return tied ? std::string() : best;
}

std::string did_you_mean_text(std::string_view typed, std::span<const std::string> names) {
  const std::string meant = did_you_mean(typed, names);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace hebb
