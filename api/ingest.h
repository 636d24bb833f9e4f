// ingest: takes outcomes, histories and issues.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/operation.h"

namespace hebb {

RECORD(Refusal, FIELD(reason, "A code"), FIELD(detail, "What is wrong, and what is allowed"))

RECORD(RefusedItem,
       FIELD(line, "The line of the content, from 1; for a retried dead letter its id"),
       part(self.refusal))

}  // namespace hebb

namespace hebb::api {

struct IngestRequest {
  std::optional<std::vector<Object>> outcomes;
  std::optional<std::string> content;
  std::string format;
  NodeId task;
  bool each = false;
  std::string prefix, file;
  bool strict = false, allow_future = false;
  EmbedderName vectors;
};
RECORD(IngestRequest,
       FIELD(outcomes,
             "Outcomes: objects with taskId, outcome (success, partial, failure), and score, id, "
             "timestamp, relatedNodes, agentId where there are any"),
       FIELD(content, "Or the text of a file, in any format"),
       FIELD(format, "What the content is; else it is recognised by how it begins",
             {.choices = names_of(formats())}),
       FIELD(task, "Of a junit report: whose outcome it is"),
       FIELD(each, "Of a junit report: an outcome of each test case"),
       FIELD(prefix, "Of a tracker: what stands before the ids of its tasks here, such as web-"),
       FIELD(file, "Where the content is from, for messages and dead letters"),
       FIELD(strict, "Refuse all of it if any item is refused"),
       FIELD(allow_future, "Take also what is dated more than five minutes after now"),
       part(self.vectors))

struct IngestResult : IngestSummary {
  std::string file;
  bool refused_whole = false;
  std::vector<std::string> gone;
  std::size_t pruned = 0;
  std::vector<std::string> blocking_cycle;
};
RECORD(IngestResult, FIELD(file, "Where the content was from", {.may_be_absent = true}),
       FIELD(tasks, "How many tasks a list of a tracker has"), FIELD(items, "How many there were"),
       FIELD(applied, "How many are new"), FIELD(duplicates, "How many were there already"),
       FIELD(refused, "How many were not taken; they are dead letters now"),
       FIELD(refused_whole, "Because of them nothing was taken, and there are no dead letters",
             {.may_be_absent = true}),
       FIELD(refusals, "The reasons for the first hundred refusals"), FIELD(notes, "Further notes"),
       FIELD(changed,
             "The first hundred tasks of a tracker that the input changed, with what is different"),
       FIELD(tasks_changed, "How many tasks it changed"),
       FIELD(gone,
             "Tasks of a tracker that came before, are not closed, and are not in its list now"),
       FIELD(pruned, "How many of them were closed"),
       FIELD(blocking_cycle, "Tasks that block one another in a ring: none of them can be ranked"))

// An input from any door.
struct GivenInput {
  Input& input;
  const Format& format;
  std::string file = {};  // its name in messages; empty: none
  ReadOptions read = {};  // the door's options for reading; not `now`
  bool strict = false, allow_future = false;
  Embedder* embedder = nullptr;
};
// Reads an input and appends its events. Throws UnreadableInput.
IngestResult take_input(Session& session, GivenInput given);

// After all inputs of a request: lists or closes the tasks that are gone from complete lists,
// brings the tables up to date, and looks for tasks that block one another.
struct AfterInputs {
  bool prune = false;
  std::string prefix = {};
  bool allow_future = false;
  bool lists_are_whole = true;
};
void finish_inputs(Session& session, std::vector<IngestResult>& results, const AfterInputs& after);

// The sums, the refusals and the notes; file: for messages.
IngestResult result_of(IngestSummary summary, const std::string& file);
// The first ten refusals as people read them, a line each, and how many more there are.
std::vector<std::string> refusal_lines(const IngestResult& result);

// Throws if `prune` or `prefix` has a value and the format is not one of lists.
void require_of_list(const Format& format, bool prune, const std::string& prefix);

// For hebb::IngestRequest::latest: later events are refused; nullopt: none are.
std::optional<TimeMs> latest_of(const Session& session, bool allow_future);
// Throws Problem, invalid_argument, if no format has that name.
const Format& format_named(const std::string& name);
// The format where the request names none: by the input's beginning or its file, or the fallback
// where that does not show it. Throws UnreadableInput for one that is not in `taken`, and names the
// command for it.
const Format& format_of_input(Input& input, const std::string& file,
                              const std::vector<std::string>& taken, const std::string& fallback);

}  // namespace hebb::api
