#include "api/export.h"

#include "api/common.h"
#include "api/database.h"
#include "sql/replace_file.h"

namespace hebb::api {

const Fields& ExportRequest::fields() {
  static const Fields kFields{
      field("file", &ExportRequest::file,
            "Is overwritten; - is stdout, as is none where that is no terminal",
            {.required = true, .positional = true, .local = true})};
  return kFields;
}

const Fields& ExportResult::fields() {
  static const Fields kFields{
      field("file", &ExportResult::file, "Where it is now"),
      field("events", &ExportResult::events, "How many events, a line each"),
  };
  return kFields;
}

ExportResult export_log(Session& session, const ExportRequest& request) {
  Engine& engine = session.engine(Access::read);
  require_other_file(request.file, session.path());
  sql::FileReplacement file(request.file, sql::FileReplacement::Existing::replace);
  ExportResult result{request.file, 0};
  export_log(engine, [&](std::string_view line) {
    file.write(line);
    ++result.events;
  });
  file.commit();
  return result;
}

Operation export_operation() {
  return operation<ExportRequest, ExportResult>(
      {.name = "export",
       .command = "export",
       .summary = "Write what happened as a history log, which import and backtest read",
       .example = "  hebb export history.jsonl\n"
                  "  hebb export | hebb --db copy.db import -\n"
                  "  hebb export | hebb backtest -",
       .doors = kCommandLine},
      export_log);
}

}  // namespace hebb::api
