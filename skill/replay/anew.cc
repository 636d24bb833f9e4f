#include "skill/replay/anew.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/shell_word.h"
#include "skill/browser/element.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kControls = 60;  // at most so many are listed

// The element as the `target` of a given step: by the first of its selectors that `target`
// supports.
Json target_of(const Chain& chain) {
  for (const Selector& s : chain) {
    Json target;
    if (s.type == SelectorType::role_name) target = {{"role", s.role}, {"name", s.value}};
    const bool words = s.type == SelectorType::accessible_name || s.type == SelectorType::text;
    if (target.is_null() && s.type != SelectorType::node_ref)
      target = {{words ? "text" : selector_type_name(s.type), s.value}};
    if (target.is_null() || s.nth || s.within.size() > 1) continue;
    if (!s.within.empty()) {
      const Selector& outer = s.within.front();
      if (outer.type != SelectorType::css || outer.has_text.empty()) continue;
      target["within"] = {{"css", outer.value}, {"text", outer.has_text}};
    }
    return target;
  }
  return Json::object();
}

// The step as a line of JSON; a comment, if its frame has no css selector, which a given step
// needs.
std::string given_line(const Step& step) {
  Json line{{"kind", kind_name(step.kind)}};
  if (!step.selectors.empty()) line["target"] = target_of(step.selectors);
  if (!step.to.empty()) line["to"] = target_of(step.to);
  line.update(step.args);
  for (const Chain& frame : step.frames) {
    const auto css = std::find_if(frame.begin(), frame.end(), [](const Selector& s) {
      return s.type == SelectorType::css && s.within.empty() && s.has_text.empty() && !s.nth;
    });
    if (css == frame.end()) return "# Give the css selector of its frame: " + dump(line);
    line["frame"].push_back(css->value);
  }
  if (step.frame_ordinal > 0) return "# Give the css selector of its frame: " + dump(line);
  if (step.tab > 0) line["tab"] = step.tab;
  if (step.contract_id) line["contract"] = *step.contract_id;
  return dump(line);
}

void add_was(std::string& out, const Step& step, const ElementTraits* known) {
  const Identity was = recorded_identity(step.selectors);
  out += fmt::format("# It was: {}\n", dump(Json{{"role", was.role}, {"name", was.name}}));
  if (known == nullptr) return;
  const auto add = [&](const char* what, const std::vector<std::string>& texts) {
    if (!texts.empty()) out += fmt::format("#   {}: {}\n", what, dump(Json(texts)));
  };
  add("in the row", known->row);
  add("within", known->within);
  add("in a dialog that said", known->dialog_texts);
  add("after, the nearest first", known->before);
  add("before, the nearest first", known->after);
}

// The text as a word of the command in a comment, which ends at a line end.
std::string command_word(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return shell_word(text);
}

// The present controls in the pages' frames, those with the role first.
void add_now(std::string& out, const std::string& role, Browser& browser, std::size_t tab,
             Deadline deadline) {
  std::vector<Identity> now;
  for (const Frame& frame : std::vector<Frame>(browser.page(tab).frames)) {
    for (Identity& control : Finder(browser).controls(frame.id, deadline))
      now.push_back(std::move(control));
  }
  std::stable_sort(now.begin(), now.end(), [&](const Identity& a, const Identity& b) {
    return (a.role == role) > (b.role == role);
  });
  out += "# The page now has:\n";
  for (std::size_t i = 0; i < std::min(now.size(), kControls); ++i)
    out += "#   " + dump(Json{{"role", now[i].role}, {"name", now[i].name}}) + "\n";
}

}  // namespace

std::string steps_anew(const Skill& skill, const Failure& failure, Browser& browser,
                       std::size_t tab, Deadline deadline) {
  std::string out = fmt::format(
      "# Replace the target of the step that failed, and record the skill anew; that does all of "
      "its steps:\n#   hebb skill record {} {} --from steps.jsonl{}{}\n",
      command_word(skill.domain), command_word(skill.name),
      skill.start_url.empty() ? "" : " --start-url " + command_word(skill.start_url),
      skill.contract_id ? " --contract " + command_word(*skill.contract_id) : "");
  const auto& steps = skill.artifact->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == failure.step_index) {
      out += fmt::format("# Step {} failed: {}\n", i, failure.code);
      const bool known = i < skill.elements.size() && skill.elements[i];
      if (!steps[i].selectors.empty())
        add_was(out, steps[i], known ? &*skill.elements[i] : nullptr);
      add_now(out, recorded_identity(steps[i].selectors).role, browser, tab, deadline);
    }
    out += given_line(steps[i]) + '\n';
  }
  return out;
}

}  // namespace hebb::skill
