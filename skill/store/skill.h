// Skills and contracts in the ledger. A skill is a node of type SKILL, a contract one of type
// CONTRACT; what they hold stands in their properties, so that undo, history and rebuild know them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {

// Stored; do not rename.
inline constexpr std::string_view kSkillType = "SKILL";
inline constexpr std::string_view kContractType = "CONTRACT";

// What the page looked like on which a skill starts. Empty origin: not known.
struct PageSignature {
  std::string origin;               // http://localhost:8080
  std::string path;                 // numbers and ids in it are *
  std::vector<std::string> fields;  // a hash of role and name of each form field and button
  bool operator==(const PageSignature&) const = default;
};

struct Skill {
  std::string id;  // of its domain and name, see skill_id()
  std::string domain, name, description;
  std::optional<std::string> contract_id;  // checked at the end of a replay
  std::string start_url;                   // empty: the first step navigates
  PageSignature signature;                 // of the start
  std::vector<std::string> intents;        // what each step is for, in words
  std::optional<Artifact> artifact;        // as many steps as intents; nullopt: cannot be replayed
  TimeMs recorded_at = 0;                  // the last time
};

// How a skill has done since its artifact was last replaced, and how often in all.
struct SkillHistory {
  std::int64_t runs = 0, successes = 0;  // ever
  std::int64_t clean_in_a_row = 0;       // since the artifact's last change, up to now
  std::optional<TimeMs> last_run_at;
  std::string last_code;  // why the last run failed; empty: it did not
  bool proven() const { return clean_in_a_row >= kProvenRuns; }
  bool stale() const { return last_run_at && !last_code.empty(); }

  static constexpr std::int64_t kProvenRuns = 3;
};

// "skill:DOMAIN/NAME". Throws Invalid where they cannot be: the domain is a host, with a port
// perhaps, in lower case and without "/"; the name is at most 200 bytes in a line.
std::string skill_id(std::string_view domain, std::string_view name);
std::string contract_node_id(std::string_view contract_id);  // throws Invalid

// Recording again keeps the id and replaces the rest. Values of fields that hold secrets become
// slots; `slots` says which, "step 2: PASSWORD" each. Throws Invalid, sql::Error, Refused.
struct Saved {
  bool created = false;
  std::vector<std::string> slots;
};
Saved save_skill(Engine& engine, Skill skill, TimeMs now);

// nullopt: there is none, or it was deleted. Throws Invalid where the node is no skill that hebb
// has written.
std::optional<Skill> load_skill(Engine& engine, std::string_view id);
SkillHistory skill_history(Engine& engine, std::string_view id);

// All of them, by the time they were recorded or last ran, newest first. O(nodes + their events).
struct ListedSkill {
  Skill skill;
  SkillHistory history;
};
std::vector<ListedSkill> list_skills(Engine& engine);

// As hebb's JSON shows a skill: the original's record, with `replay_artifact` a step (null where
// there is none) and what is known of its runs.
Json skill_json(const Skill& skill, const SkillHistory& history);

// Milliseconds kept: 2026-01-05T00:00:00.000Z.
std::string time_text(TimeMs at);

}  // namespace hebb::skill
