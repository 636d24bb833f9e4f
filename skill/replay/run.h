// A run of a replay: one object, with a file for each phase. replay.cc: before, around and after
// the steps; steps.cc, find.cc, keys.cc and wait.cc: a step; capture.cc: the capture of its
// elements.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

class Run {
 public:
  // Precondition: the skill has an artifact with steps.
  Run(const Skill& skill, const ReplayOptions& options, const ContractLookup& contracts);

  ReplayResult go();

  // The parts of go(). These throw StepFailed, CdpRefused, CdpTimeout, BrowserGone.
  void check();  // refuses forbidden steps, before anything is done
  void start_browser();
  void navigate(const std::string& url, Deadline deadline);
  // Waits until the page after the last action can be used. Throws StepFailed if its origin is not
  // allowed.
  void settle(Deadline deadline);
  // `result` is also filled if it throws.
  void run_step(std::size_t index, StepResult& result, Deadline deadline);
  Browser& browser() { return *browser_; }

 private:
  enum class Part : std::uint8_t { target, drag_end, focus };  // the elements of a step

  // replay.cc
  void check_arguments();
  void require_contract(const std::optional<std::string>& id, std::size_t step);
  std::string address(const Step& step) const;
  std::vector<std::string> own_addresses() const;
  void check_limits();
  void refuse_risks();
  void open();
  void end(bool usable);
  void compare_page(Deadline deadline);
  void replay_steps();
  std::string broken(const std::string& contract_id, Deadline deadline);
  void check_contract(const std::optional<std::string>& id, Deadline deadline);
  void fail(std::string_view code, const std::string& what);
  const std::vector<Step>& steps() const { return skill_.artifact->steps; }

  // capture.cc
  const ElementTraits* known(Part part, std::size_t ahead = 0) const;
  bool is_of_other_step(const std::string& called) const;
  // Whether a person wrote the chains, to be tried in order, rather than a recorder about one
  // element: then the elements found are not compared.
  bool alternatives() const { return options_.capture == ReplayOptions::Capture::chains; }
  void capture(const Element& e, Part part, Deadline deadline);
  void require_found_again(const Element& e, const CapturedElement& seen, Deadline deadline);
  void capture_message();
  void capture_focus(const Step& step, Deadline deadline);

  // find.cc
  struct Found {
    std::optional<Element> element;
    std::string why;            // why none was found
    bool contradicted = false;  // selectors found different elements
    bool gone = false;          // no selector except by place found anything
  };
  Found look(const std::string& frame, const Chain& chain, const ElementTraits* known,
             StepResult& result, Deadline deadline);
  struct Targets {
    std::optional<Element> target, to;  // to: where a drag ends
    std::string why;                    // why one is missing; empty: none is
    bool gone = false;                  // no selector of the target finds anything
  };
  Targets find(const Step& step, StepResult& result, Deadline deadline);
  std::string frame_of(const Step& step, Deadline deadline);
  std::string known_frame(const std::string& frame, Deadline deadline);

  // steps.cc
  void until_done(const Step& step, StepResult& result, Deadline deadline);
  // `to`: where a drag ends.
  void act(const Step& step, const Element& e, const std::optional<Element>& to, Deadline deadline);
  void act(Input& input, const Step& step, const Element& e, const std::optional<Element>& to,
           Deadline deadline);
  void act_without_element(const Step& step, Deadline deadline);
  void set_network(const Json& args, Deadline deadline);
  void scroll(const Step& step, const std::optional<Element>& e, Deadline deadline);
  void expect_dialogs(std::size_t after);
  std::string why_not(const DialogSeen& dialog, const ElementTraits* known, bool accept) const;
  void guard(const Step& step, const Element& e, Deadline deadline);
  // Throws StepFailed if the page has crashed, cannot be reached or is of an origin that is not
  // allowed: the step before may have navigated after its end.
  void require_own_page() const;
  std::string value(const Step& step, const char* key);
  // The texts of the first of these args that the step has.
  std::vector<std::string> values(const Step& step, std::initializer_list<const char*> keys);
  // The options that the step chooses in a list.
  std::vector<std::string> chosen(const Step& step) {
    return values(step, {"values", "value", "label"});
  }

  // keys.cc
  void keys_without_element(const Step& step, Deadline deadline);
  std::string unknown_focus(const Step& step, const std::string& frame, Deadline deadline);
  std::string other_focus(const Step& step, std::optional<Element>& focus, Deadline deadline);
  void remember_focus(const Step& step, const std::optional<Element>& e, Deadline deadline);

  // wait.cc
  void wait_step(const Step& step, StepResult& result, Deadline deadline);
  bool condition_holds(const Step& step, StepResult& result, Deadline deadline);
  bool elements_hold(const Step& step, const std::vector<Element>& found, Deadline deadline);

  Skill skill_;  // with the secrets filled into its selectors
  const ReplayOptions& options_;
  const ContractLookup& contracts_;
  SecretValues own_;
  SecretValues& secrets_;
  const std::function<bool(const std::string&)> of_other_step_;
  Reach reach_;
  std::string start_;
  std::size_t from_ = 0, to_ = 0, at_ = 0;
  Deadline end_;
  std::unique_ptr<Browser> browser_;
  ReplayResult result_;

  std::size_t tab_ = 0;
  std::size_t dialogs_before_ = 0;  // number of dialogs answered by steps
  std::optional<Element> focus_;    // the element that the last step surely focused
  std::size_t focus_tab_ = 0;       // the page of focus_
  std::optional<Element> acted_;    // the element of the last step that had one
  std::string frame_why_;           // why the last frame_of() found none
  bool answered_ = false;           // whether the main frame reacted to the step's last input
};

}  // namespace hebb::skill
