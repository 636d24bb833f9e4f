// actions: what `hebb record` recorded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct ActionsSequencesRequest {
  std::string since;
  std::optional<double> min_success_rate;
  std::int64_t limit = 20;
  static const Fields& fields();
};
struct ActionSequence {
  std::string sequence_id, agent_id, session_id;
  std::optional<std::string> app_name;
  Time started_at;
  double duration_ms = 0;
  std::int64_t calls = 0, succeeded = 0;
  double success_rate = 0;
  std::string tools;
  std::optional<double> reward;
  static const Fields& fields();
};
struct ActionsSequencesResult {
  std::vector<ActionSequence> sequences;
  static const Fields& fields();
};
ActionsSequencesResult actions_sequences(Session& session, const ActionsSequencesRequest& request);
Operation actions_sequences_operation();

struct ActionsPruneRequest {
  std::optional<Duration> older_than;
  static const Fields& fields();
};
struct ActionsPruneResult {
  std::int64_t pruned = 0;
  Time until;
  static const Fields& fields();
};
ActionsPruneResult actions_prune(Session& session, const ActionsPruneRequest& request);
Operation actions_prune_operation();

struct ActionsScoreRequest {
  static const Fields& fields();
};
struct ActionsScoreResult {
  std::int64_t sequences = 0, changed = 0, navigated = 0, failed = 0, links = 0, duplicates = 0,
               skipped = 0;
  static const Fields& fields();
};
ActionsScoreResult actions_score(Session& session, const ActionsScoreRequest& request);
Operation actions_score_operation();

struct ActionsScrubRequest {
  static const Fields& fields();
};
struct ActionsScrubResult {
  std::int64_t sessions = 0, calls = 0, changed = 0;
  bool erased = false;
  static const Fields& fields();
};
ActionsScrubResult actions_scrub(Session& session, const ActionsScrubRequest& request);
Operation actions_scrub_operation();

// No operation of the list: its result is another program's format, written as it is read.
struct ActionsExport {
  std::string format = "jsonl";
  std::string since, sequence, session;
};
std::vector<std::string> actions_export_formats();
void actions_export(Session& session, const ActionsExport& request,
                    const std::function<void(std::string_view)>& sink);

}  // namespace hebb::api
