// Which nodes, and in what order: the fields that `list`, `rank` and `next` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "engine/embed/embedder.h"
#include "engine/requests.h"

namespace hebb {

RECORD(WhichNodes, FIELD(type, "Only nodes of this type", {.rare = true}),
       field("not_type", self.not_types,
             "Only nodes that are not of this type; of several, of none",
             {.option = "--not-type,--exclude-type", .rare = true}),
       field("label", self.labels,
             "Only nodes with this label (or category, or assignee): its id or name; with each, "
             "where there are several"),
       field("not_label", self.not_labels,
             "Only nodes without this label; of several, without each", {.rare = true}),
       FIELD(project, "Only nodes of this project, or of one in it: Home has Home.Garden"),
       FIELD(assignee, "Only nodes assigned to this one: its id or name"))

}  // namespace hebb

namespace hebb::api {

constexpr std::string_view kTierWords =
    "pinned, P0 pressing, or pressing (no time left): above what is not, whatever its priority; "
    "P0 to P4 where the policy is strict, what presses first";

struct Order : WhichNodes {
  std::string profile = "learned", near;
  std::vector<float> vector;
  std::optional<std::vector<std::string>> among;
  std::optional<Seconds> budget;
  std::vector<std::string> changed;
  EmbedderName vectors;
};
RECORD(Order, part<WhichNodes>(self),
       FIELD(profile, "learned, or seed: the baseline, to compare",
             {.choices = {"learned", "seed"}, .rare = true}),
       FIELD(near, "Rank by nearness to this node or text, not to what was completed last"),
       FIELD(vector, "The same, to this vector: numbers", {.from_file = true, .rare = true}),
       FIELD(among,
             "Only these, by id, or as the runner names them; unknown ones are ranked as new tasks "
             "would be",
             {.from_file = true, .rare = true}),
       FIELD(budget,
             "As many as fit into 60s, 10m, or so many seconds, by their mean durations, else "
             "their estimates",
             {.min = 0, .max = 1e12, .rare = true}),
       FIELD(changed,
             "A file that was changed: first what has failed with it, or is in it; repeatable",
             {.rare = true}),
       part(self.vectors))

// The engine's query for an Order, without its limit. `embedder`: made from order.vectors; it must
// outlive the query. Throws Problem if `near` and `vector` are both given.
RankQuery query_of(const Order& order, Embedder* embedder);

}  // namespace hebb::api
