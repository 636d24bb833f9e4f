#include "api/operations.h"

#include <stdexcept>

namespace hebb::api {

std::string Operation::http_method() const {
  if (!about.method.empty()) return std::string(about.method);
  return about.effect == Effect::reads ? "GET" : "POST";
}

Fields Operation::remote_request() const {
  Fields fields;
  for (const Field& field : request()) {
    if (!field.bounds.local) fields.push_back(field);
  }
  return fields;
}

std::span<const Operation> operations() {
  // clang-format off
  static const std::vector<Operation> kOperations{
      init_operation(),
      import_files_operation(),
      ingest_files_operation(),
      ingest_operation(),
      recalibrate_operation(),
      rank_operation(),
      next_operation(),
      claim_renew_operation(),
      claim_release_operation(),
      claim_list_operation(),
      outcome_operation(),
      list_operation(),
      explain_operation(),
      explain_edge_operation(),
      curve_operation(),
      node_set_operation(),
      node_get_operation(),
      node_delete_operation(),
      facets_operation(),
      link_operation(),
      unlink_operation(),
      pivot_operation(),
      neighbors_operation(),
      topology_operation(),
      neighborhood_operation(),
      picture_operation(),
      path_operation(),
      frontier_operation(),
      search_operation(),
      promoted_operation(),
      policy_get_operation(),
      policy_set_operation(),
      policy_load_operation(),
      policy_use_operation(),
      policy_save_operation(),
      stats_operation(),
      learning_operation(),
      verify_operation(),
      rebuild_operation(),
      events_operation(),
      undo_operation(),
      quarantine_operation(),
      gc_operation(),
      dead_letters_list_operation(),
      dead_letters_retry_operation(),
      dead_letters_drop_operation(),
      export_operation(),
      backup_operation(),
      backtest_operation(),
      simulate_operation(),
      actions_sequences_operation(),
      actions_prune_operation(),
      actions_score_operation(),
      actions_scrub_operation(),
      tools_suggest_operation(),
      skill_record_operation(),
      skill_import_operation(),
      skill_export_operation(),
      skill_list_operation(),
      skill_get_operation(),
      skill_recall_operation(),
      skill_replay_operation(),
      skill_verify_operation(),
      skill_heal_operation(),
      contract_set_operation(),
      contract_list_operation(),
  };
  // clang-format on
  return kOperations;
}

const Operation& operation_named(std::string_view name) {
  for (const Operation& o : operations()) {
    if (o.about.name == name) return o;
  }
  throw std::out_of_range("there is no operation " + std::string(name));
}

}  // namespace hebb::api
