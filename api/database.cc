#include "api/database.h"

#include <filesystem>

#include <fmt/format.h>

#include "api/common.h"
#include "sql/replace_file.h"

namespace hebb::api {

namespace fs = std::filesystem;

// --- init ----------------------------------------------------------------------------------------

const Fields& InitRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& InitResult::fields() {
  static const Fields kFields{field("database", &InitResult::database, "Where it is")};
  return kFields;
}

InitResult init(Session& session, const InitRequest&) {
  session.engine(Access::write).sync();
  return {session.path()};
}

Operation init_operation() {
  return operation<InitRequest, InitResult>({.name = "init",
                                             .command = "init",
                                             .summary = "Make the database, if there is none",
                                             .example = "  hebb init\n  hebb --db tasks.db init",
                                             .effect = Effect::writes,
                                             .doors = kCommandLine,
                                             .problems = {ProblemType::read_only},
                                             .idempotent = true},
                                            init);
}

// --- backup --------------------------------------------------------------------------------------

const Fields& BackupRequest::fields() {
  static const Fields kFields = with_presets<BackupRequest>({
      field("file", &BackupRequest::file, "Must not be there yet",
            {.required = true, .positional = true}),
      field("force", &BackupRequest::force, "Overwrite it if it is"),
  });
  return kFields;
}

const Fields& BackupResult::fields() {
  static const Fields kFields{
      field("file", &BackupResult::file, "The copy"),
      field("bytes", &BackupResult::bytes, "Its size", {.unit = "bytes"}),
  };
  return kFields;
}

void require_other_file(const std::string& file, const std::string& database) {
  if (!sql::is_file_of(file, database)) return;
  throw Problem(ProblemType::invalid_argument,
                fmt::format("{} is the database itself, or a file that belongs to it", file),
                "file");
}

BackupResult backup(Session& session, const BackupRequest& request) {
  if (request.file == "-") {
    throw Problem(ProblemType::invalid_argument,
                  "a backup is a file; it cannot be written to stdout", "file");
  }
  require_other_file(request.file, session.path());
  std::error_code ec;
  if (!request.force && fs::exists(request.file, ec)) {
    throw Problem(
        ProblemType::conflict,
        fmt::format("{} is there already; {} overwrites it", request.file, named("force")), "file");
  }
  session.engine(Access::read).back_up(request.file, request.force);
  return {request.file, static_cast<std::int64_t>(fs::file_size(request.file, ec))};
}

Operation backup_operation() {
  return operation<BackupRequest, BackupResult>(
      {.name = "backup",
       .command = "backup",
       .summary = "Copy the database into one file, while others go on using it",
       .example = "  hebb backup /backups/hebb-$(date +%F).db",
       .effect = Effect::reads,
       .doors = kCommandLine,
       .problems = {ProblemType::conflict}},
      backup);
}

}  // namespace hebb::api
