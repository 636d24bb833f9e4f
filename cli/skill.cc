// hebb skill record, import, export, list, show, recall, contract
#include "api/skill.h"

#include <utility>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using skill::ListedSkill;

std::string standing(const ListedSkill& s) {
  if (!s.skill.artifact) return "steps only";
  if (s.history.stale()) return s.history.last_code;
  if (s.history.proven()) return "proven";
  return s.history.runs == 0 ? "not run yet" : "runs";
}

void print_list(const Context& context, const api::SkillsResult& result) {
  if (result.skills.empty()) return context.note("no skills; `hebb skill record` makes one");
  std::vector<std::vector<std::string>> rows;
  for (const ListedSkill& s : result.skills) {
    rows.push_back({s.skill.id, std::to_string(s.skill.intents.size()), standing(s),
                    fmt::format("{}/{}", s.history.successes, s.history.runs),
                    s.history.last_run_at ? format_time(*s.history.last_run_at) : "never"});
  }
  context.table(
      {{"skill", false, true}, {"steps", true}, {"state"}, {"succeeded", true}, {"last run"}},
      rows);
}

void print_skill(const Context& context, const ListedSkill& s) {
  std::vector<std::pair<std::string, std::string>> fields{{"skill", s.skill.id},
                                                          {"state", standing(s)}};
  if (!s.skill.description.empty()) fields.emplace_back("description", s.skill.description);
  fields.emplace_back("recorded", format_time(s.skill.recorded_at));
  fields.emplace_back("succeeded",
                      fmt::format("{} of {}, {} in a row", s.history.successes,
                                  counted(s.history.runs, "run"), s.history.clean_in_a_row));
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

void print_all(const Context& context, const api::SkillsResult& result) {
  if (result.skills.empty()) throw Stop(kFailed, "no skill is known for that");
  bool any = false;
  for (const ListedSkill& s : result.skills) {
    if (std::exchange(any, true)) context.line("");
    print_skill(context, s);
  }
}

void print_saved(const Context& context, std::string_view done, const api::SkillSaved& saved) {
  const skill::Skill& s = saved.skill.skill;
  for (const std::string& slot : saved.slots) {
    context.note(
        fmt::format("the value of {} is a secret and is not kept; give it at run time as "
                    "HEBB_SECRET_{}",
                    slot, slot.substr(slot.rfind(' ') + 1)));
  }
  context.report(fmt::format("{}{} {}, {}{}", done, saved.created ? "" : " anew", s.id,
                             counted(std::ssize(s.intents), "step"),
                             s.artifact ? "" : ", which cannot be replayed"));
}

void print_contracts(const Context& context, const api::ContractsResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& contract : result.contracts) {
    for (const auto& assertion : contract.assertions)
      rows.push_back({contract.id, skill::describe(assertion)});
  }
  if (rows.empty()) return context.note("no contracts; `hebb skill contract set` makes one");
  context.table({{"contract"}, {"holds when there is", false, true}}, rows);
}

void add_saving(CLI::App& skill, Context& context) {
  using api::SkillImportRequest, api::SkillRecordRequest, api::SkillSaved;
  add_operation<SkillRecordRequest, SkillSaved>(
      skill, context,
      {"skill_record", api::skill_record,
       [](const Context& c, const SkillRecordRequest&, const SkillSaved& saved) {
         print_saved(c, "recorded", saved);
       }})
      ->get_option("--step")
      ->allow_extra_args(false);
  add_operation<SkillImportRequest, SkillSaved>(
      skill, context,
      {"skill_import", api::skill_import,
       [](const Context& c, const SkillImportRequest&, const SkillSaved& saved) {
         print_saved(c, "imported", saved);
       }});
}

void add_reading(CLI::App& skill, Context& context) {
  using namespace api;
  add_operation<SkillListRequest, SkillsResult>(
      skill, context,
      {"skill_list", skill_list,
       [](const Context& c, const SkillListRequest&, const SkillsResult& r) { print_list(c, r); }});
  add_operation<SkillGetRequest, SkillResult>(
      skill, context,
      {"skill_get", skill_get, [](const Context& c, const SkillGetRequest&, const SkillResult& r) {
         print_skill(c, r.skill);
       }});
  add_operation<SkillRecallRequest, SkillsResult>(skill, context,
                                                  {"skill_recall", skill_recall,
                                                   [](const Context& c, const SkillRecallRequest&,
                                                      const SkillsResult& r) { print_all(c, r); }});
  add_operation<SkillExportRequest, SkillExportResult>(
      skill, context,
      {"skill_export", skill_export,
       [](const Context& c, const SkillExportRequest&, const SkillExportResult& r) {
         c.data(r.content);
       }});
}

void add_contract(CLI::App& skill, Context& context) {
  using api::ContractListRequest, api::ContractSaved, api::ContractSetRequest, api::ContractsResult;
  CLI::App* contract =
      add_command(skill, context, "contract", "Conditions that must hold when a skill is done",
                  "  hebb skill contract set done --text \"Thank you\"\n"
                  "  hebb skill contract list",
                  {});
  contract->require_subcommand(1);
  auto* setter = add_operation<ContractSetRequest, ContractSaved>(
      *contract, context,
      {"contract_set", api::contract_set,
       [](const Context& c, const ContractSetRequest&, const ContractSaved& r) {
         c.report(fmt::format("{} contract {}, {}", r.created ? "set" : "replaced", r.contract.id,
                              counted(std::ssize(r.contract.assertions), "assertion")));
       }});
  for (const char* option : {"--text", "--url", "--title", "--element"})
    setter->get_option(option)->allow_extra_args(false);
  add_operation<ContractListRequest, ContractsResult>(
      *contract, context,
      {"contract_list", api::contract_list,
       [](const Context& c, const ContractListRequest&, const ContractsResult& r) {
         print_contracts(c, r);
       }});
}

}  // namespace

void add_skill(CLI::App& app, Context& context) {
  CLI::App* skill =
      add_command(app, context, "skill", "Steps in a browser, recorded and repeated",
                  "  hebb skill record localhost:8080 checkout --from-artifact checkout.json\n"
                  "  hebb skill recall --domain localhost:8080",
                  {});
  skill->require_subcommand(1);
  add_saving(*skill, context);
  add_reading(*skill, context);
  add_skill_run(*skill, context);
  add_contract(*skill, context);
}

}  // namespace hebb::cli
