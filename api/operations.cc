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
      ingest_operation(),
      recalibrate_operation(),
      rank_operation(),
      list_operation(),
      explain_operation(),
      explain_edge_operation(),
      node_set_operation(),
      node_get_operation(),
      node_delete_operation(),
      link_operation(),
      unlink_operation(),
      pivot_operation(),
      neighbors_operation(),
      topology_operation(),
      neighborhood_operation(),
      path_operation(),
      frontier_operation(),
      search_operation(),
      promoted_operation(),
      stats_operation(),
      verify_operation(),
      rebuild_operation(),
      events_operation(),
      undo_operation(),
      quarantine_operation(),
      gc_operation(),
      dead_letters_list_operation(),
      dead_letters_retry_operation(),
      dead_letters_drop_operation(),
      backup_operation(),
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
