// hebb skill run, verify
#include "api/skill_run.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/outcome_hook.h"

namespace hebb::cli {

namespace {

using api::SkillReplayRequest, api::SkillRunResult;
using api::SkillVerifyRequest, api::SkillVerifyResult;

void print_run(const Context& context, const SkillRunResult& r) {
  for (const auto& s : r.step_results) {
    const std::string how =
        s.resolved_via.is_string()
            ? fmt::format(" via {}", s.resolved_via.get_ref<const std::string&>())
            : "";
    context.report(
        fmt::format("step {}: {}{}, {} ms", s.index, s.ok ? "done" : "failed", how, s.elapsed_ms));
  }
  if (r.ok) {
    return context.line(fmt::format("done: {} of {} in {} ms", r.steps_executed,
                                    counted(r.steps_total, "step"), r.elapsed_ms));
  }
  context.line(
      fmt::format("{} at step {}: {}", r.failure->code, r.failure->step_index, r.failure->detail));
  if (r.failure->evidence_bundle_path)
    context.line("evidence: " + *r.failure->evidence_bundle_path);
}

// Each run is said when it is done: they take long.
void prepare_run(const Context& context, SkillVerifyRequest& request) {
  if (context.json) return;
  request.done = [&context, runs = request.runs](int run, const SkillRunResult& result) {
    context.report(fmt::format("run {} of {}:", run, runs));
    print_run(context, result);
  };
}

void print_healed(const Context& context, const api::SkillHealResult& r) {
  for (const auto& step : r.healed)
    context.line(fmt::format("step {}: {} is now {} (by {})", step.index, step.was, step.now,
                             step.found_by));
  if (!r.run.ok) {
    const api::SkillRunFailure& f = *r.run.failure;
    context.line(fmt::format("not healed: {} at step {}: {}", f.code, f.step_index, f.detail));
    if (f.evidence_bundle_path) context.line("evidence: " + *f.evidence_bundle_path);
  } else if (r.healed.empty()) {
    context.line("nothing to heal: every step finds its element");
  } else if (r.written) {
    context.line("healed; `hebb undo` lists the event to undo to have the earlier steps back");
  } else {
    context.line("nothing is written: the skill has no contract that says whether that is right");
  }
}

void add_healing(CLI::App& skill, Context& context) {
  using api::SkillHealRequest, api::SkillHealResult;
  auto* command = add_operation<SkillHealRequest, SkillHealResult>(
      skill, context,
      {"skill_heal",
       api::skill_heal,
       [](const Context& c, const SkillHealRequest&, const SkillHealResult& r) {
         print_healed(c, r);
       },
       {},
       [](const Context&, const SkillHealRequest&, const SkillHealResult& r) {
         if (!r.run.ok) throw Stop(kFailed, "");
       }});
  command->get_option("--allow-origin")->allow_extra_args(false);
  add_outcome_hook(*command, context);
}

void add_repeated(CLI::App& skill, Context& context) {
  auto* command = add_operation<SkillVerifyRequest, SkillVerifyResult>(
      skill, context,
      {"skill_verify", api::skill_verify,
       [](const Context& c, const SkillVerifyRequest&, const SkillVerifyResult& r) {
         if (!r.ok) return;
         c.line(r.proven ? "proven" : "not proven yet: three clean runs in a row are needed");
       },
       prepare_run,
       [](const Context&, const SkillVerifyRequest&, const SkillVerifyResult& r) {
         if (!r.ok) throw Stop(kFailed, "");
       }});
  command->get_option("--allow-origin")->allow_extra_args(false);
  add_outcome_hook(*command, context);
}

}  // namespace

void add_skill_run(CLI::App& skill, Context& context) {
  auto* command = add_operation<SkillReplayRequest, SkillRunResult>(
      skill, context,
      {"skill_replay",
       api::skill_replay,
       [](const Context& c, const SkillReplayRequest&, const SkillRunResult& r) {
         print_run(c, r);
       },
       {},
       [](const Context&, const SkillReplayRequest&, const SkillRunResult& r) {
         if (!r.ok) throw Stop(kFailed, "");
       }});
  command->get_option("--allow-origin")->allow_extra_args(false);
  add_outcome_hook(*command, context);
  add_repeated(skill, context);
  add_healing(skill, context);
}

}  // namespace hebb::cli
