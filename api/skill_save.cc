// skill record, import.
#include <algorithm>

#include <fmt/format.h>

#include "api/common.h"
#include "api/files.h"
#include "api/skill.h"
#include "capture/actions/store.h"
#include "skill/capture/session.h"
#include "skill/format/format.h"
#include "skill/learn/learn.h"
#include "skill/replay/record.h"

namespace hebb::api {

struct SkillSaved {
  skill::ListedSkill skill;
  bool created = false;
  std::vector<std::string> slots, notes;
};
RECORD(SkillSaved, FIELD(skill, "The skill as it is stored"),
       FIELD(created, "It is new; else it replaced what was there"),
       FIELD(slots, "Steps whose value is a secret and is not kept, with its name"),
       FIELD(notes,
             "Lines of a script that are no steps and were ignored; steps that run script; that "
             "each element was found again",
             {.may_be_absent = true}))

struct SkillRecordRequest {
  std::string domain, name, from, from_artifact, from_session;
  std::optional<Time> since;
  std::vector<std::string> step;
  std::vector<Object> steps;
  Object artifact;
  std::string contract, start_url, description;
  std::int64_t step_timeout = 5000;
  bool allow_risky = false;
  std::vector<std::string> allow_origin;
  bool allow_script = false;
  std::string evidence, browser;
  bool headed = false;
};
RECORD(
    SkillRecordRequest,
    FIELD(domain, "The host, with its port if it has one", {.required = true, .positional = true}),
    FIELD(name, "What the skill is called there", {.required = true, .positional = true}),
    FIELD(from, "Steps (JSON lines) to be done in a browser now; \"-\": standard input",
          {.local = true}),
    FIELD(from_artifact, "A recording (JSON); \"-\": standard input", {.local = true}),
    FIELD(from_session, "A recorded session, by its id"),
    FIELD(since, "With `from_session`: only calls from then on: 7d, yesterday, a time",
          {.past = true}),
    FIELD(step, "What a step is for, in words; once a step"),
    FIELD(steps,
          "Steps in a browser, such as {\"kind\": \"fill\", \"target\": {\"text\": \"Name\"}, "
          "\"value\": \"Ada\"}",
          {.option = "--from", .hidden = true}),
    FIELD(artifact, "A recording: steps with their selectors",
          {.option = "--from-artifact", .hidden = true}),
    FIELD(contract, "The id of a check that must hold at the end"),
    FIELD(start_url, "Where the first step begins"), FIELD(description, "Any text"),
    FIELD(step_timeout, "Milliseconds for a step that is done now",
          {.unit = "ms", .min = 1, .max = 3'600'000}),
    FIELD(allow_risky,
          "Do what cannot be taken back: delete, pay, send a form that nothing checks"),
    FIELD(allow_origin, "Another origin that the pages may use; * is any part of it"),
    FIELD(allow_script, "Run the steps' scripts", {.local = true}),
    FIELD(evidence,
          "With --from: where to keep what was seen when a step fails (else beside the database)",
          {.local = true}),
    FIELD(browser, "With --from: the Chromium to use", {.local = true}),
    FIELD(headed, "With --from: show the browser's window", {.local = true}))

namespace {

constexpr std::size_t kArtifactBytes = 1 << 20;

// What `hebb record` has recorded of a session with a browser's MCP server.
skill::CapturedSession captured(Session& session, const std::string& id,
                                std::optional<TimeMs> since) {
  capture::ActionQuery query;
  query.session_id = id;
  query.since = since;
  capture::ActionSource source(session.tables(Access::read), query);
  skill::CapturedSession found;
  bool any = false;
  source.each_session([&](std::span<const capture::ActionRow> rows) {
    any = true;
    if (!found.browser) found = skill::capture_session(rows);
  });
  const auto refuse = [](ProblemType type, const std::string& why) {
    throw Problem(type, why, "from_session");
  };
  if (!any) refuse(ProblemType::not_found, fmt::format("no session \"{}\" was recorded", id));
  if (!found.left_out.empty()) {
    std::string which;
    for (const auto& call : found.left_out)
      which += fmt::format("{}{}", which.empty() ? "" : "; ", call.what);
    refuse(ProblemType::conflict, fmt::format("the session cannot be replayed: {}", which));
  }
  if (found.steps.empty()) refuse(ProblemType::conflict, "the session drove no browser");
  return found;
}

skill::Artifact stamped(Session& session, skill::Artifact artifact) {
  artifact.recorded_at = session.now();
  artifact.hebb_version = HEBB_VERSION;
  return artifact;
}

// Does the skill's steps in a browser, and stores how their elements are found.
void do_steps(Session& session, const SkillRecordRequest& request, skill::Skill& s,
              std::vector<std::string>& slots) {
  SkillRunSettings settings;
  settings.step_timeout = request.step_timeout;
  settings.allow_risky = request.allow_risky;
  settings.allow_origin = request.allow_origin;
  settings.allow_script = request.allow_script;
  settings.browser = request.browser;
  settings.headed = request.headed;
  settings.evidence = request.evidence;
  Engine& engine = session.engine(Access::write);
  skill::SecretValues secrets;
  auto options = replay_options(session, settings, secrets);
  options.capture = skill::ReplayOptions::Capture::chains;
  options.order = skill::learned_order(engine, session.now());
  const auto result = skill::replay(
      s, options, [&](const std::string& id) { return skill::load_contract(engine, id); });
  if (!result.ok) {
    const skill::Failure& f = *result.failure;
    const std::string seen = f.evidence.empty() ? "" : "; evidence: " + f.evidence;
    throw problem(ProblemType::conflict, request.steps.empty() ? "from" : "steps",
                  "nothing is recorded: {} at step {}: {}{}", f.code, f.step_index, f.detail, seen);
  }
  s = skill::with_captured(s, result, slots);
  s.signature = result.signature;
}

SkillSaved saved(Session& session, const skill::Skill& s) {
  return write(session, [&](Engine& engine) {
    const auto kept = skill::save_skill(engine, s, session.now());
    SkillSaved result;
    result.skill.skill = require_skill(engine, skill::skill_id(s.domain, s.name));
    result.skill.history = skill::skill_history(engine, result.skill.skill.id);
    result.created = kept.created;
    result.slots = kept.slots;
    if (s.artifact) result.notes = skill::script_notes(*result.skill.skill.artifact);
    return result;
  });
}

}  // namespace

// --- record --------------------------------------------------------------------------------------

namespace {

// The steps to do now; none: nothing is done.
std::vector<skill::Step> given_steps(const SkillRecordRequest& request) {
  if (!request.from.empty()) return skill::read_given_steps(read_file(request.from));
  if (!request.steps.empty())
    return skill::read_given_steps({request.steps.begin(), request.steps.end()});
  return {};
}

std::optional<skill::Artifact> given_artifact(const SkillRecordRequest& request) {
  const bool in_request = !request.artifact.json.is_null();
  if (!in_request && request.from_artifact.empty()) return std::nullopt;
  const std::string text =
      in_request ? request.artifact.json.dump() : read_file(request.from_artifact);
  auto artifact = skill::read_artifact(skill::parse_json(
      text, in_request ? "artifact" : std::string_view(request.from_artifact), kArtifactBytes));
  skill::require_known_args(artifact);
  return artifact;
}

}  // namespace

SkillSaved skill_record(Session& session, const SkillRecordRequest& request) {
  const int sources = !request.from.empty() + !request.from_artifact.empty() +
                      !request.from_session.empty() + !request.step.empty() +
                      !request.steps.empty() + !request.artifact.json.is_null();
  if (sources != 1) {
    throw invalid("steps", "give one of {}, {}, {}, and {} once for each step", named("steps"),
                  named("from_session"), named("artifact"), named("step"));
  }
  skill::Skill s;
  s.domain = request.domain;
  s.name = request.name;
  s.description = request.description;
  s.start_url = request.start_url;
  s.intents = request.step;
  if (!request.contract.empty()) s.contract_id = request.contract;
  s.artifact = given_artifact(request);
  if (!request.from_session.empty()) {
    skill::Artifact artifact;
    artifact.steps = captured(session, request.from_session, request.since).steps;
    if (s.start_url.empty() && artifact.steps.front().kind != skill::StepKind::navigate) {
      throw invalid("start_url", "the calls do not begin with an address: give {}",
                    named("start_url"));
    }
    s.artifact = stamped(session, std::move(artifact));
  }
  std::vector<std::string> slots;
  if (auto given = given_steps(request); !given.empty()) {
    skill::Artifact artifact;
    artifact.steps = std::move(given);
    s.artifact = stamped(session, std::move(artifact));
    do_steps(session, request, s, slots);
  }
  SkillSaved result = saved(session, s);
  result.slots.insert(result.slots.begin(), slots.begin(), slots.end());
  const auto has_element = [](const auto& traits) { return traits.has_value(); };
  if (std::any_of(s.elements.begin(), s.elements.end(), has_element))
    result.notes.emplace_back("each element was found again by what is kept of it");
  return result;
}

// --- import --------------------------------------------------------------------------------------

struct SkillImportRequest {
  std::string file;
  std::optional<std::string> format;
  std::string domain, name, contract;
};
RECORD(SkillImportRequest,
       FIELD(file, "The recording; \"-\": standard input",
             {.required = true, .positional = true, .local = true}),
       FIELD(format, "What it is (else what it looks like)",
             {.choices = names_of(skill::import_formats())}),
       FIELD(domain, "The site (else the site of its first address)"),
       FIELD(name, "What the skill is called (else its title)"),
       FIELD(contract, "The check that must hold at the end"))

SkillSaved skill_import(Session& session, const SkillImportRequest& request) {
  auto imported = skill::import_recording(read_file(request.file), request.format.value_or(""));
  skill::Skill s;
  s.domain = request.domain.empty() ? domain_of(imported.start_url) : request.domain;
  s.name = request.name.empty() ? imported.title : request.name;
  if (s.domain.empty()) {
    throw invalid("domain", "the recording names no site: give {}", named("domain"));
  }
  if (s.name.empty()) {
    throw invalid("name", "the recording has no title: give {}", named("name"));
  }
  if (!request.contract.empty()) s.contract_id = request.contract;
  s.artifact = stamped(session, std::move(imported.artifact));
  SkillSaved result = saved(session, s);
  result.notes.insert(result.notes.begin(), imported.notes.begin(), imported.notes.end());
  return result;
}

Operations skill_save_operations() {
  return {
      operation(
          {.name = "skill_record",
           .summary = "Keep steps as a skill of a site; recording again replaces them",
           .example =
               "  hebb skill record localhost:8080 checkout --from-artifact checkout.json "
               "--contract "
               "done\n"
               "  hebb skill record localhost:8080 checkout --from steps.jsonl --start-url "
               "http://localhost:8080/\n"
               "  hebb skill record shop.example refund --step \"open the order\" --step \"press "
               "Refund\"",
           .route = "POST /skills",
           .tool = Tool::all,
           .problems = {ProblemType::not_found, ProblemType::conflict, ProblemType::unreadable},
           .idempotent = true,
           .open_world = true},
          skill_record),
      operation(
          {.name = "skill_import",
           .summary = "Take what another program recorded as a skill",
           .example = "  hebb skill import checkout.json\n"
                      "  hebb skill import checkout.spec.ts --format playwright --name checkout",
           .writes = true,
           .problems = {ProblemType::no_file},
           .idempotent = true},
          skill_import),
  };
}

}  // namespace hebb::api
