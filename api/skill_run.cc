// skill run: a skill's steps done again in a browser on this machine.
#include <algorithm>

#include <unistd.h>

#include "api/skill.h"
#include "skill/learn/learn.h"
#include "skill/replay/record.h"

namespace hebb::skill {

RECORD(Failure, FIELD(code, "Why, as a word"), FIELD(step_index, "At which step, from 0"),
       FIELD(detail, "In words"),
       field("evidence_bundle_path", self.evidence, "A folder with what was seen",
             {.may_be_absent = true}))

RECORD(StepResult, FIELD(index, "From 0"),
       FIELD(resolved_via, "How its element was found; absent: it was not"),
       FIELD(selector_attempts, "How many ways were tried"),
       FIELD(elapsed_ms, "How long it took", {.unit = "ms"}), FIELD(ok, "It was done"))

RECORD(ReplayResult, FIELD(ok, "Every step was done, and what had to hold held"),
       field("steps_executed", self.executed, "How many were done"),
       field("steps_total", self.total, "How many there are"), FIELD(failure, "Where it is not ok"),
       field("step_results", self.steps, "Of each step that was tried"),
       FIELD(elapsed_ms, "How long it took", {.unit = "ms"}))

}  // namespace hebb::skill

namespace hebb::api {

namespace {

// Reads NAME=VALUE lines from a descriptor, so that they are in no argument and no file.
void read_secrets(int fd, skill::SecretValues& secrets) {
  constexpr std::size_t kBytes = 1 << 20;
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = ::read(fd, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(n));
    if (text.size() > kBytes) {
      throw invalid("secrets_fd", "{} has more than 1 MiB", named("secrets_fd"));
    }
  }
  secrets.add_lines(text);
}

// Whether the skill was not recorded anew since it was read.
bool is_as_replayed(Engine& engine, const skill::Skill& replayed) {
  const auto there = skill::load_skill(engine, replayed.id);
  return there && there->recorded_at == replayed.recorded_at;
}

skill::ReplayResult replay_once(Session& session, const std::string& name,
                                const skill::ReplayOptions& options) {
  Engine& engine = session.engine(Access::write);
  if (!skill::replay_enabled())
    return skill::refused(skill::code::kDisabled, "HEBB_SKILL_REPLAY is 0");
  if (!options.disabled.empty()) return skill::refused(skill::code::kDisabled, options.disabled);
  std::optional<skill::Skill> skill;
  try {
    skill = require_skill(engine, name);
  } catch (const Problem& e) {
    return skill::refused(skill::code::kSkillNotFound, e.what());
  }
  // A skill that was not recorded in hebb's own browser gets the signatures of its page and
  // elements from its first clean run.
  const bool known = std::any_of(skill->elements.begin(), skill->elements.end(),
                                 [](const auto& traits) { return traits.has_value(); });
  const bool first =
      skill->signature.origin.empty() && !known && options.url.empty() && !options.range;
  skill::ReplayOptions seeing = options;
  if (first) seeing.capture = skill::ReplayOptions::Capture::traits;
  auto result = skill::replay(
      *skill, seeing, [&](const std::string& id) { return skill::load_contract(engine, id); });
  engine.write([&] {
    skill::learn_replay(engine, *skill, result, session.now());
    if (!first || !result.ok || !is_as_replayed(engine, *skill)) return;
    // A skill that begins with a navigation has no start page to compare, and so no signature.
    skill::Skill seen = skill::with_traits(*skill, result);
    seen.signature = result.signature;
    if (seen.elements != skill->elements || !seen.signature.origin.empty())
      skill::save_skill(engine, seen, session.now() + 2);
  });
  engine.sync();
  return result;
}

}  // namespace

skill::ReplayOptions replay_options(const Session& session, const SkillRunSettings& settings,
                                    skill::SecretValues& secrets) {
  BrowserUse use = session.browser_use();
  skill::ReplayOptions options;
  options.disabled = std::move(use.disabled);
  options.only_origins = std::move(use.origins);
  options.upload_folder = std::move(use.files);
  options.browser.cancelled = std::move(use.cancelled);
  options.url = settings.url;
  options.step_timeout_ms = settings.step_timeout;
  options.run_timeout_ms = settings.timeout;
  options.allow_risky = settings.allow_risky;
  options.allow_script = settings.allow_script;
  options.allow_origins = settings.allow_origin;
  options.browser.program = settings.browser;
  options.browser.headed = settings.headed;
  options.secrets = &secrets;
  if (settings.secrets_fd) read_secrets(*settings.secrets_fd, secrets);
  options.evidence_folder =
      settings.evidence.empty() ? session.file() + ".evidence" : settings.evidence;
  return options;
}

// --- run -----------------------------------------------------------------------------------------

struct SkillReplayRequest : SkillRunSettings {
  std::optional<std::int64_t> from_step, to_step;
  bool keep_going = false;
  int runs = 1;
};
RECORD(SkillReplayRequest, part<SkillRunSettings>(self),
       FIELD(from_step, "The first step to do, from 0", {.min = 0, .rare = true}),
       FIELD(to_step, "The last one", {.min = 0, .rare = true}),
       FIELD(keep_going, "Go on after a step whose check fails", {.rare = true}),
       FIELD(runs, "How often, until one fails", {.min = 1, .max = 1000, .local = true}))

struct SkillReplayResult : skill::ReplayResult {
  std::optional<bool> proven;
  std::vector<skill::ReplayResult> runs;
};
RECORD(SkillReplayResult, part<skill::ReplayResult>(self),
       FIELD(proven, "Of several runs: it has three clean runs in a row now"),
       FIELD(runs, "Of several: each; the rest of the result is the last one's",
             {.may_be_absent = true}))

static SkillReplayResult skill_replay(Session& session, const SkillReplayRequest& request) {
  skill::SecretValues secrets;
  auto options = replay_options(session, request, secrets);
  options.stop_on_contract_failure = !request.keep_going;
  if (request.from_step || request.to_step) {
    const auto from = static_cast<std::size_t>(request.from_step.value_or(0));
    options.range = {from, request.to_step ? static_cast<std::size_t>(*request.to_step) : from};
  }
  SkillReplayResult result{replay_once(session, request.skill, options), {}, {}};
  for (int i = 1; request.runs > 1; ++i) {
    result.runs.push_back(result);
    Json part = write_record(fields_of<skill::ReplayResult>(), &result.runs.back());
    part["run"] = i;
    part["runs"] = request.runs;
    session.part(part);
    if (!result.ok || i == request.runs) break;
    static_cast<skill::ReplayResult&>(result) = replay_once(session, request.skill, options);
  }
  if (!result.ok || request.runs == 1) return result;
  Engine& engine = session.engine(Access::write);
  result.proven = skill::skill_history(engine, require_skill(engine, request.skill).id).proven();
  return result;
}

Operations skill_run_operations() {
  return {
      operation({.name = "skill_replay",
                 .command = "skill run",
                 .summary = "Do a skill's steps again in a browser, exactly or not at all",
                 .example = "  hebb skill run checkout\n"
                            "  hebb skill run checkout --url http://localhost:8080/ --json\n"
                            "  hebb skill run checkout --runs 3    # three in a row prove it\n"
                            "  hebb skill run login --secrets-fd 3 3< secrets.env",
                 // Without a route: a browser would hold up the thread that writes. Listed even
                 // when switched off, so that the list of tools stays the same.
                 .tool = Tool::core,
                 .writes = true,
                 .destructive = true,
                 .open_world = true},
                skill_replay),
  };
}

}  // namespace hebb::api
