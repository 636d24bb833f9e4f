// The two visible lists: formats and reasons of refusal.
#include <set>

#include <catch2/catch.hpp>

#include "engine/input/input.h"
#include "engine/ledger/refusals.h"

using namespace hebb;

TEST_CASE("the formats by their stored names") {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    names.push_back(format.name);
    CHECK(format.read != nullptr);
  }
  CHECK(names == std::vector<std::string_view>{"outcome", "cloudevents", "junit", "history",
                                               "github", "beads", "taskwarrior"});
}

TEST_CASE("each reason is one snake_case code with a meaning") {
  std::set<std::string_view> codes;
  for (const auto& reason : refusal::kReasons) {
    CAPTURE(reason.code);
    CHECK(codes.insert(reason.code).second);
    CHECK(reason.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string_view::npos);
    CHECK_FALSE(reason.meaning.empty());
  }
}
