#include "api/order.h"

#include "api/problem.h"

namespace hebb::api {

RankQuery query_of(const Order& order, Embedder* embedder) {
  if (!order.near.empty() && !order.vector.empty()) {
    throw invalid("vector", "{} and {} say the same thing: give one of them", named("near"),
                  named("vector"));
  }
  RankQuery query;
  query.which = order;
  for (auto* texts : {&query.which.labels, &query.which.not_labels, &query.which.not_types})
    std::erase(*texts, "");  // as in other fields, an empty text means none
  query.seed = order.profile == "seed";
  query.near = order.near;
  query.vector = order.vector;
  query.embedder = embedder;
  query.selection.among = order.among;
  query.selection.changed = order.changed;
  if (order.budget) query.selection.budget_seconds = order.budget->value;
  return query;
}

}  // namespace hebb::api
