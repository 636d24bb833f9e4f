// node set, get, delete: changing and reading a single node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// All that is known of a node.
struct Node {
  std::string id, type, state, name, description, project, scope;
  Json properties = Json::object();
  std::optional<Time> created_at, updated_at, reopened_at, outcome_at, completed_at;
  std::optional<std::int64_t> priority;  // what people say, and the next four
  std::optional<Time> due_at, snoozed_until;
  std::optional<Duration> estimate;
  bool pinned = false;
  std::vector<float> vector;
  std::optional<std::string> claimed_by;     // an agent, at present
  std::optional<std::int64_t> recall_count;  // before this read
  std::optional<Time> last_recalled_at;
  static const Fields& fields();
};

struct NodeSetRequest {
  std::string id;
  std::optional<std::string> type, state, name, description, project, scope;
  std::optional<Json> properties;
  std::optional<std::int64_t> priority;
  std::optional<Time> due_at, snoozed_until;
  std::optional<Duration> estimate;
  bool pinned = false;
  std::vector<std::string> unset;
  std::vector<float> vector;
  std::string embedder, model;
  static const Fields& fields();
};
struct NodeSetResult {
  Node node;
  bool created = false;
  static const Fields& fields();
};
NodeSetResult node_set(Session& session, const NodeSetRequest& request);
Operation node_set_operation();

struct NodeGetRequest {
  std::string id;
  bool recall = true;
  static const Fields& fields();
};
struct NodeGetResult {
  Node node;
  static const Fields& fields();
};
NodeGetResult node_get(Session& session, const NodeGetRequest& request);
Operation node_get_operation();

struct NodeDeleteRequest {
  std::string id;
  static const Fields& fields();
};
struct NodeDeleteResult {
  std::string id;
  std::int64_t edges = 0;  // edges of the node, which no longer count
  static const Fields& fields();
};
NodeDeleteResult node_delete(Session& session, const NodeDeleteRequest& request);
Operation node_delete_operation();

}  // namespace hebb::api
