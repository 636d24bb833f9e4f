// The recorded traits of a run's elements, and the capture of elements that it acts on.
#include <algorithm>

#include <fmt/format.h>

#include "skill/replay/capture_element.h"
#include "skill/replay/resolve.h"
#include "skill/replay/run.h"
#include "skill/replay/signature.h"

namespace hebb::skill {

// The recorded traits of an element of the step `ahead` after this one; nullptr: none.
const ElementTraits* Run::known(Part part, std::size_t ahead) const {
  const std::size_t at = at_ + ahead;
  if (at >= skill_.elements.size() || !skill_.elements[at]) return nullptr;
  const ElementTraits& traits = *skill_.elements[at];
  if (part != Part::drag_end) return &traits;
  return traits.to.empty() ? nullptr : &traits.to.front();
}

bool Run::is_of_other_step(const std::string& called) const {
  const auto named = [&](const Step& step) {
    return &step != &steps()[at_] && recorded_identity(step.selectors).name == called;
  };
  return !called.empty() && std::any_of(steps().begin(), steps().end(), named);
}

void Run::capture(const Element& e, Part part, Deadline deadline) {
  if (options_.capture == ReplayOptions::Capture::nothing) return;
  StepResult& step = result_.steps.back();
  const bool chains = options_.capture == ReplayOptions::Capture::chains;
  CapturedElement seen = chains ? capture_element(*browser_, e, options_.order, deadline)
                                : look_at_element(*browser_, e, deadline);
  if (part == Part::focus && seen.chain.empty() && seen.traits.tag == "body")
    seen.chain = {by(SelectorType::css, "body")};
  const bool focus = part == Part::focus;
  if (chains && !focus) require_found_again(e, seen, deadline);
  if (part == Part::drag_end) {
    if (!step.captured) return;
    step.captured->to = std::move(seen.chain);
    step.captured->traits.to = {std::move(seen.traits)};
    return;
  }
  seen.traits.frame = frame_identity(*browser_, tab_, e.frame, deadline);
  if (steps()[at_].kind == StepKind::select || steps()[at_].kind == StepKind::fill) {
    const Json labels = browser_->run(e.frame, "(e, v) => __hebb.labels(e, v)",
                                      {e.reference(), chosen(steps()[at_])}, deadline);
    for (const Json& label : labels) seen.traits.options.push_back(label.get<std::string>());
  }
  if (chains && !step.frames && !steps()[at_].frames.empty())
    step.frames = capture_frames(*browser_, tab_, e.frame, deadline);
  step.captured = std::move(seen);
}

// Called before the step, so that nothing happens on the site that a replay could not repeat.
void Run::require_found_again(const Element& e, const CapturedElement& seen, Deadline deadline) {
  if (seen.chain.empty()) {
    throw StepFailed(
        code::kResolutionFailed,
        "nothing tells this element apart from others on the page: it has no name, label or id "
        "that is its own, and nothing names its row. If a text says which one is meant, give "
        "its box as well, such as \"within\": {\"css\": \"tr\", \"text\": \"Pears\"}. Else "
        "press keys from an element that has a name, or, if the page is yours, give this one an "
        "aria-label or an id");
  }
  const Resolution found =
      Resolver(*browser_, e.frame, seen.chain, &seen.traits, false, of_other_step_, deadline)
          .resolve();
  const bool same =
      found.element && browser_->run(e.frame, "(a, b) => a === b",
                                     {e.reference(), found.element->reference()}, deadline) == true;
  if (!same) {
    throw StepFailed(code::kResolutionFailed,
                     fmt::format("what can be recorded of this element does not find it again on "
                                 "the same page: {}",
                                 found.element ? "another one is found" : found.why));
  }
}

// Captures the message of the dialog that this step answered.
void Run::capture_message() {
  constexpr std::size_t kMessage = 400;  // as long as traits may be
  if (options_.capture == ReplayOptions::Capture::nothing) return;
  if (steps()[at_].kind != StepKind::dialog) return;
  const DialogSeen* const dialog = browser_->dialogs().find(dialogs_before_ - 1);
  const std::string message = dialog == nullptr ? "" : dialog->text();
  if (message.size() > kMessage) return;
  result_.steps.back().captured.emplace().traits.message = message;
}

void Run::capture_focus(const Step& step, Deadline deadline) {
  if (options_.capture == ReplayOptions::Capture::nothing) return;
  const std::string frame = frame_of(step, deadline);
  if (frame.empty()) return;
  const Json remote =
      browser_->run(frame, "() => __hebb.focused()", Json::array(), deadline, false);
  const std::string object = text_member(remote, "objectId");
  if (!object.empty()) capture(Element{frame, object}, Part::focus, deadline);
}

}  // namespace hebb::skill
