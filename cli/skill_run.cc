// hebb skill run, verify
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/skill.h"
#include "skill/learn/learn.h"
#include "skill/replay/replay.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string skill;
  skill::ReplayOptions replay;
  std::optional<std::size_t> from, to;
  std::optional<int> secrets_fd;
  bool keep_going = false;
  int runs = 3;
};

// Reads NAME=VALUE lines from a descriptor, so that secrets need not be in an argument or a file.
void read_secrets(int fd, skill::SecretValues& secrets) {
  constexpr std::size_t kBytes = 1 << 20;
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = read(fd, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(n));
    if (text.size() > kBytes) throw Stop(kUsage, "--secrets-fd: more than 1 MiB");
  }
  with_valid([&] { secrets.add_lines(text); });
}

skill::ReplayResult run_once(Context& context, Engine& engine, const Options& o,
                             const skill::ReplayOptions& options) {
  if (!skill::replay_enabled())
    return skill::refused(skill::code::kDisabled, "HEBB_SKILL_REPLAY is 0");
  std::optional<skill::Skill> skill;
  try {
    skill = require_skill(engine, o.skill);
  } catch (const Stop& e) {
    return skill::refused(skill::code::kSkillNotFound, e.what());
  }
  auto result = skill::replay(
      *skill, options, [&](const std::string& id) { return skill::load_contract(engine, id); });
  skill::learn_replay(engine, *skill, result, context.now());
  // If the skill had no signature of its start page, this run's becomes the one to compare with.
  if (result.ok && skill->signature.origin.empty() && !result.signature.origin.empty() &&
      options.url.empty() && !options.range) {
    skill->signature = result.signature;
    skill::save_skill(engine, *skill, context.now() + 2);
  }
  engine.sync();
  return result;
}

void print_text(const Context& context, const skill::ReplayResult& r) {
  for (const skill::StepResult& s : r.steps) {
    const std::string how =
        s.resolved_via ? fmt::format(" via {}", skill::selector_type_name(*s.resolved_via)) : "";
    context.report(
        fmt::format("step {}: {}{}, {} ms", s.index, s.ok ? "done" : "failed", how, s.elapsed_ms));
  }
  if (r.ok) {
    return context.line(
        fmt::format("done: {} of {} steps in {} ms", r.executed, r.total, r.elapsed_ms));
  }
  const skill::Failure& f = *r.failure;
  context.line(fmt::format("{} at step {}: {}", f.code, f.step_index, f.detail));
  if (!f.evidence.empty()) context.line("evidence: " + f.evidence);
}

skill::ReplayOptions prepared(const Context& context, const Options& o,
                              skill::SecretValues& secrets) {
  skill::ReplayOptions options = o.replay;
  options.stop_on_contract_failure = !o.keep_going;
  options.secrets = &secrets;
  if (o.secrets_fd) read_secrets(*o.secrets_fd, secrets);
  if (o.from || o.to) {
    options.range = {o.from.value_or(0), o.to.value_or(o.from.value_or(0))};
  }
  if (options.evidence_folder.empty()) options.evidence_folder = context.db_path() + ".evidence";
  return options;
}

void run(Context& context, const Options& o) {
  skill::SecretValues secrets;
  const auto options = prepared(context, o, secrets);
  Engine engine = context.open(Context::Access::write);
  const auto result = run_once(context, engine, o, options);
  if (context.json) {
    context.print_json(skill::result_json(result));
  } else {
    print_text(context, result);
  }
  if (!result.ok) throw Stop(kFailed, "");
}

void verify(Context& context, const Options& o) {
  skill::SecretValues secrets;
  const auto options = prepared(context, o, secrets);
  Engine engine = context.open(Context::Access::write);
  Json runs = Json::array();
  bool ok = true;
  for (int i = 0; i < o.runs && ok; ++i) {
    const auto result = run_once(context, engine, o, options);
    ok = result.ok;
    runs.push_back(skill::result_json(result));
    if (context.json) continue;
    context.report(fmt::format("run {} of {}:", i + 1, o.runs));
    print_text(context, result);
  }
  bool proven = false;
  if (ok) {
    const skill::Skill skill = require_skill(engine, o.skill);
    proven = skill::skill_history(engine, skill.id).proven();
  }
  if (context.json) {
    context.print_json({{"ok", ok}, {"proven", proven}, {"runs", std::move(runs)}});
  } else if (ok) {
    context.line(proven ? "proven" : "not proven yet: three clean runs in a row are needed");
  }
  if (!ok) throw Stop(kFailed, "");
}

void add_options(CLI::App& command, Options& o) {
  command.add_option("SKILL", o.skill, "Its id, or its name")->required();
  command.add_option("--url", o.replay.url, "Start here instead of where it was recorded");
  command.add_option("--step-timeout", o.replay.step_timeout_ms, "Milliseconds for a step")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{3'600'000}))
      ->capture_default_str();
  command.add_option("--timeout", o.replay.run_timeout_ms, "Milliseconds for all of them")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{3'600'000}))
      ->capture_default_str();
  command.add_flag("--allow-risky", o.replay.allow_risky,
                   "Do what cannot be taken back: delete, pay, send a form that nothing checks");
  command
      .add_option("--allow-origin", o.replay.allow_origins,
                  "Another origin that the pages may lead to; * is any part of it")
      ->allow_extra_args(false);
  command.add_option("--secrets-fd", o.secrets_fd,
                     "Read NAME=VALUE lines for ${SECRET:NAME} from this descriptor (else "
                     "HEBB_SECRET_NAME)");
  command.add_option("--evidence", o.replay.evidence_folder,
                     "Where to keep what was seen when a step fails (else beside the database)");
  command.add_option("--browser", o.replay.browser.program, "The Chromium to use");
  command.add_flag("--headed", o.replay.browser.headed, "Show the browser's window");
}

}  // namespace

void add_skill_run(CLI::App& skill, Context& context) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = add_command(skill, context, "run",
                                  "Do a skill's steps again in a browser, exactly or not at all",
                                  "  hebb skill run checkout\n"
                                  "  hebb skill run checkout --url http://localhost:8080/ --json\n"
                                  "  hebb skill run login --secrets-fd 3 3< secrets.env",
                                  [&context, o] { run(context, *o); });
  add_options(*command, *o);
  command->add_option("--from-step", o->from, "The first step to do, from 0");
  command->add_option("--to-step", o->to, "The last one");
  command->add_flag("--keep-going", o->keep_going, "Go on after a step's contract that fails");
}

void add_skill_verify(CLI::App& skill, Context& context) {
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      add_command(skill, context, "verify", "Run a skill several times; three in a row prove it",
                  "  hebb skill verify checkout\n  hebb skill verify checkout --runs 10",
                  [&context, o] { verify(context, *o); });
  add_options(*command, *o);
  command->add_option("--runs", o->runs, "How often")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

}  // namespace hebb::cli
