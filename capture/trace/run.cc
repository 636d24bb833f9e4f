#include "capture/trace/run.h"

#include <cstring>

#include <fcntl.h>
#include <signal.h>

#include "capture/child.h"
#include "secrets/secrets.h"

namespace hebb::capture {
namespace {

// Without a command there is no other side, and a signal to end acts like the end of the input: the
// events so far are learned. A second signal kills.
class NoCommand : public OtherSide {
 public:
  NoCommand(int input, const HeldSignals& signals) : input_(input), signals_(signals) {}
  int out() const override { return input_; }
  bool ended() override { return true; }
  bool signal(const ArrivedSignal&) override {
    signals_.unblock();
    return true;
  }

 private:
  const int input_;
  const HeldSignals& signals_;
};

std::string message(const Relay::Result& result) {
  if (result.output == FlowEnd::write_failed) {
    return std::string("cannot write the output: ") + std::strerror(result.error);
  }
  if (result.output == FlowEnd::read_failed) {
    return std::string("cannot read the input: ") + std::strerror(result.error);
  }
  return {};
}

ProcessEnd killed_by(int signal) { return {128 + signal, signal}; }

void run_filter(const TraceRunOptions& options, const HeldSignals& signals, Relay& relay,
                TraceRun& run) {
  NoCommand none(options.in, signals);
  const Relay::Result result = relay.run(none, -1, options.out);
  run.error = message(result);
  if (!run.error.empty()) run.end.exit_code = 1;
  if (result.output == FlowEnd::reader_gone) run.end = killed_by(SIGPIPE);
  if (result.signal != 0) run.end = killed_by(result.signal);
}

void run_command(const TraceRunOptions& options, const HeldSignals& signals, Relay& relay,
                 TraceRun& run) {
  ChildProcess child(options.command, ChildProcess::Stdin::inherited, signals);
  fcntl(child.out(), F_SETPIPE_SZ, kPipeBytes);
  const Relay::Result result = relay.run(child, -1, options.out);
  run.error = message(result);
  run.end = result.output == FlowEnd::cut_off ? killed_by(result.signal) : child.end();
}

}  // namespace

TraceRun run_trace(const TraceRunOptions& options) {
  const bool filters = options.command.empty();
  const HeldSignals signals =
      filters ? HeldSignals{SIGHUP, SIGINT, SIGTERM} : HeldSignals(kPassedSignals);
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
  TraceFilter::Spans spans;
  Relay relay(signals, {}, [&](std::string_view bytes, const Relay::Write& write) {
    spans.clear();
    bytes.empty() ? filter.finish(spans) : filter.feed(bytes, spans);
    write(spans);
  });
  // Fails without harm if it is no pipe.
  for (const int fd : {filters ? options.in : -1, options.out}) fcntl(fd, F_SETPIPE_SZ, kPipeBytes);
  filters ? run_filter(options, signals, relay, run) : run_command(options, signals, relay, run);
  run.lines = filter.stats();
  return run;
}

}  // namespace hebb::capture
