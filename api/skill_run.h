// skill run, heal: a skill's steps done again in a browser on this machine.
#pragma once

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

}  // namespace hebb::api
