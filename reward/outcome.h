// The score of an outcome and the nodes that it rewards: docs/ranking.md, Events.
#pragma once

#include <optional>
#include <vector>

#include "reward/view.h"

namespace hebb::reward {

// `given` if there is one, else passed / total when total > 0, else 1. The caller has to check
// that the result is in (0, 1].
double score(std::optional<double> given, std::optional<double> tests_passed,
             std::optional<double> tests_total);

// A task's own outcomes as evidence about it, as of `at`. They fade as the evidence about contexts
// does, and each is at most the cap of the edge type of its kind.
struct OwnOutcomes {
  double successes = 0, failures = 0;
  TimeMs at = graph::kNever;
};
OwnOutcomes faded(const Policy& policy, const OwnOutcomes& own, TimeMs now);
void add_success(const Policy& policy, OwnOutcomes& own, double score, TimeMs at);  // and forgives
void add_failure(const Policy& policy, OwnOutcomes& own, TimeMs at);
// A test's own failures do not fade: one that failed and was not run since is no better than it
// was. Successes never make them 0, unless the policy forgives all at once.
void add_success_of_test(const Policy& policy, OwnOutcomes& own, TimeMs at);
void add_failure_of_test(const Policy& policy, OwnOutcomes& own, TimeMs at);

// The OPEN neighbours of a task over any edge that counts but BLOCKS, GUIDES and rewards, and its
// OPEN siblings under PARENT_OF; never a container (a node with an OPEN child by PARENT_OF), never
// the frontier, never the task; at most policy.max_related, newest created first (ties: id).
std::vector<graph::NodeId> related(const View& view, graph::NodeId task, TimeMs now);

// See contexts() in reward/evidence.h.
std::vector<graph::NodeId> contexts(const View& view, graph::NodeId task, TimeMs now);
std::vector<graph::NodeId> evidence_contexts(const View& view, graph::NodeId task, TimeMs now);

}  // namespace hebb::reward
