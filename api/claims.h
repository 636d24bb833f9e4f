// next, claim_renew, claim_release, claim_list, outcome: working on tasks beside others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/order.h"

namespace hebb::api {

struct NextRequest : Order {
  std::int64_t limit = 1;
  bool claim = false;
  std::string agent;
  Duration lease{15 * 60'000};
  std::string request_id;
  bool spread = false, expiry_is_failure = false;
  static const Fields& fields();
};
struct NextTask {
  std::string id, name;
  double relative = 0;
  std::vector<std::string> why;
  std::optional<std::int64_t> token;
  std::optional<Time> expires_at;
  static const Fields& fields();
};
struct NextResult {
  std::vector<NextTask> tasks;
  static const Fields& fields();
};
NextResult next(Session& session, const NextRequest& request);
Operation next_operation();

struct ClaimRecord {
  std::string task, agent;
  std::int64_t token = 0;
  Time claimed_at, expires_at;
  std::string status;  // "active", "expired", "stuck", "released"
  std::int64_t expiries = 0;
  static const Fields& fields();
};
struct ClaimResult {
  ClaimRecord claim;
  static const Fields& fields();
};

struct ClaimRenewRequest {
  std::int64_t token = 0;
  Duration lease{15 * 60'000};
  static const Fields& fields();
};
ClaimResult claim_renew(Session& session, const ClaimRenewRequest& request);
Operation claim_renew_operation();

struct ClaimReleaseRequest {
  std::int64_t token = 0;
  static const Fields& fields();
};
ClaimResult claim_release(Session& session, const ClaimReleaseRequest& request);
Operation claim_release_operation();

struct ClaimListRequest {
  std::string agent, status;
  static const Fields& fields();
};
struct ClaimListResult {
  std::vector<ClaimRecord> claims;
  static const Fields& fields();
};
ClaimListResult claim_list(Session& session, const ClaimListRequest& request);
Operation claim_list_operation();

struct OutcomeRequest {
  std::string id;  // of the task
  std::string outcome;
  std::optional<double> score;
  std::optional<std::int64_t> token;
  std::string agent, outcome_id;
  static const Fields& fields();
};
struct OutcomeResult {
  std::string id, outcome;
  bool repeated = false;
  static const Fields& fields();
};
OutcomeResult outcome(Session& session, const OutcomeRequest& request);
Operation outcome_operation();

}  // namespace hebb::api
