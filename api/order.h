// By what order tasks are asked about, and which of them: the fields that `rank` and `next` share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/which.h"
#include "engine/embed/embedder.h"
#include "engine/requests.h"

namespace hebb::api {

struct Order : Which {
  std::string profile = "learned", near;
  std::vector<float> vector;
  std::optional<std::vector<std::string>> among;
  std::optional<double> budget;  // seconds
  std::vector<std::string> changed;
  std::string embedder, model;
};

struct OrderQuery {
  RankQuery query;
  std::unique_ptr<Embedder> embedder;  // the query's; nullptr: none was named
};
// What an Order asks the engine, but for how many. Throws Problem if `near` and `vector` are both
// given, or the embedder is none.
OrderQuery query_of(const Order& order);

// The fields of Order, but for those of Which and where vectors come from, as fields of S.
template <class S>
Fields order_fields() {
  const auto own = [](auto member) { return member_of<S>(member); };
  return {
      field("profile", own(&Order::profile), "learned, or seed: the published formula, to compare",
            {.choices = {"learned", "seed"}}),
      field("near", own(&Order::near),
            "Rank by nearness to this node or text, not to what was completed last"),
      field("vector", own(&Order::vector), "The same, to this vector", {.hidden = true}),
      field("among", own(&Order::among),
            "Only these, by id; one that is not known is ranked as a new task would be",
            {.hidden = true}),
      field("budget", own(&Order::budget),
            "As many as fit into so long, by the mean durations of their outcomes",
            {.unit = "seconds", .min = 0, .max = 1e12}),
      field("changed", own(&Order::changed),
            "A file that was changed: first what has failed with it, or is in it; repeatable",
            {.option = "--changed"}),
  };
}

}  // namespace hebb::api
