// --on-outcome: a shell command of the user that is told of each outcome, for example to close the
// task in a tracker.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "engine/ledger/event.h"

namespace hebb::cli {

// Runs the command once for each outcome, one after the other in the order of take(), on a thread
// of its own. The outcome has been committed by then: a command that fails or takes too long is a
// warning, and an outcome that hebb was killed before is not told again.
class OutcomeHook {
 public:
  using Warn = std::function<void(const std::string&)>;

  // most_ms: after that a run of the command is killed. warn: called by the thread.
  OutcomeHook(std::string command, TimeMs most_ms, Warn warn);
  ~OutcomeHook();  // waits until the command has run for each
  OutcomeHook(const OutcomeHook&) = delete;
  OutcomeHook& operator=(const OutcomeHook&) = delete;

  void take(const Event& outcome);  // any thread; does not wait

 private:
  struct Told {
    std::vector<std::string> variables;  // NAME=value
    std::string json;                    // a line
    std::string what;                    // for warnings
  };

  static Told told_of(const Event& outcome);
  void run_all();
  void run(const Told& told) const;

  const std::string command_;
  const TimeMs most_ms_;
  const Warn warn_;
  std::mutex mutex_;  // guards waiting_ and ending_
  std::condition_variable changed_;
  std::deque<Told> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

// Adds --on-outcome and --on-outcome-timeout, which set members of the context.
void add_outcome_hook(CLI::App& command, Context& context);

// For EngineOptions::outcome_taken; empty if there is no --on-outcome. The hook ends with the
// context. warn: as the context's notes, if empty.
std::function<void(const Event&)> outcome_listener(const Context& context,
                                                   OutcomeHook::Warn warn = {});

}  // namespace hebb::cli
