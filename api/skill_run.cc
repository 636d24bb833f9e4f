#include "api/skill_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "api/skill.h"
#include "skill/learn/learn.h"
#include "skill/replay/record.h"

namespace hebb::api {

namespace {

template <class S>
Fields common_fields() {
  const auto own = [](auto member) { return member_of<S>(member); };
  return {
      field("skill", own(&SkillRunSettings::skill), "Its id, or its name",
            {.required = true, .positional = true, .was = "skill_id"}),
      field("url", own(&SkillRunSettings::url), "Start here instead of where it was recorded"),
      field("step_timeout", own(&SkillRunSettings::step_timeout), "Milliseconds for a step",
            {.unit = "ms", .min = 1, .max = 3'600'000}),
      field("timeout", own(&SkillRunSettings::timeout), "Milliseconds for all of them",
            {.unit = "ms", .min = 1, .max = 3'600'000}),
      field("allow_risky", own(&SkillRunSettings::allow_risky),
            "Do what cannot be taken back: delete, pay, send a form that nothing checks"),
      field("allow_origin", own(&SkillRunSettings::allow_origin),
            "Another origin that the pages may lead to; * is any part of it"),
      field("secrets_fd", own(&SkillRunSettings::secrets_fd),
            "Read NAME=VALUE lines for ${SECRET:NAME} from this descriptor (else "
            "HEBB_SECRET_NAME)",
            {.local = true}),
      field("evidence", own(&SkillRunSettings::evidence),
            "Where to keep what was seen when a step fails (else beside the database)",
            {.local = true}),
      field("browser", own(&SkillRunSettings::browser), "The Chromium to use", {.local = true}),
      field("headed", own(&SkillRunSettings::headed), "Show the browser's window", {.local = true}),
  };
}

// NAME=VALUE lines from a descriptor, so that they stand in no argument and no file.
void read_secrets(int fd, skill::SecretValues& secrets) {
  constexpr std::size_t kBytes = 1 << 20;
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = ::read(fd, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(n));
    if (text.size() > kBytes) {
      throw Problem(ProblemType::invalid_argument, named("secrets_fd") + " has more than 1 MiB",
                    "secrets_fd");
    }
  }
  secrets.add_lines(text);
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
  // A skill that was not made in a browser of hebb's learns from its first clean run what its page
  // and its elements are like.
  const bool known = std::any_of(skill->elements.begin(), skill->elements.end(),
                                 [](const auto& traits) { return traits.has_value(); });
  const bool first =
      skill->signature.origin.empty() && !known && options.url.empty() && !options.range;
  skill::ReplayOptions seeing = options;
  if (first) seeing.capture = skill::ReplayOptions::Capture::traits;
  auto result = skill::replay(
      *skill, seeing, [&](const std::string& id) { return skill::load_contract(engine, id); });
  skill::learn_replay(engine, *skill, result, session.now());
  if (first && result.ok) {
    // One that begins with a navigation has no start page to compare with, and so no signature.
    skill::Skill seen = skill::with_traits(*skill, result);
    seen.signature = result.signature;
    if (seen.elements != skill->elements || !seen.signature.origin.empty())
      skill::save_skill(engine, seen, session.now() + 2);
  }
  engine.sync();
  return result;
}

SkillRunResult run_result_of(const skill::ReplayResult& r) {
  SkillRunResult result;
  result.ok = r.ok;
  result.steps_executed = static_cast<std::int64_t>(r.executed);
  result.steps_total = static_cast<std::int64_t>(r.total);
  result.elapsed_ms = r.elapsed_ms;
  if (r.failure) {
    auto& failure = result.failure.emplace();
    failure.code = r.failure->code;
    failure.step_index = static_cast<std::int64_t>(r.failure->step_index);
    failure.detail = r.failure->detail;
    if (!r.failure->evidence.empty()) failure.evidence_bundle_path = r.failure->evidence;
  }
  for (const skill::StepResult& s : r.steps) {
    SkillRunStep step;
    step.index = static_cast<std::int64_t>(s.index);
    if (s.resolved_via) step.resolved_via = skill::selector_type_name(*s.resolved_via);
    step.selector_attempts = static_cast<std::int64_t>(s.selector_attempts);
    step.elapsed_ms = s.elapsed_ms;
    step.ok = s.ok;
    result.step_results.push_back(std::move(step));
  }
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
  options.allow_origins = settings.allow_origin;
  options.browser.program = settings.browser;
  options.browser.headed = settings.headed;
  options.secrets = &secrets;
  if (settings.secrets_fd) read_secrets(*settings.secrets_fd, secrets);
  options.evidence_folder =
      settings.evidence.empty() ? session.path() + ".evidence" : settings.evidence;
  return options;
}

// --- run -----------------------------------------------------------------------------------------

const Fields& SkillReplayRequest::fields() {
  using R = SkillReplayRequest;
  static const Fields kFields = [] {
    Fields fields = common_fields<R>();
    fields.push_back(field("from_step", &R::from_step, "The first step to do, from 0", {.min = 0}));
    fields.push_back(field("to_step", &R::to_step, "The last one", {.min = 0}));
    fields.push_back(
        field("keep_going", &R::keep_going, "Go on after a step's contract that fails"));
    return with_presets<R>(std::move(fields));
  }();
  return kFields;
}

const Fields& SkillRunFailure::fields() {
  using R = SkillRunFailure;
  static const Fields kFields{
      field("code", &R::code, "Why (docs/skills.md)"),
      field("step_index", &R::step_index, "At which step, from 0"),
      field("detail", &R::detail, "In words"),
      field("evidence_bundle_path", &R::evidence_bundle_path, "A folder with what was seen"),
  };
  return kFields;
}

const Fields& SkillRunStep::fields() {
  using R = SkillRunStep;
  static const Fields kFields{
      field("index", &R::index, "From 0"),
      field("resolved_via", &R::resolved_via, "How its element was found; null: it was not"),
      field("selector_attempts", &R::selector_attempts, "How many ways were tried"),
      field("elapsed_ms", &R::elapsed_ms, "How long it took", {.unit = "ms"}),
  };
  return kFields;
}

const Fields& SkillRunResult::fields() {
  using R = SkillRunResult;
  static const Fields kFields{
      field("ok", &R::ok, "Every step was done, and what had to hold held"),
      field("steps_executed", &R::steps_executed, "How many were done"),
      field("steps_total", &R::steps_total, "How many there are"),
      field("failure", &R::failure, "Where it is not ok"),
      field("step_results", &R::step_results, "Of each step that was tried"),
  };
  return kFields;
}

SkillRunResult skill_replay(Session& session, const SkillReplayRequest& request) {
  skill::SecretValues secrets;
  auto options = replay_options(session, request, secrets);
  options.stop_on_contract_failure = !request.keep_going;
  if (request.from_step || request.to_step) {
    const auto from = static_cast<std::size_t>(request.from_step.value_or(0));
    options.range = {from, request.to_step ? static_cast<std::size_t>(*request.to_step) : from};
  }
  return run_result_of(replay_once(session, request.skill, options));
}

Operation skill_replay_operation() {
  return operation<SkillReplayRequest, SkillRunResult>(
      {.name = "skill_replay",
       .command = "skill run",
       .summary = "Do a skill's steps again in a browser, exactly or not at all",
       .example = "  hebb skill run checkout\n"
                  "  hebb skill run checkout --url http://localhost:8080/ --json\n"
                  "  hebb skill run login --secrets-fd 3 3< secrets.env",
       .effect = Effect::writes,
       .doors = kCommandLine | kMcp,  // over HTTP a browser would hold up the thread that writes
       .problems = {ProblemType::read_only},
       .destructive = true,
       .open_world = true},
      skill_replay);
}

// --- heal ----------------------------------------------------------------------------------------

const Fields& SkillHealRequest::fields() {
  static const Fields kFields = with_presets<SkillHealRequest>(common_fields<SkillHealRequest>());
  return kFields;
}

const Fields& SkillHealedStep::fields() {
  using R = SkillHealedStep;
  static const Fields kFields{
      field("index", &R::index, "From 0"),
      field("was", &R::was, "Role and name as recorded"),
      field("now", &R::now, "Role and name of the element that was taken"),
      field(
          "found_by", &R::found_by,
          "What speaks for it: a name in the code, its words, its form field, its neighbours, its "
          "type; or frame; or the selector that finds it"),
      field("selectors", &R::selectors, "The chain that finds it now (docs/skills.md)"),
  };
  return kFields;
}

const Fields& SkillHealResult::fields() {
  using R = SkillHealResult;
  static const Fields kFields{
      field("run", &R::run, "As skill_replay says it"),
      field("healed", &R::healed, "Each step whose element was guessed"),
      field("written", &R::written, "The contract held, and the skill has the new chains"),
  };
  return kFields;
}

SkillHealResult skill_heal(Session& session, const SkillHealRequest& request) {
  skill::SecretValues secrets;
  auto options = replay_options(session, request, secrets);
  Engine& engine = session.engine(Access::write);
  options.heal = true;
  options.capture = skill::ReplayOptions::Capture::chains;
  options.order = skill::learned_order(engine, session.now());
  skill::Skill s = require_skill(engine, request.skill);
  const auto run = skill::replay(
      s, options, [&](const std::string& id) { return skill::load_contract(engine, id); });
  SkillHealResult result;
  result.run = run_result_of(run);
  for (const skill::StepResult& step : run.steps) {
    if (!step.healed) continue;
    Json chain = Json::array();
    if (step.captured) {
      for (const auto& selector : step.captured->chain)
        chain.push_back(skill::write_selector(selector));
    }
    result.healed.push_back({static_cast<std::int64_t>(step.index), step.healed->was,
                             step.healed->now, step.healed->how, std::move(chain)});
  }
  // Without a contract nobody knows whether the guess was right.
  if (!run.ok || result.healed.empty() || !s.contract_id) return result;
  if (request.url.empty()) s.signature = run.signature;
  skill::save_skill(engine, skill::with_healed(std::move(s), run), session.now());
  engine.sync();
  result.written = true;
  return result;
}

Operation skill_heal_operation() {
  return operation<SkillHealRequest, SkillHealResult>(
      {.name = "skill_heal",
       .command = "skill heal",
       .summary = "Find renamed elements; keep that where the skill's contract then holds",
       .example = "  hebb skill heal checkout\n  hebb skill heal checkout --json",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::not_found, ProblemType::read_only}},
      skill_heal);
}

// --- verify --------------------------------------------------------------------------------------

const Fields& SkillVerifyRequest::fields() {
  using R = SkillVerifyRequest;
  static const Fields kFields = [] {
    Fields fields = common_fields<R>();
    fields.push_back(field("runs", &R::runs, "How often", {.min = 1, .max = 1000}));
    return with_presets<R>(std::move(fields));
  }();
  return kFields;
}

const Fields& SkillVerifyResult::fields() {
  using R = SkillVerifyResult;
  static const Fields kFields{
      field("ok", &R::ok, "Every run was"),
      field("proven", &R::proven, "It has three clean runs in a row"),
      field("runs", &R::runs, "Each, up to the first that failed"),
  };
  return kFields;
}

SkillVerifyResult skill_verify(Session& session, const SkillVerifyRequest& request) {
  skill::SecretValues secrets;
  const auto options = replay_options(session, request, secrets);
  SkillVerifyResult result;
  result.ok = true;
  for (int i = 1; i <= request.runs && result.ok; ++i) {
    result.runs.push_back(run_result_of(replay_once(session, request.skill, options)));
    result.ok = result.runs.back().ok;
    if (request.done) request.done(i, result.runs.back());
  }
  if (!result.ok) return result;
  Engine& engine = session.engine(Access::write);
  result.proven = skill::skill_history(engine, require_skill(engine, request.skill).id).proven();
  return result;
}

Operation skill_verify_operation() {
  return operation<SkillVerifyRequest, SkillVerifyResult>(
      {.name = "skill_verify",
       .command = "skill verify",
       .summary = "Run a skill several times; three in a row prove it",
       .example = "  hebb skill verify checkout\n  hebb skill verify checkout --runs 10",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::read_only}},
      skill_verify);
}

}  // namespace hebb::api
