// --on-outcome: a shell command of the user that runs for each outcome, for example to close the
// task in a tracker.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "api/pending_hooks.h"
#include "cli/command.h"

namespace hebb::cli {

// Runs the command once for each outcome, one after the other in the order of take(), on a thread
// of its own. Each outcome is in the ledger before the command runs, and stays pending until the
// command succeeds (api/pending_hooks.h).
class OutcomeHook {
 public:
  enum class LineKind { output, warning };
  using PrintLine = std::function<void(LineKind, const std::string&)>;  // called by the thread

  OutcomeHook(const Context& context, PrintLine print_line);
  ~OutcomeHook();  // waits until the command has run for each
  OutcomeHook(const OutcomeHook&) = delete;
  OutcomeHook& operator=(const OutcomeHook&) = delete;

  void take(std::int64_t position);  // any thread; does not wait

 private:
  void run_all();
  void run(std::int64_t position);

  const Context& context_;
  const std::string database_;  // an absolute path, since a command may change its folder
  const PrintLine print_line_;
  api::PendingHooks pending_;  // used by the thread
  std::mutex mutex_;           // guards waiting_ and ending_
  std::condition_variable changed_;
  std::deque<std::int64_t> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

// Adds --on-outcome and --on-outcome-timeout, which set members of the context.
void add_outcome_hook(CLI::App& command, Context& context);

// For EngineOptions::outcome_taken; empty if there is no --on-outcome. The hook ends with the
// context. Without `print_line` its lines go to stderr.
std::function<void(const Event&)> outcome_listener(const Context& context,
                                                   OutcomeHook::PrintLine print_line = {});

}  // namespace hebb::cli
