// rank: the open tasks, best first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/order.h"
#include "api/selectors.h"
#include "reward/factors.h"

namespace hebb::reward {

inline fields::Fields factor_fields(const Factors& self) {
  fields::Fields all;
  for (const Factor& f : factors()) all.push_back(fields::field(f.name, self.*f.value, f.meaning));
  return all;
}
RECORD(Factors, FIELD(priority, "The product of the factors"),
       FIELD(base, "Prior, nearness to recent work, and links"),
       FIELD(semantic,
             "Similarity to recent work: of words (built in), or of meaning (with an embedder)"),
       FIELD(structural, "What links to it"), factor_fields(self))

}  // namespace hebb::reward

namespace hebb::api {

struct RankRequest : Order {
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
  std::optional<Time> as_of;
  bool claimed = false, why = false;
  std::string scheduler, runner, agent, shard;
};
std::vector<std::string> scheduler_names();
constexpr std::int64_t kAllTasks = 1'000'000'000;
RECORD(RankRequest, part<Order>(self),
       FIELD(state, "Nodes in this state, rather than OPEN ones: IN_PROGRESS, …"),
       FIELD(limit, "How many; else 10, or all with among, budget, shard, runner or scheduler",
             {.unit = "tasks", .min = 1, .max = 1e9}),
       FIELD(offset, "How many to leave out at the beginning",
             {.unit = "tasks", .min = 0, .max = 1e9}),
       FIELD(as_of, "As it was at that time; names and projects are those of today",
             {.past = true}),
       FIELD(claimed, "Also tasks that an agent has claimed"),
       FIELD(agent, "For this agent: near its own recent work", {.option = "--for"}),
       FIELD(shard,
             "2/5: the second of five parts of equal expected duration, which have each task once; "
             "budget and limit are those of the part",
             {.rare = true}),
       FIELD(why, "With up to three reasons for each place", {.hidden = true}),
       FIELD(runner, "With `selector`: how that test runner names each",
             {.choices = runner_names(), .option = "--format", .hidden = true}),
       FIELD(scheduler, "With `value`: the order in that scheduler's numbers",
             {.choices = scheduler_names(), .option = "--format", .hidden = true}))

struct RankedTask : RankRow {
  std::optional<std::int64_t> value;          // the scheduler's number
  std::optional<std::string> priority_class;  // its name in Kubernetes
  std::optional<std::string> selector;        // the test runner's name for it
  std::string database;                       // where several are ranked
};
RECORD(
    RankedTask, FIELD(rank, "Its place, from 1"), FIELD(id, "The node"),
    FIELD(database, "The database that it is in, of several", {.may_be_absent = true}),
    FIELD(name, "Its name"), FIELD(relative, "Its priority divided by the highest"),
    part(self.factors),
    FIELD(change_proximity, "Where files are `changed`: how strongly it is linked with them"),
    FIELD(tier, kTierWords, {.may_be_absent = true}),
    FIELD(labels, "Its labels and categories, by name", {.may_be_absent = true}),
    FIELD(assignees, "To whom it is assigned, by name", {.may_be_absent = true}),
    FIELD(set_priority, "Set by people: 0 (most urgent) to 4"),
    FIELD_AS(Time, due_at, "When it is due", {.may_be_absent = true}),
    FIELD(number, "Its number in the tracker it is from", {.may_be_absent = true}),
    FIELD(url, "Its address there", {.may_be_absent = true}),
    field("why", self.reasons, "The reasons for its place, the strongest first",
          {.may_be_absent = true}),
    FIELD(value, "Its place in the scheduler's own numbers"),
    FIELD(priority_class, "The name of its PriorityClass in Kubernetes"),
    FIELD(seconds, "How long it is expected to take, where there is a budget or a shard"),
    FIELD(selector,
          "How the test runner names it, or the file that it runs; absent if it cannot be one of "
          "that runner's tests"))

struct RankResult {
  std::vector<RankedTask> tasks;
  std::int64_t total = 0, claimed = 0;
  Time as_of;
  std::vector<std::string> blocking_cycle;
  std::string no_selector;
};
RECORD(RankResult, FIELD(tasks, "Best first"),
       FIELD(total, "How many there are, with those that the limit leaves out"),
       FIELD(claimed, "How many others are left out because agents have claimed them"),
       FIELD(as_of, "The time for which the numbers hold"),
       FIELD(blocking_cycle, "Tasks that block one another in a ring: none of them can be ranked"),
       FIELD(no_selector, "Of the tests that the runner cannot be given, one, and why",
             {.may_be_absent = true}))

RankResult rank(Session& session, const RankRequest& request);
// The rules of the ranking, for people: the order, and how much each factor can change a priority.
struct WhatCounts {
  std::string_view what, effect;
};
std::span<const WhatCounts> what_counts();
// Manifests of one PriorityClass for each task.
std::string kubernetes_manifests(const std::vector<RankedTask>& tasks);

}  // namespace hebb::api
