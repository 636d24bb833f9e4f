#include "secrets/phrases.h"

#include <algorithm>
#include <utility>

#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kPlaceBytes = 128;   // of a word in place of a *
constexpr std::size_t kPromptBytes = 160;  // how far before the answer a prompt may stand

// The length of the word that begins a text; 0: there is none, or it is too long.
std::size_t word_length(std::string_view text) {
  const std::string_view near = text.substr(0, kPlaceBytes);
  if (!near.empty() && is_quote(near.front())) {
    const std::size_t close = near.find(near.front(), 1);
    return close == std::string_view::npos ? 0 : close + 1;
  }
  const std::size_t end = near.find_first_of(" \t\r\n");
  return end == std::string_view::npos ? 0 : end;
}

// The length of the text that matches the rest of a phrase; npos: none. `word`: the match of the
// last *.
std::size_t rest_length(std::string_view text, std::string_view rest, std::string_view& word) {
  std::size_t at = 0;
  for (const char c : rest) {
    std::size_t length = 0;
    if (c == '*') {
      length = word_length(text.substr(at));
      word = text.substr(at, length);
    } else if (c == ' ') {
      const std::size_t end = text.find_first_not_of(" \t", at);
      length = std::min(end, text.size()) - at;
    } else if (at < text.size() && to_lower(text[at]) == c) {
      length = 1;
    }
    if (length == 0) return std::string_view::npos;
    at += length;
  }
  return at;
}

// Whether a prompt stands shortly before `at`, and has not been answered yet.
bool is_asked(std::string_view text, std::size_t at, const Phrase& phrase) {
  const std::string_view before = text.substr(0, at).substr(at - std::min(at, kPromptBytes));
  const std::size_t prompt = before.rfind(phrase.answers);
  return prompt != std::string_view::npos &&
         before.find(phrase.text, prompt) == std::string_view::npos;
}

}  // namespace

void PhraseSet::add(Phrase phrase) {
  index_.add(to_lower(phrase.text), static_cast<std::uint16_t>(phrases_.size()));
  phrases_.push_back(std::move(phrase));
}

std::vector<PhraseSet::Match> PhraseSet::match(std::string_view text, std::size_t at) const {
  std::vector<Match> found;
  const std::string_view here = text.substr(at);
  if (here.size() < PrefixIndex::kStart) return found;
  const char start[] = {to_lower(here[0]), to_lower(here[1]), to_lower(here[2])};
  index_.each({start, PrefixIndex::kStart}, [&](std::uint16_t i) {
    const Phrase& phrase = phrases_[i];
    const bool begins = phrase.any_case ? starts_with_ignoring_case(here, phrase.text)
                                        : here.starts_with(phrase.text);
    if (!begins || (!phrase.answers.empty() && !is_asked(text, at, phrase))) return;
    const std::size_t size = phrase.text.size();
    std::string_view word;
    const std::size_t rest = rest_length(here.substr(size), phrase.rest, word);
    if (rest == std::string_view::npos) return;
    if (word.size() > 1 && is_quote(word.front())) word = word.substr(1, word.size() - 2);
    found.push_back({&phrase, size + rest, word});
  });
  std::sort(found.begin(), found.end(),
            [](const Match& a, const Match& b) { return a.length > b.length; });
  return found;
}

}  // namespace hebb::secrets
