// hebb trace: passes a program's output on without its trace lines, and learns from the lines.
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "api/values.h"
#include "capture/trace/learn.h"
#include "capture/trace/run.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

using capture::TraceRun;

constexpr const char* kKeyVariable = "HEBB_TRACE_KEY";

// The most events that --json prints, so that memory is bounded.
constexpr std::size_t kEventsKept = 100'000;
constexpr std::size_t kEventBytesKept = std::size_t{32} << 20;

struct TraceOptions {
  std::string key;
  const CLI::Option* key_option = nullptr;
  bool no_trace = false;
  bool summary = false;
};

// Collects the events of a run for --json, each with its own fields.
class Traces {
 public:
  void add(const capture::TraceEvent& event) {
    const std::size_t size = event.trace_id.size() + event.tool.size() +
                             event.parent_trace_id.size() + event.error.size();
    if (events_.size() == kEventsKept || bytes_ + size > kEventBytesKept) {
      ++left_out_;
      return;
    }
    bytes_ += size;
    events_.push_back(json(event));
  }
  Json take() { return std::move(events_); }
  std::uint64_t left_out() const { return left_out_; }

 private:
  static Json json(const capture::TraceEvent& event) {
    const bool starts = event.kind == capture::TraceEvent::Kind::start;
    Json out = {{"type", starts ? "tool_start" : "tool_end"}, {"trace_id", event.trace_id}};
    if (starts) {
      out["tool"] = event.tool;
      if (event.ts) out["ts"] = *event.ts;
      if (!event.parent_trace_id.empty()) out["parent_trace_id"] = event.parent_trace_id;
    } else {
      out["success"] = event.success;
      if (event.duration_ms) out["duration_ms"] = number(*event.duration_ms);
      if (!event.error.empty()) out["error"] = event.error;
    }
    return out;
  }

  // A whole number is printed without a decimal point.
  static Json number(double x) {
    const auto whole = static_cast<std::int64_t>(x);  // fits, because durations are bounded
    return static_cast<double>(whole) == x ? Json(whole) : Json(x);
  }

  Json events_ = Json::array();
  std::size_t bytes_ = 0;
  std::uint64_t left_out_ = 0;
};

[[noreturn]] void cannot_start(const std::string& command, const std::error_code& error) {
  write_message(fmt::format("hebb: cannot run {}: {}", command, error.message()));
  const bool missing = error == std::errc::no_such_file_or_directory;
  capture::end_like({missing ? kNotFound : kNotExecutable, 0});
}

[[noreturn]] void replace_with(std::vector<std::string> command) {
  if (command.empty()) command = {"cat"};
  try {
    capture::replace_process(command);
  } catch (const std::system_error& e) {
    cannot_start(command[0], e.code());
  }
}

// Errors here become warnings: they must not change the program's output and exit code.
capture::ObservationReport learn(const Context& context, const TraceRun& run,
                                 capture::TimeBounds bounds) {
  if (run.fold.counts().succeeded == 0) return {};
  try {
    CommandSession session(context);
    Engine& engine = session.engine(api::Access::write);
    const auto learned = capture::learn(engine, run.fold, bounds);
    engine.sync();
    return learned;
  } catch (const std::exception& e) {
    write_message(fmt::format("hebb: warning: the trace was not learned: {}", e.what()));
    return {};
  }
}

// One line on stderr; ASCII, so that no text of the program controls a terminal.
void print_json_summary(const TraceRun& run, const capture::ObservationReport& learned,
                        Traces traces) {
  const auto c = run.fold.counts();
  const Json summary = {
      {"tools_called", run.fold.tools_called()},
      {"traces", traces.take()},
      {"traces_left_out", traces.left_out()},
      {"calls", c.calls},
      {"succeeded", c.succeeded},
      {"failed", c.failed},
      {"unfinished", c.unfinished},
      {"unmatched", c.unmatched},
      {"repeated", c.repeated},
      {"dropped", c.dropped},
      {"invalid", run.lines.invalid},
      {"nodes", learned.nodes},
      {"links", learned.links},
      {"known", learned.duplicates},
      {"skipped", learned.skipped},
  };
  write_message(summary.dump(-1, ' ', true));
}

void print_summary(const TraceRun& run, const capture::ObservationReport& learned) {
  const auto c = run.fold.counts();
  const auto n = [](auto count) { return static_cast<std::int64_t>(count); };
  std::string text = fmt::format("hebb: {}: {} succeeded, {} failed, {} unfinished",
                                 counted(n(c.calls), "call"), c.succeeded, c.failed, c.unfinished);
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view more) {
    if (count != 0) text += "; " + counted(n(count), one, more);
  };
  const auto add_same = [&](std::uint64_t count, std::string_view what) { add(count, what, what); };
  add(c.unmatched, "end without a start", "ends without a start");
  add(c.repeated, "start with a trace_id seen before", "starts with a trace_id seen before");
  add(c.dropped, "start past the limit of one run", "starts past the limit of one run");
  add(run.lines.invalid, "line with the prefix was no event: output",
      "lines with the prefix were no events: output");
  text += fmt::format("; learned {}, {}", counted(n(learned.nodes), "tool"),
                      counted(n(learned.links), "link"));
  add_same(learned.duplicates, "known before");
  add_same(learned.skipped,
           "about what is no tool, was forgotten since, or is beyond the bound: not learned");
  write_message(text);
}

void trace(const Context& context, const TraceOptions& options) {
  const auto& command = context.command;
  if (options.no_trace) replace_with(command);
  const bool key_given = options.key_option->count() > 0 || std::getenv(kKeyVariable) != nullptr;
  if (key_given && options.key.empty()) {
    throw Stop(kUsage, "the key is empty: then any program could forge a trace");
  }
  if (command.empty() && isatty(STDIN_FILENO)) {
    throw Stop(kUsage, "nothing to trace: give a COMMAND, or a file or pipe on stdin");
  }
  capture::TraceRunOptions run_options;
  run_options.command = command;
  run_options.key = options.key;
  run_options.clock = [&context] { return context.now(); };
  Traces traces;
  if (context.json) run_options.seen = [&traces](const auto& event) { traces.add(event); };
  capture::TimeBounds bounds;
  if (!command.empty()) bounds.earliest = context.now();
  TraceRun run;
  try {
    run = capture::run_trace(run_options);
  } catch (const std::system_error& e) {
    cannot_start(command.empty() ? "the filter" : command[0], e.code());
  }
  bounds.latest = context.now();
  const auto learned = learn(context, run, bounds);
  if (context.json) {
    print_json_summary(run, learned, std::move(traces));
  } else if (options.summary) {
    print_summary(run, learned);
  }
  if (!run.error.empty()) {
    write_message("hebb: " + run.error);
    if (run.end.exit_code == 0) run.end.exit_code = kFailed;
  }
  if (run.end.exit_code != 0) capture::end_like(run.end);
}

}  // namespace

void add_trace(CLI::App& app, Context& context) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App* command =
      add_command(app, context, "trace", "Run a program and learn from the tool calls it prints",
                  "  hebb trace -- node agent.js\n  hebb trace --key \"$KEY\" -- ./agent\n"
                  "  hebb trace --summary < saved-output.txt\n"
                  "  hebb trace --json < saved-output.txt 2>traces.json   # every trace, as JSON",
                  [&context, options] { trace(context, *options); });
  options->key_option =
      command
          ->add_option("--key", options->key,
                       "Only events that carry this key are read; the rest is output")
          ->envname(kKeyVariable);
  command->add_flag("--no-trace", options->no_trace, "Run the program as if hebb were not there");
  command->add_flag("--summary", options->summary, "Say on stderr what was seen and learned");
  add_rest(*command, "The program and its arguments, after --; else stdin is filtered");
}

}  // namespace hebb::cli
