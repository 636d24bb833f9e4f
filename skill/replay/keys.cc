// Keys that are pressed without a target go to the focused element: it must be the one of the
// recording, or none.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "skill/replay/resolve.h"
#include "skill/replay/run.h"

namespace hebb::skill {
namespace {

std::string last_key(const std::string& chord) {
  return chord.size() > 1 ? chord.substr(chord.rfind('+', chord.size() - 2) + 1) : chord;
}

// Keys that only change the content of a field, and not the focus.
bool only_writes(const std::string& key) {
  constexpr auto kEdit = std::to_array<std::string_view>(
      {"Backspace", "Delete", "Home", "End", "Shift", "Control", "Alt", "Meta"});
  const std::string last = last_key(key);
  const bool character = last.size() == 1 && last != " ";
  return character || std::find(kEdit.begin(), kEdit.end(), last) != kEdit.end();
}

// Keys that press the focused control, or the default one of its form.
bool presses(const std::string& key) {
  const std::string last = last_key(key);
  return last == "Enter" || last == "NumpadEnter" || last == " " || last == "Space";
}

}  // namespace

// After a step whose element keeps the focus, keys without a target are meant for that element. A
// press of the mouse may move the focus anywhere.
void Run::remember_focus(const Step& step, const std::optional<Element>& e, Deadline deadline) {
  focus_tab_ = tab_;
  switch (step.kind) {
    case StepKind::wait:
    case StepKind::dialog:
    case StepKind::scroll:
    case StepKind::hover:
    case StepKind::viewport:
    case StepKind::network:
    case StepKind::key_up:
      return;
    case StepKind::press:
    case StepKind::key_down:
      if (e) focus_ = e;
      if (!only_writes(value(step, "key"))) focus_.reset();
      return;
    case StepKind::fill:
    case StepKind::select:
      focus_ = e;
      return;
    default:
      focus_.reset();
  }
  if (step.kind != StepKind::click || !e) return;
  try {
    const bool text = is_true(Input(*browser_, tab_).state(*e, deadline), "editable");
    if (text && Input(*browser_, tab_).holds_focus(*e, deadline)) focus_ = e;
  } catch (const CdpRefused&) {
    focus_.reset();  // the press has led to another page
  }
}

// Why the focus is not where the step needs it; empty: it is, or nothing is recorded about it.
std::string Run::other_focus(const Step& step, std::optional<Element>& focus, Deadline deadline) {
  const std::string frame = frame_of(step, deadline);
  if (frame.empty()) return frame_why_;
  if (focus_tab_ == tab_) focus = focus_;
  if (!step.focus.empty()) {
    StepResult ignored;
    Found found = look(frame, step.focus, nullptr, ignored, deadline);
    if (!found.element) return "what had the focus: " + found.why;
    focus = std::move(found.element);
  }
  // A person who records gives no focus.
  if (!focus) return alternatives() ? "" : unknown_focus(step, frame, deadline);
  if (Input(*browser_, tab_).holds_focus(*focus, deadline)) return "";
  const Json has =
      browser_->run(frame, "() => __hebb.named(__hebb.focused())", Json::array(), deadline);
  return fmt::format("the focus is on {}, and not on what had it when \"{}\" was recorded",
                     has.is_string() ? has.get<std::string>() : "nothing", value(step, "key"));
}

// If no step gives the focus: it must be that of the first good run; without one, no key may press
// a control that no step names.
std::string Run::unknown_focus(const Step& step, const std::string& frame, Deadline deadline) {
  const Json given{acted_ && acted_->frame == frame ? acted_->reference() : Json(nullptr),
                   presses(value(step, "key"))};
  const Json other =
      browser_->run(frame, "(e, presses) => __hebb.strangeFocus(e, presses)", given, deadline);
  const std::string strange = other.is_string() ? other.get<std::string>() : "";
  const ElementTraits* recorded = known(Part::focus);
  if (recorded == nullptr || recorded->tag.empty())
    return strange.empty() ? "" : fmt::format("the focus is on {}, which no step names", strange);
  const Json remote =
      browser_->run(frame, "() => __hebb.focused()", Json::array(), deadline, false);
  const Element e{frame, text_member(remote, "objectId")};
  const std::string why =
      Resolver(*browser_, frame, {}, recorded, false, of_other_step_, deadline).difference(e);
  return why.empty() ? "" : fmt::format("the focus is elsewhere than it was: it {}", why);
}

void Run::keys_without_element(const Step& step, Deadline deadline) {
  const Deadline answer = for_answer(deadline);
  const std::string key = value(step, "key");
  for (std::string why;;) {
    try {
      std::optional<Element> focus;
      why = other_focus(step, focus, answer);
      if (why.empty()) {
        Input input(*browser_, tab_);
        capture_focus(step, answer);
        if (step.kind == StepKind::key_down) {
          input.key(key, true, answer);
        } else if (focus) {
          input.press_in(*focus, key, answer);
        } else {
          input.press(key, answer);
        }
        return remember_focus(step, std::nullopt, answer);
      }
    } catch (const NotActionable& e) {
      why = e.what();
    } catch (const CdpRefused& e) {
      why = e.what();  // the page is changing: try again below
    }
    require_own_page();
    if (is_over(deadline)) throw StepFailed(code::kResolutionFailed, why);
    browser_->rest(std::min(deadline, in_ms(kAgainMs)));
  }
}

}  // namespace hebb::skill
