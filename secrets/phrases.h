// Texts before a secret, with * for a word: "mc alias set * * * ".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/prefix_index.h"

namespace hebb::secrets {

struct Phrase {
  std::string text;          // up to the first *
  std::string rest;          // after it: * is a word, perhaps quoted, a blank any blanks
  bool is_command = false;   // the secret is an argument of a command, no word of a sentence
  bool any_case = true;      // the text is then in lower case
  std::string answers = {};  // the prompt, shortly before, that the secret answers
  bool named = false;        // the last * is the name of the secret
};

class PhraseSet {
 public:
  void add(Phrase phrase);

  struct Match {
    const Phrase* phrase = nullptr;
    std::size_t length = 0;
    std::string_view word;  // in place of the last *, without quotes
  };
  // The phrases that begin at `at`, the longest first. O(1).
  std::vector<Match> match(std::string_view text, std::size_t at) const;

 private:
  PrefixIndex index_;
  std::vector<Phrase> phrases_;
};

}  // namespace hebb::secrets
