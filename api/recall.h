// search, promoted: nodes by their words, and the nodes that are asked for most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct ListedNode {
  std::int64_t rank = 0;
  std::string id, type, state, name, description, project, scope;
  std::int64_t recall_count = 0;  // before this read
  std::optional<Time> last_recalled_at;
  static const Fields& fields();
};

// The request field `recall`, of what counts how often a node is asked for (recall/recall.h).
template <class S>
Field recall_field(bool S::*member) {
  return field("recall", member,
               "False: who asks only looks around, and it does not count as recall",
               {.hidden = true});
}

struct SearchRequest {
  std::string query;
  std::optional<std::string> type, state, project, scope;
  std::int64_t limit = 20;
  bool recall = true;
  static const Fields& fields();
};
struct SearchResult {
  std::vector<ListedNode> nodes;  // best first
  static const Fields& fields();
};
SearchResult search(Session& session, const SearchRequest& request);
Operation search_operation();

struct PromotedRequest {
  std::optional<std::string> type, project, scope;
  std::int64_t min_recalls = 5;
  std::optional<Duration> recalled_within;
  std::int64_t limit = 20;
  static const Fields& fields();
};
struct PromotedResult {
  std::vector<ListedNode> nodes;  // most often first
  static const Fields& fields();
};
PromotedResult promoted(Session& session, const PromotedRequest& request);
Operation promoted_operation();

}  // namespace hebb::api
