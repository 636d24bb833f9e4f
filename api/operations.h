// The families of operations, each with the operations of one file.
#pragma once

#include "api/operation.h"

namespace hebb::api {

Operations upkeep_operations();
Operations move_operations();
Operations ingest_files_operations();
Operations ingest_operations();
Operations rank_operations();
Operations next_operations();
Operations claims_operations();
Operations outcome_operations();
Operations explain_operations();
Operations nodes_operations();
Operations tasks_operations();
Operations edges_operations();
Operations look_operations();
Operations recall_operations();
Operations policy_operations();
Operations undo_operations();
Operations dead_letters_operations();
Operations study_operations();
Operations actions_operations();
Operations tools_operations();
Operations skill_save_operations();
Operations skill_operations();
Operations skill_run_operations();
Operations skill_contract_operations();

}  // namespace hebb::api
