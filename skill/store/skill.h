// Skills and contracts in the ledger. A skill is a node of type SKILL, a contract one of type
// CONTRACT. Their content is in the nodes' properties, so undo, history and rebuild work for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "skill/artifact/artifact.h"
#include "skill/store/traits.h"

namespace hebb::skill {

// Stored; do not rename.
inline constexpr std::string_view kSkillType = "SKILL";
inline constexpr std::string_view kContractType = "CONTRACT";
// The edge from this node means that a skill in its present form is proven.
inline constexpr std::string_view kProofNode = "skill-proof", kProvenType = "PROVEN";

// A signature of the page on which a skill starts. Empty origin: not known.
struct PageSignature {
  std::string origin, path;
  std::vector<std::string> fields;
  bool operator==(const PageSignature&) const = default;
};

struct Skill {
  std::string id;  // made from domain and name, see skill_id()
  std::string domain, name, description;
  std::optional<std::string> contract_id;  // checked at the end of a replay
  std::string start_url;                   // empty: the first step navigates
  PageSignature signature;                 // of the start page
  std::vector<std::string> intents;        // the purpose of each step, in words
  std::optional<Artifact> artifact;        // as many steps as intents; nullopt: cannot be replayed
  // The traits of each step's element, if known: empty, or as many as steps.
  std::vector<std::optional<ElementTraits>> elements;
  TimeMs recorded_at = 0;  // of the last recording
};

// The results of a skill's replays.
struct SkillHistory {
  std::int64_t runs = 0, successes = 0;  // since it was first recorded
  std::int64_t clean_in_a_row = 0;       // latest successes since the artifact's last change
  std::optional<TimeMs> last_run_at;
  std::string last_code;  // why the last run failed; empty: it succeeded
  bool proven() const { return clean_in_a_row >= kProvenRuns; }
  bool stale() const { return last_run_at && !last_code.empty(); }

  static constexpr std::int64_t kProvenRuns = 3;
};

// "skill:DOMAIN/NAME". Throws Invalid unless the domain is a host (perhaps with a port) in lower
// case without "/", and the name is one line of at most 200 bytes.
std::string skill_id(std::string_view domain, std::string_view name);
std::string contract_node_id(std::string_view contract_id);  // throws Invalid
std::vector<std::string> contracts_of(const Skill& skill);   // ids, of its own and of its steps

// Saving a skill again keeps the id and replaces the rest; other steps are not proven. Values of
// secret fields become slots; `slots` lists them, as "step 2: PASSWORD". Throws Invalid,
// sql::Error, Refused.
struct Saved {
  bool created = false;
  std::vector<std::string> slots;
};
Saved save_skill(Engine& engine, Skill skill, TimeMs now);

// Ids of the nodes of a type. O(nodes).
std::vector<std::string> nodes_of(Engine& engine, std::string_view type);

// Ids of the skills of this name, or DOMAIN/NAME, sorted. Does not read the skills. O(nodes).
std::vector<std::string> skills_named(Engine& engine, std::string_view name);

// nullopt: there is none, or it was deleted. Throws Invalid if the node is not a skill that hebb
// has written.
std::optional<Skill> load_skill(Engine& engine, std::string_view id);
SkillHistory skill_history(Engine& engine, std::string_view id);  // O(its runs)

// The skills for which `wanted` is true, sorted by their last recording or run, newest first;
// leaves out nodes of their type that hebb did not write. O(nodes + runs of these skills).
struct ListedSkill {
  Skill skill;
  SkillHistory history;
};
std::vector<ListedSkill> list_skills(Engine& engine,
                                     const std::function<bool(const Skill&)>& wanted);

// The JSON of a skill: its record, with a `replay_artifact` for each step (null without an
// artifact) and the results of its runs.
Json skill_json(const Skill& skill, const SkillHistory& history);

}  // namespace hebb::skill
