// import and ingest of files: what only whoever runs hebb may name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/ingest.h"

namespace hebb::api {

struct IngestFilesRequest {
  std::vector<std::string> files;
  std::string format;    // empty: as each file begins, else outcome
  std::string task, tz;  // of a junit report
  bool each = false;
  std::vector<std::string> changed;
  bool allow_future = false, strict = false;
  std::uint64_t max_size = Limits::kInputBytes;  // of each file
  std::string embedder, model;
  static const Fields& fields();
};

struct ImportFilesRequest {
  std::vector<std::string> files;
  std::string format;  // empty: as each file begins, else history
  bool allow_future = false, strict = false, prune = false;
  std::uint64_t max_size = Limits::kInputBytes;
  std::string embedder, model;
  static const Fields& fields();
};

struct IngestedFiles {
  std::vector<IngestResult> files;        // up to the first that was refused as a whole
  std::optional<std::string> unreadable;  // why the one after these was not read
  static const Fields& fields();
};

// What was taken stays taken, whatever becomes of the files after it.
IngestedFiles ingest_files(Session& session, const IngestFilesRequest& request);
Operation ingest_files_operation();
IngestedFiles import_files(Session& session, const ImportFilesRequest& request);
// The same of what the one file of the request held when it was read. whole: all of it is there, so
// that a list of tasks has no others.
IngestedFiles import_text(Session& session, const ImportFilesRequest& request,
                          std::string_view text, bool whole);
Operation import_files_operation();

}  // namespace hebb::api
