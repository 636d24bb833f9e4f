// Which nodes, and in what order: the fields that `list`, `rank` and `next` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "engine/embed/embedder.h"
#include "engine/requests.h"

namespace hebb::api {

RECORD(WhichNodes, FIELD(type, "Only nodes of this type", {.seldom = true}),
       NAMED_FIELD("label", labels,
                   "Only nodes with this label (or category, or assignee): its id "
                   "or name; with each, where there are several"),
       NAMED_FIELD("not_label", not_labels,
                   "Only nodes without this label; of several, without each", {.seldom = true}),
       FIELD(project, "Only nodes of this project"),
       FIELD(assignee, "Only nodes assigned to this one: its id or name"))

struct Seconds {
  double value = 0;
};
template <>
struct Codec<Seconds> {
  static constexpr Kind kKind = Kind::seconds;
  static constexpr bool kList = false;
  static Json get(const Seconds& seconds) { return seconds.value; }
  static void set(Seconds& seconds, const Json& json) { seconds.value = seconds_value(json); }
};

constexpr std::string_view kTierWords =
    "pinned, P0 pressing, or pressing (no time left): above what is not, whatever its priority; "
    "P0 to P4 where the policy is strict, what presses first";

struct Order : WhichNodes {
  BASE(WhichNodes);
  PRESET_MEMBER(std::string, profile, "learned", "learned, or seed: the baseline, to compare",
                {.choices = {"learned", "seed"}, .seldom = true});
  MEMBER(std::string, near,
         "Rank by nearness to this node or text, not to what was completed last");
  MEMBER(std::vector<float>, vector,
         "The same, to this vector: numbers", {.from_file = true, .seldom = true});
  MEMBER(std::optional<std::vector<std::string>>, among, "Only these, by id; one that is not known "
         "is ranked as a new task would be", {.from_file = true, .seldom = true});
  MEMBER(std::optional<Seconds>, budget, "As many as fit into 60s, 10m, or so many seconds, by "
         "their mean durations, else their estimates",
         {.min = 0, .max = 1e12, .seldom = true});
  MEMBER(std::vector<std::string>, changed, "A file that was changed: first what has failed with "
         "it, or is in it; repeatable", {.seldom = true});
  PART(EmbedderName, vectors);
};

// What an Order asks the engine, but for how many. The embedder is that of order.vectors, and has
// to live as long as the query. Throws Problem if `near` and `vector` are both given.
RankQuery query_of(const Order& order, Embedder* embedder);

}  // namespace hebb::api
