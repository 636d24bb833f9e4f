// skill run, heal, verify: a skill's steps done again in a browser on this machine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "skill/replay/replay.h"

namespace hebb::api {

// Which skill, and how a browser is to be driven.
struct SkillRunSettings {
  std::string skill, url;
  std::int64_t step_timeout = 5000, timeout = 120'000;
  bool allow_risky = false;
  std::vector<std::string> allow_origin;
  std::optional<int> secrets_fd;
  std::string evidence, browser;
  bool headed = false;
};

// A run's options from what is asked for and what the session may do: the one place that binds
// them. `secrets` is used as long as they are.
skill::ReplayOptions replay_options(const Session& session, const SkillRunSettings& settings,
                                    skill::SecretValues& secrets);

struct SkillReplayRequest : SkillRunSettings {
  std::optional<std::int64_t> from_step, to_step;
  bool keep_going = false;
  static const Fields& fields();
};

struct SkillRunFailure {
  std::string code;
  std::int64_t step_index = 0;
  std::string detail;
  std::optional<std::string> evidence_bundle_path;
  static const Fields& fields();
};
struct SkillRunStep {
  std::int64_t index = 0;
  Json resolved_via;  // null: nothing found it
  std::int64_t selector_attempts = 0, elapsed_ms = 0;
  bool ok = false;  // only for text output: not in the JSON, whose format is that of the originals
  static const Fields& fields();
};
struct SkillRunResult {
  bool ok = false;
  std::int64_t steps_executed = 0, steps_total = 0;
  std::optional<SkillRunFailure> failure;
  std::vector<SkillRunStep> step_results;
  std::int64_t elapsed_ms = 0;  // only for text output
  static const Fields& fields();
};
SkillRunResult skill_replay(Session& session, const SkillReplayRequest& request);
Operation skill_replay_operation();

// Does the steps as skill_replay() does, and guesses where no selector finds an element. Where the
// skill's contract then holds, the chains of the guessed elements are written anew.
struct SkillHealRequest : SkillRunSettings {
  static const Fields& fields();
};
struct SkillHealedStep {
  std::int64_t index = 0;
  std::string was, now, found_by;
  Json selectors;
  static const Fields& fields();
};
struct SkillHealResult {
  SkillRunResult run;
  std::vector<SkillHealedStep> healed;
  bool written = false;
  static const Fields& fields();
};
SkillHealResult skill_heal(Session& session, const SkillHealRequest& request);
Operation skill_heal_operation();

struct SkillVerifyRequest : SkillRunSettings {
  int runs = 3;
  std::function<void(int run, const SkillRunResult&)> done;  // told of each
  static const Fields& fields();
};
struct SkillVerifyResult {
  bool ok = false, proven = false;
  std::vector<SkillRunResult> runs;
  static const Fields& fields();
};
SkillVerifyResult skill_verify(Session& session, const SkillVerifyRequest& request);
Operation skill_verify_operation();

}  // namespace hebb::api
