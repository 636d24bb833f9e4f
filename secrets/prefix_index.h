// Finds which of many texts may begin at a position. At most positions a look at three bytes
// excludes all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/ascii.h"

namespace hebb::secrets {

class PrefixIndex {
 public:
  static constexpr std::size_t kStart = 3;  // bytes of the shortest prefix

  PrefixIndex() { heads_.fill(kNone); }

  void add(std::string_view prefix, std::uint16_t number) {
    std::uint16_t& head = heads_[hash_of(prefix.data())];
    links_.push_back({number, head});
    head = static_cast<std::uint16_t>(links_.size() - 1);
  }

  // Whether each() may find a prefix.
  bool has(std::string_view text) const {
    return text.size() >= kStart && heads_[hash_of(text.data())] != kNone;
  }

  // Calls `look` with the number of each prefix that `text` may begin with.
  template <typename Look>
  void each(std::string_view text, Look look) const {
    if (text.size() < kStart) return;
    for (std::uint16_t i = heads_[hash_of(text.data())]; i != kNone; i = links_[i].next) {
      look(links_[i].number);
    }
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;
  static constexpr int kBits = 12;
  struct Link {
    std::uint16_t number = 0, next = kNone;
  };
  static std::size_t hash_of(const char* start) {
    const auto byte = [&](int i) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(start[i]));
    };
    return (byte(0) | byte(1) << 8 | byte(2) << 16) * 2654435761u >> (32 - kBits);
  }

  std::array<std::uint16_t, 1 << kBits> heads_;  // in links_, by the hash of three bytes
  std::vector<Link> links_;
};

// Words of three bytes or more, to be found anywhere in a text.
class WordSet {
 public:
  void add(std::string_view word) {
    index_.add(word, static_cast<std::uint16_t>(words_.size()));
    words_.emplace_back(word);
  }

  // The length of the longest word that begins at `at`; 0: none does.
  std::size_t match(std::string_view text, std::size_t at) const {
    const std::string_view rest = text.substr(at);
    std::size_t length = 0;
    index_.each(rest, [&](std::uint16_t i) {
      if (words_[i].size() > length && rest.starts_with(words_[i])) length = words_[i].size();
    });
    return length;
  }

  bool occurs_in(std::string_view text) const {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (match(text, at) > 0) return true;
    }
    return false;
  }

 private:
  PrefixIndex index_;
  std::vector<std::string> words_;
};

}  // namespace hebb::secrets
