// hebb skill record
#include <memory>

#include <fmt/format.h>

#include "capture/actions/store.h"
#include "cli/commands.h"
#include "cli/skill.h"
#include "skill/capture/session.h"

namespace hebb::cli {

namespace {

constexpr std::size_t kArtifactBytes = 1 << 20;

struct Options {
  std::string domain, name, description, artifact, session, start_url, contract;
  std::vector<std::string> intents;
};

skill::Skill read(const Options& o) {
  skill::Skill s;
  s.domain = o.domain;
  s.name = o.name;
  s.description = o.description;
  s.start_url = o.start_url;
  s.intents = o.intents;
  if (!o.contract.empty()) s.contract_id = o.contract;
  if (!o.artifact.empty()) {
    s.artifact = with_valid([&] {
      return skill::read_artifact(
          skill::parse_json(read_file(o.artifact), o.artifact, kArtifactBytes));
    });
  }
  return s;
}

// The steps of a session with a browser server that `hebb record` has recorded.
skill::CapturedSession captured(const Context& context, const std::string& session) {
  sql::Database db = context.open_tables(Context::Access::read);
  capture::ActionQuery query;
  query.session_id = session;
  capture::ActionSource source(db, query);
  skill::CapturedSession found;
  bool any = false;
  source.each_session([&](std::span<const capture::ActionRow> rows) {
    any = true;
    if (found.steps.empty()) found = skill::capture_session(rows);
  });
  if (!any) throw Stop(kFailed, fmt::format("no session \"{}\" was recorded", session));
  if (!found.left_out.empty()) {
    throw Stop(kFailed, fmt::format("the session cannot be replayed: {}", found.left_out.front()));
  }
  if (found.steps.empty()) throw Stop(kFailed, "the session drove no browser");
  return found;
}

void add_session(const Context& context, const Options& o, skill::Skill& s) {
  if (o.session.empty()) return;
  const auto found = captured(context, o.session);
  s.artifact.emplace();
  s.artifact->recorded_at = context.now();
  s.artifact->hebb_version = HEBB_VERSION;
  for (const auto& step : found.steps) s.artifact->steps.push_back(step.step);
}

void record(const Context& context, const Options& o) {
  const int sources = !o.artifact.empty() + !o.session.empty() + !o.intents.empty();
  if (sources != 1) {
    throw Stop(kUsage,
               "give one of --from-artifact FILE, --from-session ID, and --step TEXT for each "
               "step");
  }
  skill::Skill s = read(o);
  add_session(context, o, s);
  Engine engine = context.open(Context::Access::create);
  const auto saved = with_valid([&] { return skill::save_skill(engine, s, context.now()); });
  engine.sync();
  const std::string id = skill::skill_id(o.domain, o.name);
  const skill::Skill stored = require_skill(engine, id);
  if (context.json) {
    return context.print_json(skill::skill_json(stored, skill::skill_history(engine, id)));
  }
  for (const std::string& slot : saved.slots) {
    context.note(
        fmt::format("the value of {} is a secret and is not kept; give it at run time as "
                    "HEBB_SECRET_{}",
                    slot, slot.substr(slot.rfind(' ') + 1)));
  }
  context.report(fmt::format("{} {}, {} step{}{}", saved.created ? "recorded" : "recorded anew", id,
                             stored.intents.size(), stored.intents.size() == 1 ? "" : "s",
                             stored.artifact ? "" : ", which cannot be replayed"));
}

}  // namespace

void add_skill_record(CLI::App& skill, Context& context) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = add_command(
      skill, context, "record", "Keep steps as a skill of a site; recording again replaces them",
      "  hebb skill record localhost:8080 checkout --from-artifact checkout.json --contract done\n"
      "  hebb skill record shop.example refund --step \"open the order\" --step \"press Refund\"",
      [&context, o] { record(context, *o); });
  command->add_option("DOMAIN", o->domain, "The host, with its port if it has one")->required();
  command->add_option("NAME", o->name, "What the skill is called there")->required();
  command->add_option("--from-artifact", o->artifact, "An artifact (JSON); \"-\": standard input");
  command->add_option("--from-session", o->session,
                      "A session that `hebb record` has recorded: see `hebb actions sequences`");
  command->add_option("--step", o->intents, "What a step is for, in words; once a step")
      ->allow_extra_args(false);
  command->add_option("--contract", o->contract, "The id of a contract that must hold at the end");
  command->add_option("--start-url", o->start_url, "Where the first step begins");
  command->add_option("--description", o->description, "Any text");
}

}  // namespace hebb::cli
