// What the files of `hebb skill` share.
#pragma once

#include <string>

#include "cli/command.h"
#include "skill/store/contract.h"
#include "skill/store/skill.h"

namespace hebb::cli {

// Calls work(), and ends the command with a usage error if it throws Invalid.
template <class Work>
auto with_valid(Work work) {
  try {
    return work();
  } catch (const skill::Invalid& e) {
    throw Stop(kUsage, e.what());
  }
}

// A skill by its id, or by its name if only one skill has it. Throws Stop.
skill::Skill require_skill(Engine& engine, const std::string& id_or_name);

void add_skill_record(CLI::App& skill, Context& context);
void add_skill_run(CLI::App& skill, Context& context);
void add_skill_verify(CLI::App& skill, Context& context);
void add_skill_files(CLI::App& skill, Context& context);  // import, export
void add_skill_contract(CLI::App& skill, Context& context);

}  // namespace hebb::cli
