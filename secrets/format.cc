#include "secrets/format.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kMostCharacters = 4096;  // of a group

constexpr std::string_view kDigits = "0123456789", kLowerLetters = "abcdefghijklmnopqrstuvwxyz",
                           kUpperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::string alphabet(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    return std::string(name.substr(1, name.size() - 2));
  }
  // The cases and digits take turns, so that an example has all of them.
  std::string alnum;
  for (std::size_t i = 0; i < kLowerLetters.size(); ++i) {
    alnum += kLowerLetters[i];
    alnum += kUpperLetters[(i + 7) % kUpperLetters.size()];
    if (i < kDigits.size()) alnum += kDigits[i];
  }
  if (name == "digit") return std::string(kDigits);
  if (name == "hex") return "3a7f1c9e0b5d2846";
  if (name == "lower") return std::string(kDigits) + std::string(kLowerLetters);
  if (name == "upper") return std::string(kUpperLetters) + std::string(kDigits);
  if (name == "alnum") return alnum;
  if (name == "name") return alnum + "_-";
  if (name == "base64") return alnum + "+/=";
  if (name == "token") return alnum + "_-.~+/=";
  throw std::invalid_argument(
      fmt::format("\"{}\" is no alphabet; there are digit, hex, lower, upper, alnum, name, base64, "
                  "token and [characters]",
                  name));
}

std::size_t count_of(std::string_view text) {
  std::size_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || count == 0 ||
      count > kMostCharacters) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is no number of characters from 1 to {}", text, kMostCharacters));
  }
  return count;
}

bool has_digit_and_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit) &&
         std::any_of(text.begin(), text.end(), is_letter);
}

// Whether the prefix is so distinctive that the token may follow a word directly.
bool is_own_word(std::string_view prefix) {
  return prefix.size() > 3 && prefix.find_first_of("_-.") != std::string_view::npos;
}

}  // namespace

Shape::Shape(std::string_view given) {
  constexpr std::string_view kUuid = "{uuid}";
  std::string whole(given);
  for (std::size_t at = 0; (at = whole.find(kUuid)) != std::string::npos;) {
    whole.replace(at, kUuid.size(), "{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}");
  }
  std::string_view text = whole;
  while (!text.empty()) {
    Part& part = parts_.emplace_back();
    if (text.front() != '{') {
      part.literal = text.substr(0, text.find('{'));
      text.remove_prefix(part.literal.size());
      continue;
    }
    const std::size_t end = text.find('}');
    const std::size_t gap = end == std::string_view::npos ? end : text.substr(0, end).rfind(' ');
    if (gap == std::string_view::npos) {
      throw std::invalid_argument("a group is an alphabet, a space and a number: {alnum 36}");
    }
    part.characters = alphabet(text.substr(1, gap - 1));
    for (const char c : part.characters) part.set.set(static_cast<unsigned char>(c));
    const std::string_view counts = text.substr(gap + 1, end - gap - 1);
    const std::size_t dash = counts.find('-');
    part.least = count_of(counts.substr(0, dash));
    part.most = dash == std::string_view::npos ? part.least : count_of(counts.substr(dash + 1));
    if (part.most < part.least) throw std::invalid_argument("a group's numbers are the wrong way");
    text.remove_prefix(end + 1);
  }
  std::size_t least = 0;
  for (const Part& part : parts_) least += part.literal.size() + part.least;
  if (least < 8) throw std::invalid_argument("a token has at least 8 characters");
}

CharacterSet Shape::first() const {
  CharacterSet set = parts_.front().set;
  if (!prefix().empty()) set.set(static_cast<unsigned char>(prefix().front()));
  return set;
}

std::size_t Shape::reach() const {
  const auto of_word = [](char c) {
    return is_alnum(c) || kReachSigns.find(c) != std::string_view::npos;
  };
  std::size_t reach = 0;
  for (const Part& part : parts_) {
    const std::string& all = part.literal.empty() ? part.characters : part.literal;
    const auto other = std::find_if_not(all.begin(), all.end(), of_word);
    if (part.literal.empty() && other != all.end()) return reach;
    reach += part.literal.empty() ? part.least : static_cast<std::size_t>(other - all.begin());
    if (other != all.end()) return reach;
  }
  return reach;
}

std::size_t Shape::match(std::string_view text, bool exact) const {
  std::size_t at = 0;
  for (const Part& part : parts_) {
    if (!part.literal.empty()) {
      if (!text.substr(at).starts_with(part.literal)) return 0;
      at += part.literal.size();
      continue;
    }
    const bool bounded = &part != &parts_.back();
    const std::size_t begin = at;
    while (at < text.size() && part.set[static_cast<unsigned char>(text[at])] &&
           !(bounded && at - begin == part.most)) {
      ++at;
    }
    // A full stop after a token is not part of it.
    while (!bounded && at - begin > part.least && text[at - 1] == '.') --at;
    if (at - begin < part.least) return 0;
    if (exact && at - begin > part.most) return 0;
  }
  return exact && at < text.size() && is_alnum(text[at]) ? 0 : at;
}

bool is_random(std::string_view word) {
  std::size_t lower = 0, upper = 0, digits = 0, changes = 0, before = 0;
  for (const char c : word) {
    const std::size_t kind = is_lower(c) ? 1 : is_upper(c) ? 2 : is_digit(c) ? 3 : 4;
    lower += kind == 1;
    upper += kind == 2;
    digits += kind == 3;
    changes += before != 0 && kind != before;
    before = kind;
  }
  constexpr std::size_t kLeast = 16;
  return word.size() >= kLeast && lower >= 2 && upper >= 2 && digits >= 1 &&
         changes * 20 >= word.size() * 9;
}

void FormatIndex::add(const Format& format, std::size_t number) {
  const auto id = static_cast<std::uint16_t>(number);
  own_word_.resize(number + 1);
  own_word_[number] = is_own_word(format.shape.prefix());
  if (format.shape.prefix().size() >= PrefixIndex::kStart) {
    return index_.add(format.shape.prefix(), id);
  }
  const CharacterSet first = format.shape.first();
  const Short entry{format.shape.reach(), id};
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (!first[c]) continue;
    const auto after = [](const Short& a, const Short& b) { return a.reach < b.reach; };
    short_[c].insert(std::upper_bound(short_[c].begin(), short_[c].end(), entry, after), entry);
  }
}

std::size_t FormatIndex::match(const std::vector<Format>& formats, std::string_view text,
                               Before before, std::size_t reach) const {
  std::size_t best = 0;
  const auto look = [&](std::uint16_t number) {
    if (before == Before::word && !own_word_[number]) return;
    const Format& format = formats[number];
    if (before != Before::other && format.mixed) return;
    const std::size_t length = format.shape.match(text, format.exact);
    if (length <= best) return;
    const std::size_t prefix = format.shape.prefix().size();
    if (format.mixed && !has_digit_and_letter(text.substr(prefix, length - prefix))) return;
    best = length;
  };
  index_.each(text, look);
  if (before == Before::word) return best;
  for (const Short& entry : short_[static_cast<unsigned char>(text.front())]) {
    if (entry.reach > reach) break;
    look(entry.number);
  }
  return best;
}

}  // namespace hebb::secrets
