// One step of a replay: its element found and acted on within its time.
#pragma once

#include <functional>
#include <string>

#include "skill/browser/input.h"
#include "skill/replay/replay.h"

namespace hebb::skill {

// Ends a step, and with it the run.
class StepFailed : public std::runtime_error {
 public:
  StepFailed(std::string_view code, const std::string& detail)
      : std::runtime_error(detail), code_(code) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// What a step needs to know of the run that it belongs to.
struct RunContext {
  Browser& browser;
  const ReplayOptions& options;
  SecretValues& secrets;
  std::function<bool(const std::string& url)> allowed;  // whether its origin is
};

class StepRunner {
 public:
  explicit StepRunner(RunContext run) : run_(std::move(run)) {}

  // Throws StepFailed, CdpTimeout, BrowserGone. `result` tells how far it came in any case.
  void run(const Step& step, const Step* next, bool checked_later, StepResult& result,
           Deadline deadline);
  std::size_t tab() const { return tab_; }

  void navigate(const std::string& url, Deadline deadline);
  // Waits until the page that the last action led to can be used. Throws StepFailed where that is
  // of an origin that is not allowed.
  void settle(Deadline deadline);

 private:
  struct Found {
    std::optional<Element> element;
    std::string why;  // not
  };
  Found look(const std::string& frame, const Chain& chain, StepResult& result, Deadline deadline);
  std::string frame_of(const Step& step, Deadline deadline);
  bool is_recorded(const Element& e, const Chain& chain, Deadline deadline);
  void until_done(const Step& step, bool checked_later, StepResult& result, Deadline deadline);
  void act(const Step& step, const Element& e, const std::string& frame, Deadline deadline);
  void act_without_element(const Step& step, Deadline deadline);
  void guard(const Step& step, const Element& e, bool checked_later, Deadline deadline);
  void wait_step(const Step& step, StepResult& result, Deadline deadline);
  bool condition_holds(const Step& step, StepResult& result, Deadline deadline);
  void scroll(const Step& step, const std::optional<Element>& e, Deadline deadline);
  std::string value(const Step& step, const char* key);
  std::vector<std::string> values(const Step& step);

  RunContext run_;
  std::size_t tab_ = 0;
  std::size_t dialogs_before_ = 0;
};

}  // namespace hebb::skill
