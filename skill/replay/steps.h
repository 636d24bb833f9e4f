// Runs one step of a replay: finds its element and acts on it within the step's time.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>

#include "skill/browser/input.h"
#include "skill/replay/reach.h"
#include "skill/replay/replay.h"

namespace hebb::skill {

inline constexpr std::int64_t kAgainMs = 30;  // pause before the same page is examined again

// Ends a step, and with it the run.
class StepFailed : public std::runtime_error {
 public:
  StepFailed(std::string_view code, const std::string& detail)
      : std::runtime_error(detail), code_(code) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// The parts of a run that its steps need.
struct RunContext {
  Browser& browser;
  const ReplayOptions& options;
  SecretValues& secrets;
  const Reach& reach;
  // Called with each element that is about to be acted on, or dragged to; where
  // nobody asks, it is empty. Also with what has the focus when keys are pressed without a target.
  enum class Part : std::uint8_t { target, drag_end, focus };
  std::function<void(const Element&, Part, Deadline)> on_element = {};
  // What is known of the element of the step that comes so many after this one; nullptr: nothing.
  std::function<const ElementTraits*(Part, std::size_t ahead)> known = {};
  // Whether something of this name is the element of another step. Empty: it is not known.
  std::function<bool(const std::string& called)> of_other_step = {};
  // The chains are what a person has said, to be tried in order, and not what one element is known
  // by: what they find is not compared.
  bool alternatives() const { return options.capture == ReplayOptions::Capture::chains; }
};

class StepRunner {
 public:
  explicit StepRunner(RunContext run) : run_(std::move(run)) {}

  // Throws StepFailed, CdpTimeout, BrowserGone. `result` is also filled if it throws. `next`: the
  // steps after it.
  void run(const Step& step, std::span<const Step> next, bool checked_later, StepResult& result,
           Deadline deadline);
  std::size_t tab() const { return tab_; }
  // What the dialog said that the last step has answered.
  std::string message() const {
    const DialogSeen* dialog = run_.browser.dialogs().find(dialogs_before_ - 1);
    return dialog == nullptr ? "" : dialog->said();
  }
  // What the step chooses in a list.
  std::vector<std::string> chosen(const Step& step) {
    return values(step, {"values", "value", "label"});
  }

  void navigate(const std::string& url, Deadline deadline);
  // Waits until the page after the last action can be used. Throws StepFailed if its origin is not
  // allowed.
  void settle(Deadline deadline);

 private:
  struct Found {
    std::optional<Element> element;
    std::string why;            // why none was found
    bool contradicted = false;  // some were, and they differ
    bool gone = false;          // but for places, nothing was
  };
  Found look(const std::string& frame, const Chain& chain, const ElementTraits* known,
             StepResult& result, Deadline deadline);
  struct Targets {
    std::optional<Element> target, to;  // to: where a drag ends
    std::string why;                    // one is missing; empty: none is
    bool gone = false;                  // nothing that says the target finds anything
  };
  Targets find(const Step& step, StepResult& result, Deadline deadline);
  std::string frame_of(const Step& step, Deadline deadline);
  std::string known_frame(const std::string& frame, Deadline deadline);
  void until_done(const Step& step, bool checked_later, StepResult& result, Deadline deadline);
  // `to`: where a drag ends.
  void act(const Step& step, const Element& e, const std::optional<Element>& to, Deadline deadline);
  void act(Input& input, const Step& step, const Element& e, const std::optional<Element>& to,
           Deadline deadline);
  void keys_without_element(const Step& step, Deadline deadline);
  void capture_focus(const Step& step, Deadline deadline);
  const ElementTraits* known(RunContext::Part part, std::size_t ahead = 0) const {
    return run_.known ? run_.known(part, ahead) : nullptr;
  }
  std::string unknown_focus(const Step& step, const std::string& frame, Deadline deadline);
  std::string why_not(const DialogSeen& dialog, const ElementTraits* known, bool accept) const;
  std::string other_focus(const Step& step, std::optional<Element>& focus, Deadline deadline);
  void remember_focus(const Step& step, const std::optional<Element>& e, Deadline deadline);
  void act_without_element(const Step& step, Deadline deadline);
  void set_network(const Json& args, Deadline deadline);
  void guard(const Step& step, const Element& e, bool checked_later, Deadline deadline);
  // Throws StepFailed if the page has crashed, cannot be reached or is of an origin that is not
  // allowed: the step before may have led away only after it was done.
  void require_own_page() const;
  void wait_step(const Step& step, StepResult& result, Deadline deadline);
  bool condition_holds(const Step& step, StepResult& result, Deadline deadline);
  bool elements_hold(const Step& step, const std::vector<Element>& found, Deadline deadline);
  void scroll(const Step& step, const std::optional<Element>& e, Deadline deadline);
  std::string value(const Step& step, const char* key);
  // The texts of the first of those args that the step has.
  std::vector<std::string> values(const Step& step, std::initializer_list<const char*> keys);

  RunContext run_;
  std::size_t tab_ = 0;
  std::size_t dialogs_before_ = 0;  // the steps' own ones: those that they have answered
  std::optional<Element> focus_;    // what the last step has put the focus on, as far as is certain
  std::size_t focus_tab_ = 0;       // the page that it is in
  std::optional<Element> acted_;    // what the last step that had an element acted on
  std::string frame_why_;           // why the last frame_of() found none
  bool answered_ = false;           // by the main frame, after the step's last input
};

}  // namespace hebb::skill
