// export: the ledger as a history log.
#pragma once

#include <string>

#include "api/operation.h"

namespace hebb::api {

struct ExportRequest {
  std::string file;
  static const Fields& fields();
};
struct ExportResult {
  std::string file;
  std::int64_t events = 0;
  static const Fields& fields();
};
ExportResult export_log(Session& session, const ExportRequest& request);
Operation export_operation();

}  // namespace hebb::api
