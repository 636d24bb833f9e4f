// init, backup: the database as a file.
#pragma once

#include <string>

#include "api/operation.h"

namespace hebb::api {

struct InitRequest {
  static const Fields& fields();
};
struct InitResult {
  std::string database;  // its path
  static const Fields& fields();
};
InitResult init(Session& session, const InitRequest& request);
Operation init_operation();

struct BackupRequest {
  std::string file;
  bool force = false;
  static const Fields& fields();
};
struct BackupResult {
  std::string file;
  std::int64_t bytes = 0;
  static const Fields& fields();
};
BackupResult backup(Session& session, const BackupRequest& request);
Operation backup_operation();

// Throws Problem, invalid_argument, if a file to be written is the database or part of it.
void require_other_file(const std::string& file, const std::string& database);

}  // namespace hebb::api
