#include "engine/input/closing_reasons.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <utf8proc.h>

#include "engine/values/ascii.h"

namespace hebb::input {

namespace {

// Phrases are written as words_of() writes them: small letters, no apostrophes.

// Each decides wherever a text begins with it.
constexpr auto kPhrasesOfNotDone = std::to_array<std::string_view>({
    "as designed",
    "as expected",
    "as intended",
    "behaves as designed",
    "behaves as expected",
    "behaves as intended",
    "by accident",
    "by design",
    "by mistake",
    "can not be reproduced",
    "can not reproduce",
    "cannot be reproduced",
    "cannot replicate",
    "cannot reproduce",
    "cant replicate",
    "cant reproduce",
    "could not reproduce",
    "couldnt reproduce",
    "covered by",
    "created by accident",
    "created by mistake",
    "created in error",
    "decided against",
    "decided not to",
    "does not reproduce",
    "doesnt reproduce",
    "dup of",
    "dupe of",
    "duplicated by",
    "expected behavior",
    "expected behaviour",
    "failed to reproduce",
    "insufficient data",
    "insufficient detail",
    "insufficient details",
    "insufficient info",
    "insufficient information",
    "intended behavior",
    "intended behaviour",
    "more info needed",
    "more information needed",
    "need info",
    "need more info",
    "need more information",
    "needs info",
    "needs more info",
    "needs more information",
    "no action needed",
    "no action required",
    "no activity",
    "no change needed",
    "no change required",
    "no feedback",
    "no fix",
    "no longer applicable",
    "no longer applies",
    "no longer necessary",
    "no longer needed",
    "no longer planned",
    "no longer relevant",
    "no longer reproducible",
    "no longer required",
    "no longer valid",
    "no longer wanted",
    "no repro",
    "no response",
    "not a bug",
    "not a defect",
    "not a problem",
    "not an issue",
    "not applicable",
    "not doing",
    "not done",
    "not feasible",
    "not fixed",
    "not implementing",
    "not in scope",
    "not necessary",
    "not needed",
    "not our bug",
    "not our problem",
    "not relevant",
    "not reproducible",
    "not required",
    "not valid",
    "not worth",
    "nothing to do",
    "opened by accident",
    "opened by mistake",
    "opened in error",
    "out of date",
    "out of scope",
    "replaced by",
    "same as",
    "subsumed by",
    "superseded by",
    "tracked by",
    "tracked in",
    "unable to reproduce",
    "will not be done",
    "will not be fixed",
    "will not do",
    "will not fix",
    "will not implement",
    "wont be done",
    "wont be fixed",
    "wont do",
    "wont fix",
    "wont implement",
    "wontdo",
    "wontfix",
    "working as designed",
    "working as expected",
    "working as intended",
    "works as designed",
    "works as expected",
    "works as intended",
    "works for me",
    "worksforme",
});

// These decide where they are all that a text says before it gives a reason: "Rejected: too large",
// but not "Rejected rows are kept".
constexpr auto kWordsOfNotDone = std::to_array<std::string_view>({
    "abandoned",  "auto closed",  "automatically closed",
    "canceled",   "canceling",    "cancelled",
    "cancelling", "declined",     "deferred",
    "deleted",    "denied",       "discarded",
    "dropped",    "dup",          "dupe",
    "duplicate",  "duplicated",   "expired",
    "external",   "inactive",     "incomplete",
    "invalid",    "irrelevant",   "later",
    "mistake",    "not possible", "obsolete",
    "obsoleted",  "on hold",      "outdated",
    "postponed",  "rejected",     "remind",
    "skipped",    "spam",         "stale",
    "superseded", "third party",  "timed out",
    "unresolved", "unwanted",     "withdrawn",
});

constexpr auto kPhrasesOfFailed = std::to_array<std::string_view>(
    {"could not be done", "could not be fixed", "gave up", "giving up", "not planned"});
constexpr auto kWordsOfFailed =
    std::to_array<std::string_view>({"failed", "failure", "unsuccessful"});

// Of a field.
constexpr auto kPhrasesOfDone = std::to_array<std::string_view>({
    "accepted",  "achieved",    "addressed", "answered",   "approved", "complete",
    "completed", "delivered",   "deployed",  "done",       "finished", "fix",
    "fixed",     "implemented", "merged",    "released",   "resolved", "shipped",
    "solved",    "succeeded",   "success",   "successful", "verified",
});

// What a text may say before its reason: "Closed as a duplicate", "This issue is stale".
constexpr auto kBefore = std::to_array<std::string_view>(
    {"a",          "an",       "as",        "bead",   "bug",    "close",   "closed", "closing",
     "is",         "issue",    "it",        "its",    "marked", "marking", "now",    "reason",
     "resolution", "resolved", "resolving", "status", "task",   "this",    "ticket", "was"});

// What may stand between a word of kWordsOfNotDone and more about it: "Stale issue, no repro".
constexpr auto kThings = std::to_array<std::string_view>(
    {"bead", "bug", "issue", "item", "report", "request", "story", "task", "ticket"});
constexpr auto kLinks = std::to_array<std::string_view>(
    {"after", "as", "because", "by", "due", "for", "of", "per", "see", "since", "to", "until"});

template <class All>
bool has(const All& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

// Of a character of UTF-8, which begins the text: how many bytes it has, and whether it is a letter
// or a digit of some script.
struct Character {
  std::size_t bytes = 1;
  bool is_word = false;
};
Character character_at(std::string_view text) {
  utf8proc_int32_t c = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &c);
  if (bytes < 1) return {};
  const utf8proc_category_t category = utf8proc_category(c);
  return {static_cast<std::size_t>(bytes),
          category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO};
}

// The words of a text in small letters, without apostrophes; "" stands for what separates them
// otherwise than a blank. joins: a hyphen within a word is a letter of it.
std::vector<std::string> words_of(std::string_view text, bool joins) {
  std::vector<std::string> words;
  bool goes_on = false;
  while (!text.empty()) {
    const Character c = character_at(text);
    const std::string_view letter = text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
    const bool is_hyphen = letter == "-" && (!joins || (goes_on && character_at(text).is_word));
    if (letter == "'" || letter == "\u2019") continue;
    const bool is_word = c.is_word || (is_hyphen && joins);
    if (is_word && !goes_on) words.emplace_back();
    if (is_word) words.back() += to_lower(letter);
    if (!is_word && !is_hyphen && trim(letter, " \t\r\n_").size() > 0) words.emplace_back();
    goes_on = is_word;
  }
  return words;
}

class Words {
 public:
  // joins: see words_of().
  Words(std::string_view text, bool is_field, bool joins)
      : is_field_(is_field), words_(words_of(text, joins)) {
    const auto is_before = [&](const std::string& word) {
      return word.empty() || (!is_field_ && has(kBefore, word) && &word != &words_.back());
    };
    while (at_ < words_.size() && is_before(words_[at_])) ++at_;
  }

  template <class All>
  bool begin_with(const All& all) const {
    return std::any_of(all.begin(), all.end(),
                       [&](std::string_view phrase) { return end_of(phrase) != 0; });
  }
  // And nothing else, but for a reason.
  template <class All>
  bool are(const All& all) const {
    return std::any_of(all.begin(), all.end(), [&](std::string_view phrase) {
      const std::size_t end = end_of(phrase);
      return end != 0 && (is_field_ || is_all(end));
    });
  }

 private:
  // Behind the phrase; 0: it does not begin with it.
  std::size_t end_of(std::string_view phrase) const {
    std::size_t at = at_;
    while (!phrase.empty()) {
      const std::string_view word = phrase.substr(0, phrase.find(' '));
      if (at == words_.size() || words_[at++] != word) return 0;
      phrase.remove_prefix(std::min(word.size() + 1, phrase.size()));
    }
    return at;
  }

  bool is_all(std::size_t at) const {
    const auto word = [&] { return at < words_.size() ? std::string_view(words_[at]) : ""; };
    if (has(kThings, word())) ++at;
    const bool is_favor =
        word() == "in" && at + 1 < words_.size() && words_[at + 1].starts_with("favo");
    return word().empty() || is_favor || has(kLinks, word());
  }

  bool is_field_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;  // of the first that is not in kBefore
};

// "out-of-scope" are three words, whereas "stale-cache" is one in which "stale" is not all.
ClosingReason reason_of(const Words& words, const Words& joined, ClosingReason otherwise) {
  if (words.begin_with(kPhrasesOfNotDone) || joined.are(kWordsOfNotDone))
    return ClosingReason::not_done;
  if (words.begin_with(kPhrasesOfFailed) || joined.are(kWordsOfFailed))
    return ClosingReason::failed;
  return otherwise;
}

}  // namespace

ClosingReason reason_of_text(std::string_view reason) {
  return reason_of(Words(reason, false, false), Words(reason, false, true), ClosingReason::done);
}

ClosingReason reason_of_field(std::string_view reason) {
  const Words words(reason, true, false);
  const bool is_done = reason.empty() || words.begin_with(kPhrasesOfDone);
  return reason_of(words, words, is_done ? ClosingReason::done : ClosingReason::unknown);
}

}  // namespace hebb::input
