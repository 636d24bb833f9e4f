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
    for (std::size_t i = 0; i < contract.assertions.size(); ++i)
      json["assertions"][i]["in_words"] = skill::describe(contract.assertions[i]);
    return json;
  }
  static void set(skill::Contract&, const Json&) {}  // of results alone
};

// The domain that skills for this address have: the host, with its port if it has one, in lower
// case. Empty: it names none.
std::string domain_of(std::string_view url);

// A skill by its id, or by its name where only one skill has it. Throws Problem.
skill::Skill require_skill(Engine& engine, const std::string& id_or_name);

}  // namespace hebb::api
