// The words of a statement of a script (script.h), and the event or the question that they are.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/history.h"

namespace hebb::test {

using Words = std::vector<std::string>;

std::string joined(const Words& words);
std::string date_of(TimeMs at);
// As script.h says; throws std::invalid_argument.
TimeMs parse_when(const std::string& text, TimeMs clock);

// Words and name=value options of a statement.
struct Given {
  Given(const std::string& text, TimeMs at);
  const std::string& at(std::size_t i) const {
    if (i >= words.size()) throw std::invalid_argument("a word is missing");
    return words[i];
  }
  std::string at(std::size_t i, const std::string& otherwise) const {
    return i < words.size() ? words[i] : otherwise;
  }
  std::optional<std::string> option(const std::string& name) const {
    for (const auto& [key, value] : options) {
      if (key == name) return value;
    }
    return std::nullopt;
  }
  EdgeName edge(std::size_t i = 0) const { return {at(i), at(i + 2), at(i + 1)}; }
  Words from(std::size_t i) const {
    return {words.begin() + static_cast<std::ptrdiff_t>(std::min(i, words.size())), words.end()};
  }

  TimeMs clock;
  Words words;
  std::vector<std::pair<std::string, std::string>> options;
};

// nullopt: what is no event.
std::optional<Event> event_of(const std::string& what, const Given& g);

// The first so many, in which state and of which labels, project …
RankQuery query_of(const Given& g);

// What any engine with the same graph answers.
using Question = std::function<std::string(Engine&, const Given&)>;
const std::map<std::string, Question>& questions();

}  // namespace hebb::test
