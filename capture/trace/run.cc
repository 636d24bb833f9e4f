#include "capture/trace/run.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <signal.h>

#include "capture/trace/stop.h"
#include "secrets/secrets.h"

namespace hebb::capture {
namespace {

// A signal that asks the filter to end acts like the end of its input: what it saw is learned.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction action {};
    action.sa_handler = StopRequest::make;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second one kills
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~StopSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array kSignals = {SIGHUP, SIGINT, SIGTERM};
  std::array<struct sigaction, kSignals.size()> before_{};
};

std::string message(const PumpResult& result) {
  if (result.end == PumpEnd::write_failed) {
    return std::string("cannot write the output: ") + std::strerror(result.error);
  }
  if (result.end == PumpEnd::read_failed) {
    return std::string("cannot read the input: ") + std::strerror(result.error);
  }
  return {};
}

ProcessEnd stopped() { return {128 + StopRequest::made_by(), StopRequest::made_by()}; }

void run_filter(const TraceRunOptions& options, TraceFilter& filter, TraceRun& run) {
  const StopSignals signals;
  const PumpResult result = pump(options.in, options.out, filter, Stopped::ends);
  run.error = message(result);
  if (!run.error.empty()) run.end.exit_code = 1;
  if (result.end == PumpEnd::reader_gone) run.end = {128 + SIGPIPE, SIGPIPE};
  if (result.end == PumpEnd::interrupted) run.end = stopped();
}

void run_command(const TraceRunOptions& options, TraceFilter& filter, TraceRun& run) {
  Child child(options.command);
  const PumpResult result = pump(child.stdout_fd(), options.out, filter, Stopped::drains);
  run.error = message(result);
  child.close_stdout();
  run.end = child.wait();
  if (result.end == PumpEnd::interrupted && result.error == EINTR) run.end = stopped();
}

}  // namespace

TraceRun run_trace(const TraceRunOptions& options) {
  const IgnoreSigpipe ignore;
  const StopRequest stop;
  TraceRun run;
  TraceFilter filter({options.key}, [&](const TraceEvent& event) {
    const bool dated = event.kind == TraceEvent::Kind::start ? event.ts.has_value()
                                                             : event.duration_ms.has_value();
    run.fold.add(event, dated ? 0 : options.clock());
    if (!options.seen) return;
    TraceEvent shown = event;
    const std::string error =
        event.error.empty() ? std::string() : secrets::Redactor().text(event.error);
    shown.error = error;
    options.seen(shown);
  });
  options.command.empty() ? run_filter(options, filter, run) : run_command(options, filter, run);
  run.lines = filter.stats();
  return run;
}

}  // namespace hebb::capture
