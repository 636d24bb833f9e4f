// Steps that wait for something: a text, an element, an expression.
#include <fmt/format.h>

#include "skill/replay/run.h"

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

bool Run::condition_holds(const Step& step, StepResult& result, Deadline deadline) {
  const PageState& page = browser_->page(tab_);
  if (page.main() == nullptr) return false;
  const std::string main = page.main()->id;
  if (const std::string expression = text_member(step.args, "expression"); !expression.empty()) {
    const Json answer = browser_->call(
        "Runtime.evaluate",
        {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}},
        page.main()->session, deadline);
    const Json value = answer.value("result", Json::object()).value("value", Json());
    return value == true || (value.is_number() && value != 0) || (value.is_string() && value != "");
  }
  for (const bool gone : {false, true}) {
    const std::string wanted = text_member(step.args, gone ? "text_gone" : "text");
    if (wanted.empty()) continue;
    const Json shown = browser_->run(main, "() => __hebb.pageText()", Json::array(), deadline);
    const bool there =
        shown.is_string() && shown.get<std::string>().find(squeeze(wanted)) != std::string::npos;
    if (there == gone) return false;
  }
  if (step.selectors.empty()) return true;
  const std::string frame = frame_of(step, deadline);
  if (frame.empty()) return false;
  Finder finder(*browser_);
  result.selector_attempts = 0;
  for (const Selector& s : step.selectors) {
    ++result.selector_attempts;
    const auto found = finder.find(frame, s, deadline);
    result.resolved_via = s.type;
    if (elements_hold(step, found, deadline)) return true;
  }
  result.resolved_via.reset();
  return false;
}

// Whether the elements have the right number and properties. Recordings of DevTools may wait for a
// number ("operator", "count"), and for members of each ("attributes", "properties").
bool Run::elements_hold(const Step& step, const std::vector<Element>& found, Deadline deadline) {
  const auto visible = step.args.find("visible");
  const bool any = visible == step.args.end() && step.args.contains("count");
  const bool shown = visible == step.args.end() || *visible == true;
  const Json attributes = step.args.value("attributes", Json::object()),
             properties = step.args.value("properties", Json::object());
  std::size_t seen = 0;
  for (const Element& e : found) {
    const Json state =
        browser_->run(e.frame, "(e) => __hebb.state(e)", Json::array({e.reference()}), deadline);
    const bool is_shown = is_true(state, "visible");
    if (any || is_shown == shown) ++seen;
    if (attributes.empty() && properties.empty()) continue;
    const Json fits = browser_->run(e.frame, "(e, a, p) => __hebb.fits(e, a, p)",
                                    {e.reference(), attributes, properties}, deadline);
    if (fits != true) return false;
  }
  const std::int64_t count = step.args.value("count", std::int64_t{1});
  return compares(seen, text_member(step.args, "operator"), count) || (!shown && found.empty());
}

void Run::wait_step(const Step& step, StepResult& result, Deadline deadline) {
  if (const auto time = step.args.find("time_ms"); time != step.args.end() && time->is_number()) {
    const auto ms = std::min(static_cast<std::int64_t>(time->get<double>()), kLongestMs);
    const Deadline end = std::min(deadline, in_ms(ms));
    browser_->rest(end);
  }
  for (;;) {
    require_own_page();
    try {
      if (condition_holds(step, result, for_answer(deadline))) return;
    } catch (const CdpRefused&) {
      // The page changed meanwhile: it is examined again.
    }
    if (is_over(deadline))
      throw StepFailed(code::kStepTimeout, "what the step waits for does not come");
    browser_->rest(std::min(deadline, in_ms(kAgainMs)));
  }
}

}  // namespace hebb::skill
