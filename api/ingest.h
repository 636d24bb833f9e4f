// ingest: takes outcomes, histories and issues.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct IngestRequest {
  std::vector<Json> outcomes;          // outcome objects; or instead
  std::optional<std::string> content;  // the text of a file in `format`
  std::string format;                  // empty: as the content begins, else outcome
  std::string task;
  bool each = false;
  std::string file;  // its name, for messages and dead letters
  bool strict = false, allow_future = false;
  std::string embedder, model;
  // Not a field. If given, outcomes without an id get id_from_key() as theirs.
  std::string key;
  static const Fields& fields();
};

struct IngestRefusal {
  std::int64_t line = 0;
  std::string reason, detail;
  static const Fields& fields();
};

struct IngestResult {
  std::optional<std::string> file;
  std::optional<std::int64_t> tasks;  // in a list of a tracker
  std::int64_t items = 0, applied = 0, duplicates = 0, refused = 0;
  std::vector<IngestRefusal> refusals;  // the first hundred
  std::vector<std::string> notes;
  std::vector<std::string> changed;  // of the tasks of a tracker that were there before
  std::int64_t tasks_changed = 0;
  std::vector<std::string> gone;  // tasks that a list of a tracker no longer has
  std::int64_t pruned = 0;        // of these: closed
  std::vector<std::string> blocking_cycle;
  static const Fields& fields();
};
IngestResult ingest(Session& session, const IngestRequest& request);
// The same of a content that is read a piece at a time; that of the request is not looked at.
IngestResult ingest_input(Session& session, const IngestRequest& request, Input& content);
Operation ingest_operation();

// The id of an outcome that has none of its own, in a request with a key; place: from 1. Stored; do
// not change.
std::string id_from_key(const std::string& key, std::int64_t place);

// The sums, the refusals and the notes; file: for messages.
IngestResult result_of(const IngestSummary& summary, const std::string& file);
// The first ten refusals as people read them, a line each, and how many more there are.
std::vector<std::string> refusal_lines(const IngestResult& result);

// For hebb::IngestRequest::latest: later events are refused; nullopt: none are.
std::optional<TimeMs> latest_of(const Session& session, bool allow_future);
// Throws Problem, invalid_argument, if no format has that name.
const Format& format_named(const std::string& name);
// Where no format was asked for: that of the input, by how it begins, or the fallback where that
// does not tell. Throws UnreadableInput for one that is not in `taken`, with what takes it.
const Format& format_of_input(Input& input, const std::vector<std::string>& taken,
                              const std::string& fallback);

}  // namespace hebb::api
