#include "cli/outcome_hook.h"

#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "api/field.h"
#include "api/open.h"
#include "cli/output.h"
#include "cli/shell_command.h"
#include "cli/view.h"

namespace hebb::cli {

namespace {

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

OutcomeHook::OutcomeHook(const Context& context, PrintLine print_line)
    : context_(context),
      database_(api::absolute_path(context.db_path())),
      print_line_(std::move(print_line)),
      pending_(database_) {
  std::signal(SIGCHLD, SIG_DFL);  // if SIGCHLD was ignored, exit codes would be lost
  // This thread handles no signals.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { run_all(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OutcomeHook::~OutcomeHook() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void OutcomeHook::take(std::int64_t position) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(position);
  }
  changed_.notify_one();
}

void OutcomeHook::run_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::int64_t position = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    try {
      run(position);
    } catch (const std::exception& e) {
      print_line_(LineKind::warning,
                  fmt::format("warning: --on-outcome, event {}: {}; see `hebb dead-letters list`",
                              position, e.what()));
    }
    lock.lock();
  }
}

void OutcomeHook::run(std::int64_t position) {
  const auto outcome = pending_.at(position);
  if (!outcome) return;
  const Json report = json_or_discarded(outcome->text);
  const std::string task = text(report, "task"), how = text(report, "outcome");
  const ShellRun ran = run_shell_command(context_.on_outcome, outcome->text + "\n",
                                         {{"HEBB_TASK", task},
                                          {"HEBB_OUTCOME", how},
                                          {"HEBB_EVENT", std::to_string(position)},
                                          {"HEBB_AGENT", text(report.at("given"), "agentId")},
                                          {"HEBB_DB", database_}},
                                         context_.on_outcome_ms);
  std::string_view output = ran.output;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    print_line_(LineKind::output, std::string(line));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
  }
  if (ran.wrong.empty()) return pending_.done(outcome->id);
  print_line_(
      LineKind::warning,
      fmt::format("warning: the command of --on-outcome {} for the {} of {} (event {}), which "
                  "counts all the same; `hebb dead-letters retry {} --on-outcome COMMAND` runs it "
                  "again",
                  ran.wrong, how, task, position, outcome->id));
  const std::string_view message = last_line(ran.output);
  pending_.failed(outcome->id, ran.wrong + (message.empty() ? "" : fmt::format(": {}", message)),
                  context_.now());
}

void add_outcome_hook(CLI::App& command, Context& context) {
  command
      .add_option("--on-outcome", context.on_outcome,
                  "A shell command to run after each outcome, with HEBB_TASK, HEBB_OUTCOME, "
                  "HEBB_EVENT and HEBB_AGENT, and JSON on its standard input")
      ->type_name("COMMAND")
      ->check(not_empty());
  command
      .add_option_function<std::string>(
          "--on-outcome-timeout",
          [&context](const std::string& text) {
            const auto span = api::parse_duration(text);
            constexpr TimeMs kMost = 24 * 3'600'000;
            if (!span || *span < 1 || *span > kMost) {
              throw CLI::ValidationError("--on-outcome-timeout",
                                         "has to be a span of at most a day, such as 30s or 2m");
            }
            context.on_outcome_ms = *span;
          },
          "How long a run of it may take; then it is killed (default 60s)")
      ->type_name("SPAN");
}

std::function<void(const Event&)> outcome_listener(const Context& context,
                                                   OutcomeHook::PrintLine print_line) {
  if (context.on_outcome.empty()) return {};
  if (!context.outcome_hook) {
    if (!print_line)
      print_line = [](OutcomeHook::LineKind, const std::string& text) { write_message(text); };
    context.outcome_hook = std::make_shared<OutcomeHook>(context, std::move(print_line));
  }
  return [&hook = *context.outcome_hook](const Event& outcome) { hook.take(outcome.position); };
}

}  // namespace hebb::cli
