#include "engine/input/closing_reasons.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <utf8proc.h>

#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::input {

namespace {

// Phrases are written as words_of() writes them: small letters, no apostrophes.

// Each decides wherever a text begins with it.
constexpr auto kPhrasesOfNotDone = std::to_array<std::string_view>({
    "already covered",
    "already tracked",
    "as designed",
    "as expected",
    "as intended",
    "behaves as designed",
    "behaves as expected",
    "behaves as intended",
    "by accident",
    "by design",
    "by mistake",
    "can no longer reproduce",
    "can not be reproduced",
    "can not reproduce",
    "cannot be reproduced",
    "cannot replicate",
    "cannot reproduce",
    "cant replicate",
    "cant reproduce",
    "could not reproduce",
    "couldnt reproduce",
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
    "no activity for",
    "no activity in",
    "no activity since",
    "no change needed",
    "no change required",
    "no feedback from",
    "no fix",
    "no longer a problem",
    "no longer an issue",
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
    "no response from",
    "not a bug",
    "not a defect",
    "not a problem",
    "not a real",
    "not an issue",
    "not applicable",
    "not completed",
    "not doing",
    "not done",
    "not feasible",
    "not finished",
    "not fixed",
    "not going to",
    "not implemented",
    "not implementing",
    "not in scope",
    "not necessary",
    "not needed",
    "not our bug",
    "not our problem",
    "not pursuing",
    "not relevant",
    "not reproducible",
    "not worth",
    "notabug",
    "nothing to do",
    "opened by accident",
    "opened by mistake",
    "opened in error",
    "out of scope",
    "redundant with",
    "reverted in",
    "rolled back",
    "same as above",
    "subsumed by",
    "superceded by",
    "superseded by",
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

// Words that decide only where nothing but a reason follows them: "Rejected: too large", but not
// "Rejected rows are kept".
constexpr auto kWordsOfNotDone = std::to_array<std::string_view>(
    {"abandoned",      "aborted",     "auto closed", "automatically closed",
     "canceled",       "canceling",   "cancelled",   "cancelling",
     "declined",       "deferred",    "deleted",     "denied",
     "discarded",      "dropped",     "dup",         "dupe",
     "duplicate",      "duplicated",  "expired",     "external",
     "false positive", "inactive",    "incomplete",  "infeasible",
     "invalid",        "irrelevant",  "later",       "mistake",
     "no activity",    "no feedback", "no response", "not possible",
     "not required",   "not valid",   "obsolete",    "obsoleted",
     "on hold",        "out of date", "outdated",    "postponed",
     "redundant",      "rejected",    "remind",      "skipped",
     "spam",           "stale",       "superceded",  "superseded",
     "third party",    "timed out",   "unresolved",  "unwanted",
     "withdrawn"});

// Words that decide where the id of another task follows: "Covered by bd-12", but not "Covered by
// unit tests".
constexpr auto kBeforeAnId = std::to_array<std::string_view>(
    {"covered by", "replaced by", "same as", "tracked by", "tracked in"});

constexpr auto kPhrasesOfFailed = std::to_array<std::string_view>({
    "cannot be done",
    "cannot be fixed",
    "cannot complete",
    "cannot fix",
    "cant be done",
    "cant be fixed",
    "cant complete",
    "cant fix",
    "cantfix",
    "could not be done",
    "could not be fixed",
    "could not complete",
    "could not finish",
    "could not fix",
    "could not implement",
    "couldnt complete",
    "couldnt fix",
    "failed to complete",
    "failed to finish",
    "failed to fix",
    "failed to implement",
    "gave up",
    "giving up",
    "not planned",
    "unable to complete",
    "unable to finish",
    "unable to fix",
    "unable to implement",
});
constexpr auto kWordsOfFailed =
    std::to_array<std::string_view>({"attempt failed", "build failed", "failed", "failure",
                                     "implementation failed", "tests failed", "unsuccessful"});

// Phrases of a field's value.
constexpr auto kPhrasesOfDone = std::to_array<std::string_view>({
    "accepted",  "achieved",    "addressed", "answered",   "approved", "complete",
    "completed", "delivered",   "deployed",  "done",       "finished", "fix",
    "fixed",     "implemented", "merged",    "released",   "resolved", "shipped",
    "solved",    "succeeded",   "success",   "successful", "verified",
});

// Words that a text may have before its reason: "Closed as a duplicate", "This issue is stale".
constexpr auto kBefore = std::to_array<std::string_view>(
    {"a",        "agent",  "an",         "appears",  "as",        "be",    "bead",
     "bug",      "close",  "closed",     "closing",  "i",         "is",    "issue",
     "it",       "its",    "likely",     "marked",   "marking",   "now",   "possibly",
     "probably", "reason", "resolution", "resolved", "resolving", "seems", "status",
     "task",     "this",   "ticket",     "to",       "user",      "was",   "we"});

// Words that may follow a word of kWordsOfNotDone: "Stale issue, no repro".
constexpr auto kThings = std::to_array<std::string_view>(
    {"attempt", "bead", "bug", "issue", "item", "report", "request", "story", "task", "ticket"});
constexpr auto kLinks = std::to_array<std::string_view>(
    {"after", "as", "because", "by", "due", "for", "of", "per", "see", "since", "to", "until"});
// "Failed to start: fixed" is the title of a finished task.
constexpr auto kLinksOfFailed =
    std::to_array<std::string_view>({"after", "as", "because", "by", "due", "since"});
// With one of these a value of a field does not mean done: "Fix not needed".
constexpr auto kNegations = std::to_array<std::string_view>({"cant", "never", "no", "not", "wont"});

template <class All>
bool has(const All& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

// The first character of a text in UTF-8: how many bytes it has, and whether it is a letter or a
// digit of some script.
struct Character {
  std::size_t bytes = 1;
  bool is_word = false;
};
Character character_at(std::string_view text) {
  const auto [c, bytes, is_valid] = first_character(text);
  const utf8proc_category_t category = utf8proc_category(c);
  return {bytes, is_valid && category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO};
}

struct Word {
  std::string text;        // in small letters, without apostrophes
  bool is_joined = false;  // with the word before, by a hyphen
};
constexpr std::string_view kSeparator = "";  // the text of a separator of words other than a blank

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  bool goes_on = false, joins = false;
  while (!text.empty()) {
    const Character c = character_at(text);
    const std::string_view letter = text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
    if (letter == "'" || letter == "\u2019") continue;
    if (c.is_word) {
      if (!goes_on) words.push_back({"", joins});
      words.back().text += to_lower(letter);
    } else {
      joins = letter == "-" && goes_on && character_at(text).is_word;
      if (!joins && trim(letter, " \t\r\n_").size() > 0) words.emplace_back();
    }
    goes_on = c.is_word;
    if (goes_on) joins = false;
  }
  return words;
}

class Words {
 public:
  Words(std::string_view text, bool is_field) : is_field_(is_field), words_(words_of(text)) {
    if (is_field_) {  // "Resolved - Duplicate"
      for (std::size_t i = 0; i < words_.size(); ++i)
        if (i == 0 || words_[i - 1].text == kSeparator) starts_.push_back(i);
      return;
    }
    for (std::size_t at = 0; at < words_.size(); ++at) {
      if (words_[at].text == kSeparator) continue;
      starts_.push_back(at);
      if (!has(kBefore, words_[at].text)) break;
    }
  }

  template <class All>
  bool begin_with(const All& all) const {
    return find(all, [](std::size_t) { return true; });
  }
  // And nothing else, but for a reason that one of the links leads to.
  template <class All, class Links>
  bool are(const All& all, const Links& links) const {
    return find(all, [&](std::size_t end) { return is_field_ || is_all(end, links); });
  }
  template <class All>
  bool lead_to_id(const All& all) const {
    return find(all, [&](std::size_t end) { return is_id(end); });
  }
  template <class All>
  bool have(const All& all) const {
    return std::any_of(words_.begin(), words_.end(),
                       [&](const Word& word) { return has(all, word.text); });
  }

 private:
  // Whether one of the phrases stands where a reason may, and `fits` is true of the text behind it.
  template <class All, class Fits>
  bool find(const All& all, const Fits& fits) const {
    return std::any_of(starts_.begin(), starts_.end(), [&](std::size_t start) {
      return std::any_of(all.begin(), all.end(), [&](std::string_view phrase) {
        const std::size_t end = end_of(phrase, start);
        return end > start && fits(end);
      });
    });
  }

  // Behind the phrase that stands there; 0: another does.
  std::size_t end_of(std::string_view phrase, std::size_t at) const {
    while (!phrase.empty()) {
      const std::string_view word = phrase.substr(0, phrase.find(' '));
      if (at == words_.size() || words_[at++].text != word) return 0;
      phrase.remove_prefix(std::min(word.size() + 1, phrase.size()));
    }
    return at;
  }

  std::string_view word(std::size_t at) const {
    return at < words_.size() ? std::string_view(words_[at].text) : kSeparator;
  }

  // "bd-12", "#12"
  bool is_id(std::size_t at) const {
    const auto has_digit = [&](std::size_t i) {
      return std::any_of(word(i).begin(), word(i).end(), is_digit);
    };
    if (word(at) == kSeparator) return has_digit(at + 1);
    const bool is_number = std::all_of(word(at).begin(), word(at).end(), is_digit);
    for (std::size_t i = at + 1; i < words_.size() && words_[i].is_joined; ++i)
      if (has_digit(i)) return true;
    return has_digit(at) && !is_number;
  }

  template <class Links>
  bool is_all(std::size_t at, const Links& links) const {
    if (at < words_.size() && words_[at].is_joined) return false;  // "stale-cache"
    if (is_id(at)) return true;
    if (has(kThings, word(at))) ++at;
    const bool is_favor = word(at) == "in" && word(at + 1).starts_with("favo");
    return word(at) == kSeparator || is_favor || has(links, word(at));
  }

  bool is_field_;
  std::vector<Word> words_;
  std::vector<std::size_t> starts_;  // where a reason may begin
};

ClosingReason reason_of(const Words& words, ClosingReason otherwise) {
  if (words.begin_with(kPhrasesOfNotDone) || words.are(kWordsOfNotDone, kLinks) ||
      words.lead_to_id(kBeforeAnId))
    return ClosingReason::not_done;
  if (words.begin_with(kPhrasesOfFailed) || words.are(kWordsOfFailed, kLinksOfFailed))
    return ClosingReason::failed;
  return otherwise;
}

}  // namespace

ClosingReason reason_of_text(std::string_view reason) {
  return reason_of(Words(reason, false), ClosingReason::done);
}

ClosingReason reason_of_field(std::string_view reason) {
  const Words words(reason, true);
  const bool is_done =
      reason.empty() || (words.begin_with(kPhrasesOfDone) && !words.have(kNegations));
  return reason_of(words, is_done ? ClosingReason::done : ClosingReason::unknown);
}

}  // namespace hebb::input
