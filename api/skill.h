// skill: what was done once in a browser, kept and looked up.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "skill/store/contract.h"
#include "skill/store/skill.h"

namespace hebb::api {

// In JSON they are the records of the originals, with their own spelling (docs/skills.md).
template <>
struct Codec<skill::ListedSkill> {
  static constexpr Kind kKind = Kind::object;
  static constexpr bool kList = false;
  static Json get(const skill::ListedSkill& s) { return skill::skill_json(s.skill, s.history); }
  static void set(skill::ListedSkill&, const Json&) {}  // of results alone
};
template <>
struct Codec<skill::Contract> {
  static constexpr Kind kKind = Kind::object;
  static constexpr bool kList = false;
  static Json get(const skill::Contract& contract) {
    Json json{{"contract_id", contract.id}};
    json.update(skill::write_contract(contract));
    return json;
  }
  static void set(skill::Contract&, const Json&) {}  // of results alone
};

struct SkillListRequest {
  std::string domain;
  bool stale = false;
  static const Fields& fields();
};
struct SkillRecallRequest {
  std::string domain, name, url, intent;
  int limit = 20;
  static const Fields& fields();
};
struct SkillsResult {
  std::vector<skill::ListedSkill> skills;
  static const Fields& fields();
};
SkillsResult skill_list(Session& session, const SkillListRequest& request);
Operation skill_list_operation();
SkillsResult skill_recall(Session& session, const SkillRecallRequest& request);
Operation skill_recall_operation();

struct SkillGetRequest {
  std::string skill;
  static const Fields& fields();
};
struct SkillResult {
  skill::ListedSkill skill;
  static const Fields& fields();
};
SkillResult skill_get(Session& session, const SkillGetRequest& request);
Operation skill_get_operation();

struct SkillRecordRequest {
  std::string domain, name;
  std::string from, from_artifact, from_session;  // or `step`
  std::string since;                              // of `from_session`
  std::vector<std::string> step;
  std::vector<Json> steps;  // what `from` has, not in a file
  Json artifact;            // likewise; null: none
  std::string contract, start_url, description;
  // Of `from` and `steps`: how they are done.
  std::int64_t step_timeout = 5000;
  bool allow_risky = false;
  std::string evidence, browser;
  bool headed = false;
  static const Fields& fields();
};
struct SkillImportRequest {
  std::string file;
  std::optional<std::string> format;  // absent: what it looks like
  std::string domain, name, contract;
  static const Fields& fields();
};
struct SkillSaved {
  skill::ListedSkill skill;
  bool created = false;
  std::vector<std::string> slots;
  static const Fields& fields();
};
SkillSaved skill_record(Session& session, const SkillRecordRequest& request);
Operation skill_record_operation();
SkillSaved skill_import(Session& session, const SkillImportRequest& request);
Operation skill_import_operation();

struct SkillExportRequest {
  std::string skill, format = "artifact";
  static const Fields& fields();
};
struct SkillExportResult {
  std::string content;
  static const Fields& fields();
};
SkillExportResult skill_export(Session& session, const SkillExportRequest& request);
Operation skill_export_operation();

struct ContractSetRequest {
  std::string contract;
  std::vector<std::string> text, url, title, element;
  std::string from;
  static const Fields& fields();
};
struct ContractSaved {
  skill::Contract contract;
  bool created = false;
  static const Fields& fields();
};
ContractSaved contract_set(Session& session, const ContractSetRequest& request);
Operation contract_set_operation();

struct ContractListRequest {
  static const Fields& fields();
};
struct ContractsResult {
  std::vector<skill::Contract> contracts;
  static const Fields& fields();
};
ContractsResult contract_list(Session& session, const ContractListRequest& request);
Operation contract_list_operation();

// The domain that skills for this address have: the host, with its port if it has one, in lower
// case. Empty: it names none.
std::string domain_of(std::string_view url);

// A skill by its id, or by its name where only one skill has it. Throws Problem.
skill::Skill require_skill(Engine& engine, const std::string& id_or_name);

}  // namespace hebb::api
