#include "api/order.h"

#include <fmt/format.h>

namespace hebb::api {

OrderQuery query_of(const Order& order) {
  if (!order.near.empty() && !order.vector.empty()) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{} and {} say the same thing: give one of them", named("near"),
                              named("vector")),
                  "vector");
  }
  OrderQuery asked{{}, embedder_of(order.vectors)};
  asked.query.which = order;
  asked.query.seed = order.profile == "seed";
  asked.query.near = order.near;
  asked.query.vector = order.vector;
  asked.query.embedder = asked.embedder.get();
  asked.query.selection = {order.among, order.budget, order.changed, {}};
  return asked;
}

}  // namespace hebb::api
