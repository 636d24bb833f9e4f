// Steps that wait for something: a text, an element, an expression.
#include <fmt/format.h>

#include "skill/replay/steps.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kLongestMs = 10'000;  // the longest pause that waits for no condition

bool compares(std::size_t seen, const std::string& with, std::int64_t count) {
  const auto n = static_cast<std::int64_t>(seen);
  if (with == "==") return n == count;
  if (with == "<=") return n <= count;
  return n >= count;
}

}  // namespace

bool StepRunner::condition_holds(const Step& step, StepResult& result, Deadline deadline) {
  const PageState& page = run_.browser.page(tab_);
  if (page.main() == nullptr) return false;
  const std::string main = page.main()->id;
  if (const std::string expression = text_member(step.args, "expression"); !expression.empty()) {
    const Json answer = run_.browser.call(
        "Runtime.evaluate",
        {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}},
        page.main()->session, deadline);
    const Json value = answer.value("result", Json::object()).value("value", Json());
    return value == true || (value.is_number() && value != 0) || (value.is_string() && value != "");
  }
  for (const bool gone : {false, true}) {
    const std::string wanted = text_member(step.args, gone ? "text_gone" : "text");
    if (wanted.empty()) continue;
    const Json shown = run_.browser.run(main, "() => __hebb.pageText()", Json::array(), deadline);
    const bool there =
        shown.is_string() && shown.get<std::string>().find(squeeze(wanted)) != std::string::npos;
    if (there == gone) return false;
  }
  if (step.selectors.empty()) return true;
  const std::string frame = frame_of(step, deadline);
  if (frame.empty()) return false;
  // Recordings of DevTools may wait for a number of elements: args "operator" and "count".
  const bool counts = step.args.contains("count");
  const auto hidden = step.args.find("visible");
  Finder finder(run_.browser);
  result.selector_attempts = 0;
  for (const Selector& s : step.selectors) {
    ++result.selector_attempts;
    const auto found = finder.find(frame, s, deadline);
    std::size_t seen = 0;
    for (const Element& e : found) {
      const Json state = run_.browser.run(e.frame, "(e) => __hebb.state(e)",
                                          Json::array({e.reference()}), deadline);
      const bool visible = state.is_object() && state.value("visible", Json(false)) == true;
      const bool either = hidden == step.args.end() && counts;
      const bool wanted = hidden == step.args.end() || *hidden == true;
      if (either || visible == wanted) ++seen;
    }
    result.resolved_via = s.type;
    const std::int64_t count = step.args.value("count", std::int64_t{1});
    if (compares(seen, text_member(step.args, "operator"), count)) return true;
    const bool none_is_hidden = hidden != step.args.end() && *hidden == false && found.empty();
    if (none_is_hidden) return true;
  }
  result.resolved_via.reset();
  return false;
}

void StepRunner::wait_step(const Step& step, StepResult& result, Deadline deadline) {
  if (const auto time = step.args.find("time_ms"); time != step.args.end() && time->is_number()) {
    const auto ms = std::min(static_cast<std::int64_t>(time->get<double>()), kLongestMs);
    const Deadline end = std::min(deadline, in_ms(ms));
    while (!is_over(end)) run_.browser.wait(end);
  }
  for (;;) {
    try {
      if (condition_holds(step, result, for_answer(deadline))) return;
    } catch (const CdpRefused&) {
      // The page changed meanwhile: it is examined again.
    }
    if (is_over(deadline))
      throw StepFailed(code::kStepTimeout, "what the step waits for does not come");
    const Deadline again = std::min(deadline, in_ms(kAgainMs));
    while (!is_over(again)) run_.browser.wait(again);
  }
}

}  // namespace hebb::skill
