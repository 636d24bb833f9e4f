// What tests of skills are made of: steps, and a time.
#pragma once

#include <string>
#include <utility>

#include "engine/engine.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill::test {

inline constexpr TimeMs kNow = 1'767'571'200'000;

inline Step step(StepKind kind, Chain chain, Json args = Json::object()) {
  Step s;
  s.kind = kind;
  s.selectors = std::move(chain);
  s.args = std::move(args);
  return s;
}

inline Step fill(const std::string& name, const std::string& value) {
  return step(StepKind::fill, {by_role("textbox", name)}, {{"value", value}});
}

inline Step click(const std::string& name) {
  return step(StepKind::click, {by_role("button", name)});
}

}  // namespace hebb::skill::test
