// The format of a kind of token, as its issuer publishes it, and the search for all formats at
// once.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/prefix_index.h"

namespace hebb::secrets {

using CharacterSet = std::bitset<256>;

// A shape is text with groups: "SG.{name 16-22}.{name 30-43}". A group has an alphabet and a number
// of characters: "36", or "20-36" where fewer are enough, since the token may have been cut.
// Alphabets: digit, hex, lower, upper (both with digits), alnum, name (alnum _ -), base64, token
// (base64 and _ - . ~), or the characters themselves: "{[MNO] 1}". {uuid} is all five groups of
// one.
class Shape {
 public:
  // Throws std::invalid_argument saying what is wrong with the text.
  explicit Shape(std::string_view text);

  // The text that every token begins with; empty if the first part is a group.
  std::string_view prefix() const { return parts_.front().literal; }
  // The characters that a token may begin with.
  CharacterSet first() const;
  // The number of word characters (with kReachSigns) at the beginning of every token.
  std::size_t reach() const;
  // The length of the token that begins `text`; 0: none does. A token may be longer than published,
  // unless `exact`. O(length).
  std::size_t match(std::string_view text, bool exact) const;

  struct Part {
    std::string literal;
    CharacterSet set;        // the characters of a group
    std::string characters;  // the same in order
    std::size_t least = 0, most = 0;
  };
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

struct Format {
  std::string name, source;  // source: where the issuer describes it
  Shape shape;
  bool exact = false;  // a longer word is no token
  bool mixed = false;  // the prefix is an ordinary word: the rest has letters and digits
};

// Whether a word looks made at random: letters of both cases and digits that change often.
bool is_random(std::string_view word);

// Whether a word of unknown format looks like a token: a prefix, a sign, and random characters.
// Lists of words have prefixes that are evidence for or against it.
bool is_unknown_token(std::string_view word);

// Whether a word's prefix says that it names a thing or is public: price_…, pk_live_….
bool names_thing(std::string_view word);

// The character before a token: the end of another word, a sign within one, or anything else.
enum class Before : std::uint8_t { word, sign, other };

// The signs of words, besides letters and digits.
inline constexpr std::string_view kReachSigns = "_-.~+/=";

// Searches for all formats in one pass.
class FormatIndex {
 public:
  void add(const Format& format, std::size_t number);

  // Whether a format with a long prefix may begin here: only then, and where a word begins, match()
  // has to be asked.
  bool may_begin(std::string_view text) const { return index_.has(text); }

  // The length of the token that begins `text`; 0: none does. Behind a word only formats count
  // whose prefix is no part of one, and behind a sign those whose prefix is no ordinary word.
  // `reach`: the length of the word of kReachSigns that begins `text`.
  std::size_t match(const std::vector<Format>& formats, std::string_view text, Before before,
                    std::size_t reach) const;

 private:
  struct Short {
    std::size_t reach = 0;
    std::uint16_t number = 0;
  };
  PrefixIndex index_;
  std::vector<bool> own_word_;  // by number: may follow a word directly
  std::array<std::vector<Short>, 256>
      short_;  // formats with a shorter prefix, by character and reach
};

}  // namespace hebb::secrets
