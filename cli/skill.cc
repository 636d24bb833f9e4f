// hebb skill list, show, recall
#include "cli/skill.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

using skill::ListedSkill;

struct ListOptions {
  std::string domain, name;
  bool stale = false;
};

std::vector<ListedSkill> matching(Engine& engine, const ListOptions& o) {
  std::vector<ListedSkill> found = skill::list_skills(engine);
  std::erase_if(found, [&](const ListedSkill& s) {
    return (!o.domain.empty() && s.skill.domain != o.domain) ||
           (!o.name.empty() && s.skill.name != o.name) || (o.stale && !s.history.stale());
  });
  return found;
}

std::string standing(const ListedSkill& s) {
  if (!s.skill.artifact) return "steps only";
  if (s.history.stale()) return s.history.last_code;
  if (s.history.proven()) return "proven";
  return s.history.runs == 0 ? "not run yet" : "runs";
}

Json all_json(const std::vector<ListedSkill>& found) {
  Json rows = Json::array();
  for (const ListedSkill& s : found) rows.push_back(skill::skill_json(s.skill, s.history));
  return rows;
}

void list(const Context& context, const ListOptions& o) {
  Engine engine = context.open(Context::Access::read);
  const auto found = with_valid([&] { return matching(engine, o); });
  if (context.json) return context.print_json(all_json(found));
  if (found.empty()) return context.note("no skills; `hebb skill record` makes one");
  std::vector<std::vector<std::string>> rows;
  for (const ListedSkill& s : found) {
    rows.push_back({s.skill.id, std::to_string(s.skill.intents.size()), standing(s),
                    fmt::format("{}/{}", s.history.successes, s.history.runs),
                    s.history.last_run_at ? format_time(*s.history.last_run_at) : "never"});
  }
  context.table(
      {{"skill", false, true}, {"steps", true}, {"state"}, {"succeeded", true}, {"last run"}},
      rows);
}

void show_text(const Context& context, const ListedSkill& s) {
  std::vector<std::pair<std::string, std::string>> fields{{"skill", s.skill.id},
                                                          {"state", standing(s)}};
  if (!s.skill.description.empty()) fields.emplace_back("description", s.skill.description);
  fields.emplace_back("recorded", format_time(s.skill.recorded_at));
  fields.emplace_back("succeeded", fmt::format("{} of {} runs, {} in a row", s.history.successes,
                                               s.history.runs, s.history.clean_in_a_row));
  if (s.skill.contract_id) fields.emplace_back("contract", *s.skill.contract_id);
  if (!s.skill.start_url.empty()) fields.emplace_back("starts at", s.skill.start_url);
  context.fields(fields);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < s.skill.intents.size(); ++i) {
    std::string chain;
    if (s.skill.artifact) {
      for (const auto& selector : s.skill.artifact->steps[i].selectors) {
        if (!chain.empty()) chain += ", ";
        chain += skill::selector_type_name(selector.type);
      }
    }
    rows.push_back({std::to_string(i), one_line(s.skill.intents[i]),
                    s.skill.artifact ? chain : "not captured"});
  }
  context.line("");
  context.table({{"step", true}, {"does", false, true}, {"found by"}}, rows);
}

void show(const Context& context, const std::string& id) {
  Engine engine = context.open(Context::Access::read);
  ListedSkill s{require_skill(engine, id), {}};
  s.history = skill::skill_history(engine, s.skill.id);
  if (context.json) return context.print_json(skill::skill_json(s.skill, s.history));
  show_text(context, s);
}

// For agents: the skills for a domain, newest first.
void recall(const Context& context, const ListOptions& o) {
  Engine engine = context.open(Context::Access::read);
  const auto found = with_valid([&] { return matching(engine, o); });
  if (context.json) return context.print_json({{"skills", all_json(found)}});
  if (found.empty()) throw Stop(kFailed, "no skill is known for that");
  bool any = false;
  for (const ListedSkill& s : found) {
    if (std::exchange(any, true)) context.line("");
    show_text(context, s);
  }
}

void add_list(CLI::App& skill, Context& context) {
  const auto o = std::make_shared<ListOptions>();
  CLI::App* command = add_command(skill, context, "list", "All skills, the last used first",
                                  "  hebb skill list\n  hebb skill list --stale",
                                  [&context, o] { list(context, *o); });
  command->add_option("--domain", o->domain, "Only of this host");
  command->add_flag("--stale", o->stale, "Only those whose last run failed");
}

void add_recall(CLI::App& skill, Context& context) {
  const auto o = std::make_shared<ListOptions>();
  CLI::App* command = add_command(
      skill, context, "recall", "What is known to work on a site: skills with their steps",
      "  hebb skill recall --domain shop.example\n"
      "  hebb skill recall --domain localhost:8080 --name checkout --json",
      [&context, o] { recall(context, *o); });
  command->add_option("--domain", o->domain, "The host, with its port if it has one");
  command->add_option("--name", o->name, "The skill's name");
}

}  // namespace

skill::Skill require_skill(Engine& engine, const std::string& id_or_name) {
  return with_valid([&] {
    if (auto found = skill::load_skill(engine, id_or_name)) return *std::move(found);
    std::vector<ListedSkill> named = skill::list_skills(engine);
    std::erase_if(named, [&](const ListedSkill& s) {
      return s.skill.name != id_or_name && s.skill.domain + "/" + s.skill.name != id_or_name;
    });
    if (named.empty()) {
      throw Stop(kFailed, fmt::format("no skill \"{}\"; `hebb skill list` lists them", id_or_name));
    }
    if (named.size() > 1) {
      throw Stop(kUsage,
                 fmt::format("{} skills are called \"{}\"; give the id: {} or {}", named.size(),
                             id_or_name, named[0].skill.id, named[1].skill.id));
    }
    return std::move(named.front().skill);
  });
}

void add_skill(CLI::App& app, Context& context) {
  CLI::App* skill =
      add_command(app, context, "skill", "Steps in a browser, recorded and repeated",
                  "  hebb skill record localhost:8080 checkout --from-artifact checkout.json\n"
                  "  hebb skill recall --domain localhost:8080",
                  {});
  skill->require_subcommand(1);
  add_skill_record(*skill, context);
  add_list(*skill, context);
  const auto id = std::make_shared<std::string>();
  add_command(*skill, context, "show", "One skill with its steps and its runs",
              "  hebb skill show checkout\n  hebb skill show skill:localhost:8080/checkout --json",
              [&context, id] { show(context, *id); })
      ->add_option("SKILL", *id, "Its id, or its name")
      ->required();
  add_recall(*skill, context);
  add_skill_files(*skill, context);
  add_skill_run(*skill, context);
  add_skill_verify(*skill, context);
  add_skill_contract(*skill, context);
}

}  // namespace hebb::cli
