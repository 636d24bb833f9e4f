// import and ingest of files, which only hebb's own user may name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/ingest.h"

namespace hebb::api {

// Which files, of which format, and how much of them is taken.
struct FilesRequest {
  std::vector<std::string> files;
  bool allow_future = false, strict = false;
  Bytes max_size{Limits::kInputBytes};
  EmbedderName vectors;
};
RECORD(FilesRequest,
       FIELD(files, "Files; - is stdin",
             {.required = true, .positional = true, .option = "FILE", .local = true}),
       FIELD(allow_future, "Take also what is dated more than five minutes after now"),
       FIELD(strict, "Refuse a whole file if any line of it is refused"),
       FIELD(max_size, "Refuse a file that is longer, such as 500MB or 4GiB",
             {.unit = "bytes", .min = 1}))

std::vector<std::string> ingested_formats();
struct IngestFilesRequest : FilesRequest {
  std::string format;
  NodeId task;
  bool each = false;
  std::vector<std::string> changed;
};
RECORD(
    IngestFilesRequest, part<FilesRequest>(self),
    FIELD(format,
          "outcome (NDJSON, one object or an array), junit (an XML report) or cloudevents; else "
          "each file is recognised by how it begins",
          {.choices = ingested_formats()}),
    FIELD(task, "With --format junit: whose outcome the report is"),
    FIELD(each,
          "With --format junit: each test case is a node of type TEST with an outcome of its own"),
    FIELD(changed, "With --each: a file that the run was to test a change of; repeatable"))

struct ImportFilesRequest : FilesRequest {
  std::string format;  // empty: by each file's beginning, else history
  std::string columns;
  bool prune = false;
  std::string prefix;
};
std::vector<std::string> imported_formats();
RECORD(ImportFilesRequest, part<FilesRequest>(self),
       FIELD(format,
             "history (NDJSON), or what a tracker exports; else each file is recognised by how it "
             "begins",
             {.choices = imported_formats()}),
       FIELD(columns,
             "Of a CSV whose header has other names: TOML, with lines such as name = \"Aufgabe\"",
             {.from_file = true}),
       FIELD(prune,
             "Close tasks that came from there before and are in none of the files; without it "
             "they are only listed"),
       FIELD(prefix,
             "What stands before the ids of a tracker's tasks here, such as web-: so that two of "
             "them can share a database"),
       part(self.vectors))

struct IngestedFiles {
  std::vector<IngestResult> files;
  std::optional<std::string> unreadable;
};
RECORD(IngestedFiles,
       FIELD(files, "What became of each file, up to one that was refused as a whole"),
       FIELD(unreadable, "Why the file after these is not of its format"))

// Events of a file stay in the ledger even if a later file fails.
IngestedFiles import_files(Session& session, const ImportFilesRequest& request);
// The same for `text`, the content that the request's only file had. whole: it is the complete
// file, so tasks that are not in its list are gone.
IngestedFiles import_text(Session& session, const ImportFilesRequest& request,
                          std::string_view text, bool whole);

}  // namespace hebb::api
