// skill: recorded browser tasks, stored and looked up.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "skill/replay/replay.h"
#include "skill/store/contract.h"
#include "skill/store/skill.h"

namespace hebb::fields {

// In JSON it is the stored record, with its own spelling (docs/skills.md).
template <>
struct Codec<skill::ListedSkill> : Plain<skill::ListedSkill, Kind::object> {
  static Json get(const skill::ListedSkill& s) { return skill::skill_json(s.skill, s.history); }
  static void set(skill::ListedSkill&, const Json&) {}  // only in results
};

}  // namespace hebb::fields

namespace hebb::api {

// The domain that skills for this address have: the host, with its port if it has one, in lower
// case. Empty: it names none.
std::string domain_of(std::string_view url);

// Which skill, and how a browser is to be driven.
struct SkillRunSettings {
  std::string skill, url;
  std::int64_t step_timeout = 5000, timeout = 120'000;
  bool allow_risky = false;
  std::vector<std::string> allow_origin;
  bool allow_script = false;
  std::optional<int> secrets_fd;
  std::string evidence, browser;
  bool headed = false;
};
RECORD(
    SkillRunSettings, FIELD(skill, "Its id, or its name", {.required = true, .positional = true}),
    FIELD(url, "Start here instead of where it was recorded", {.rare = true}),
    FIELD(step_timeout, "Milliseconds for a step",
          {.unit = "ms", .min = 1, .max = 3'600'000, .rare = true}),
    FIELD(timeout, "Milliseconds for all of them",
          {.unit = "ms", .min = 1, .max = 3'600'000, .rare = true}),
    FIELD(allow_risky,
          "Do what cannot be taken back: delete, pay, send a form that nothing checks"),
    FIELD(allow_origin, "Another origin that the pages may use; * is any part of it",
          {.rare = true}),
    FIELD(allow_script, "Run the recording's scripts", {.local = true}),
    FIELD(secrets_fd,
          "Read NAME=VALUE lines for ${SECRET:NAME} from this descriptor (else HEBB_SECRET_NAME)",
          {.local = true}),
    FIELD(evidence,
          "Where to store what the page showed when a step fails (else beside the database)",
          {.local = true}),
    FIELD(browser, "The Chromium to use", {.local = true}),
    FIELD(headed, "Show the browser's window", {.local = true}))
// A run's options, from the request and the session's permissions: the only place that combines
// them. `secrets` must outlive them.
skill::ReplayOptions replay_options(const Session& session, const SkillRunSettings& settings,
                                    skill::SecretValues& secrets);

// A skill by its id, or by its name if only one skill has that name. Throws Problem.
skill::Skill require_skill(Engine& engine, const std::string& id_or_name);

}  // namespace hebb::api
