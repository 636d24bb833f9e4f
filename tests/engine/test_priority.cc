// What is taken as a priority, and that labels say the same by the same words.
#include <string>

#include <catch2/catch.hpp>

#include "engine/values/checks.h"
#include "reward/policy.h"

namespace hebb {

TEST_CASE("a priority is a number, a P with a number, or a word") {
  for (int i = 0; i <= kLastPriority; ++i) {
    for (const char* before : {"", "P", "p"}) {
      CHECK(parse_priority(before + std::to_string(i)) == i);
    }
  }
  for (const auto& [word, priority] : {std::pair{"critical", 0},
                                       {"urgent", 0},
                                       {"high", 1},
                                       {"medium", 2},
                                       {"normal", 2},
                                       {"low", 3},
                                       {"Critical", 0},
                                       {"HIGH", 1}}) {
    INFO(word);
    CHECK(parse_priority(word) == priority);
  }
  for (const char* none : {"", "p", "5", "P5", "-1", "01", "PP1", " 1", "1 ", "hgih", "lowest"}) {
    INFO(none);
    CHECK_FALSE(parse_priority(none));
  }
}

TEST_CASE("a label that says a priority says what its word says") {
  int words = 0;
  for (const auto& [label, priority] : reward::Policy::learned().labels) {
    INFO(label);
    std::string word = label;
    for (const std::string around : {"priority: ", "priority ", " priority", "prio "}) {
      if (const auto at = word.find(around); at != word.npos) word.erase(at, around.size());
    }
    CHECK(parse_priority(word) == priority);
    ++words;
  }
  CHECK(words > 30);
  const reward::Policy policy = reward::Policy::learned();
  for (const char* label : {"priority::P0", "Priority 0", "PRIO-P0", "urgent", "label-critical"})
    CHECK(policy.label_priority(label) == 0);
  for (const char* label : {"high", "low", "P00", "priority 10", "non-critical", "P5"})
    CHECK(policy.label_priority(label) == -1);
}

TEST_CASE("a wrong priority is told what is taken") {
  CHECK(priorities_taken() ==
        "0 (most urgent) to 4, P0 to P4, critical (0), urgent (0), high (1), medium (2), "
        "normal (2), low (3)");
  CHECK(check_priority(7, "priority")->detail ==
        "priority: is 7; allowed are " + priorities_taken());
}

}  // namespace hebb
