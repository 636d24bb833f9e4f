// verify, rebuild, quarantine: whether the database is whole, and what to do if not.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct VerifyRequest {
  static const Fields& fields();
};
struct VerifyResult {
  bool ok = false;
  std::vector<std::string> problems;
  static const Fields& fields();
};
// A database that is too damaged to be opened is also reported as a problem in the result.
VerifyResult verify(Session& session, const VerifyRequest& request);
Operation verify_operation();

struct RebuildRequest {
  bool force = false;
  static const Fields& fields();
};
struct RebuildResult {
  std::int64_t events = 0;  // from which the mirror was made
  static const Fields& fields();
};
RebuildResult rebuild(Session& session, const RebuildRequest& request);
Operation rebuild_operation();

struct QuarantineRequest {
  std::vector<std::int64_t> events;  // positions
  static const Fields& fields();
};
struct QuarantinedEvent {
  std::int64_t event = 0;
  std::string damage;
  static const Fields& fields();
};
struct QuarantineResult {
  std::vector<QuarantinedEvent> events;
  static const Fields& fields();
};
QuarantineResult quarantine(Session& session, const QuarantineRequest& request);
Operation quarantine_operation();

}  // namespace hebb::api
