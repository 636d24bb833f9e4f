// todo.txt: a task a line, "(A) 2026-11-30 Call Mom +Family @phone due:2026-12-04".
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/rows.h"
#include "engine/values/checks.h"
#include "engine/values/counted.h"
#include "engine/values/times.h"
#include "text/ascii.h"

namespace hebb::input {

namespace {

bool is_day(std::string_view word) { return has_form(word, "0000-00-00"); }
bool is_priority(std::string_view word) {
  return word.size() == 3 && word[0] == '(' && word[2] == ')' && word[1] >= 'A' && word[1] <= 'Z';
}
// Of A to Z the five that there are here: what is behind E is E.
std::string priority_of(char letter) { return std::string(1, std::min(letter, 'E')); }
bool is_tag(std::string_view word) { return word.size() > 1 && (word[0] == '+' || word[0] == '@'); }

class LineReader {
 public:
  LineReader(std::string_view line, const ReadOptions& options)
      : words_(split(line, " ")), options_(options) {
    std::erase(words_, "");
  }

  RowObject read() {
    read_beginning();
    std::vector<std::string> words;
    for (; at_ < words_.size(); ++at_)
      if (!take_key(words_[at_])) words.push_back(words_[at_]);
    read_tags(words);
    task_["name"] = fmt::format("{}", fmt::join(words, " "));
    return std::move(task_);
  }
  bool recurs() const { return recurs_; }

 private:
  bool is_next(bool (*is)(std::string_view)) const {
    return at_ < words_.size() && is(words_[at_]);
  }

  // "x 2026-12-02 2026-11-30", "(A) 2026-11-30"
  void read_beginning() {
    const bool is_done = words_.size() > 1 && words_[0] == "x";
    task_["state"] = is_done ? "done" : "open";
    if (is_done) ++at_;
    const auto take_priority = [&] {
      if (is_next(is_priority)) task_["priority"] = priority_of(words_[at_++][1]);
    };
    take_priority();
    if (is_done && is_next(is_day)) task_["closed"] = time_of("x", words_[at_++], false);
    if (is_next(is_day)) {
      task_[kCreatedText] = words_[at_];
      task_["created"] = time_of("the creation date", words_[at_++], false);
    }
    if (is_done) take_priority();
  }

  std::string time_of(std::string_view what, std::string_view day, bool is_whole) const {
    const auto time = row_time(day, is_whole, options_);
    if (time) return *time;
    refuse(refusal::kBadTime, fmt::format("{}: \"{}\" is no date; write one such as 2026-12-01",
                                          what, cut(day, kShownBytes)));
  }

  // Takes a word KEY:VALUE with a meaning here.
  bool take_key(std::string_view word) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string_view key = word.substr(0, colon);
    const std::string_view value = word.substr(std::min(colon + 1, word.size()));
    if (value.empty()) return false;
    if (key == "due") {
      task_["due"] = time_of(key, value, true);
    } else if (key == "t") {
      task_["threshold"] = time_of(key, value, false);
    } else if (key == "id") {
      task_["id"] = value;
    } else if (key == "pri" && value.size() == 1 && value[0] >= 'A' && value[0] <= 'Z') {
      if (!task_.contains("priority")) task_["priority"] = priority_of(value[0]);
    } else if (key == "rec") {
      recurs_ = true;
    } else {
      return false;
    }
    return true;
  }

  // The first project is the task's; another one is a label, as a context is. A tag within the
  // sentence stays a word of it.
  void read_tags(std::vector<std::string>& words) {
    RowObject labels = RowObject::array();
    for (const std::string& word : words) {
      if (!is_tag(word)) continue;
      std::string name = word.substr(1);
      if (word[0] == '+' && !task_.contains("project")) {
        task_["project"] = std::move(name);
      } else {
        labels.push_back(std::move(name));
      }
    }
    if (!labels.empty()) task_["labels"] = std::move(labels);
    const auto first = std::ranges::find_if_not(words, is_tag);
    if (first == words.end()) return;  // a line of tags alone is called so
    while (is_tag(words.back())) words.pop_back();
    words.erase(words.begin(), first);
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  const ReadOptions& options_;
  RowObject task_ = RowObject::object();
  bool recurs_ = false;
};

}  // namespace

void read_todotxt(const Mapping& mapping, Input& input, const ReadOptions& options,
                  const ItemSink& sink) {
  Rows rows(mapping, options, sink);
  std::int64_t number = 0, recurring = 0;
  for (std::string_view rest = whole_text(input); !rest.empty();) {
    const std::string_view all = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(all.size() + 1, rest.size()));
    ++number;
    std::string line(trim(all));
    std::ranges::replace(line, '\t', ' ');
    if (line.empty()) continue;
    rows.add(number, line, [&] {
      LineReader reader(line, options);
      RowObject task = reader.read();
      recurring += reader.recurs();
      return task;
    });
  }
  rows.read();
  if (recurring > 0 && options.note) {
    options.note(fmt::format("{} (rec:), which is not read: add the next one when it is due",
                             counted(recurring, "task recurs", "tasks recur")));
  }
}

}  // namespace hebb::input
