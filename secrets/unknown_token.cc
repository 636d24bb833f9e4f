// Tokens of formats that are not in the table.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "secrets/format.h"
#include "secrets/rules.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kWordBytes = 12;    // of a word in a prefix
constexpr std::size_t kPrefixWords = 4;   // words of a prefix
constexpr std::size_t kLeast = 30;        // characters after a prefix without meaning
constexpr std::size_t kLeastHinted = 18;  // … after a prefix that hints at a secret
constexpr std::size_t kLeastPlain = 24;   // … the same, if it has no upper-case letters
constexpr std::size_t kLeastRun = 12;     // without a sign

// A word of a prefix: letters of one case, and perhaps digits behind them.
bool is_prefix_word(std::string_view word) {
  const auto letters_end = std::find_if_not(word.begin(), word.end(), is_letter);
  const std::string_view letters =
      word.substr(0, static_cast<std::size_t>(letters_end - word.begin()));
  return !letters.empty() && word.size() <= kWordBytes &&
         std::all_of(letters_end, word.end(), is_digit) && word.size() - letters.size() <= 2 &&
         (std::all_of(letters.begin(), letters.end(), is_lower) ||
          std::all_of(letters.begin(), letters.end(), is_upper));
}

struct Prefix {
  std::size_t length = 0;  // with the sign after it
  bool hint = false, faint = false, thing = false;
};

Prefix prefix_of(std::string_view word) {
  Prefix prefix;
  for (std::size_t words = 0; words < kPrefixWords; ++words) {
    const std::size_t end = word.find_first_of("_-", prefix.length);
    if (end == std::string_view::npos) break;
    const std::string_view part = word.substr(prefix.length, end - prefix.length);
    if (!is_prefix_word(part)) break;
    const std::string folded = to_lower(part);
    const auto ends = [&](std::string_view with) { return folded.ends_with(with); };
    prefix.hint = prefix.hint || rules().has(List::token_hints, folded) || ends("key") ||
                  ends("token") || ends("secret");
    prefix.faint = prefix.faint || rules().has(List::faint_hints, folded);
    prefix.thing = prefix.thing || rules().has(List::public_prefixes, folded);
    prefix.length = end + 1;
  }
  return prefix;
}

std::size_t longest_run(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = is_alnum(c) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

bool is_unknown_token(std::string_view word) {
  if (word.size() < kLeastHinted + 2) return false;
  const Prefix prefix = prefix_of(word);
  const std::string_view body = word.substr(prefix.length);
  if (prefix.length == 0 || prefix.thing || longest_run(body) < kLeastRun) return false;
  const bool hinted = prefix.hint || prefix.faint;
  if (body.size() >= (hinted ? kLeastHinted : kLeast) && is_random(body)) return true;
  // Digits and letters of one case: also a hash, which only a plain hint makes a secret.
  const auto digits = std::count_if(body.begin(), body.end(), is_digit);
  const auto letters = std::count_if(body.begin(), body.end(), is_letter);
  return prefix.hint && longest_run(body) >= kLeastPlain && digits >= 4 && letters >= 4;
}

bool names_thing(std::string_view word) { return prefix_of(word).thing; }

}  // namespace hebb::secrets
