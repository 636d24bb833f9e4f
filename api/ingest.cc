#include "api/ingest.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "api/common.h"
#include "api/policy.h"
#include "engine/input/recognise.h"
#include "engine/values/counted.h"

namespace hebb::api {

IngestResult result_of(IngestSummary summary, const std::string& file) {
  IngestResult result;
  static_cast<IngestSummary&>(result) = std::move(summary);
  result.file = file;
  auto& notes = result.notes;
  const std::string where = file.empty() ? "" : file + ": ";
  for (auto& note : notes) note.insert(0, where);
  constexpr std::size_t kShown = 10;
  for (const auto& task : std::span(result.changed).first(std::min(kShown, result.changed.size())))
    notes.push_back(where + "changed: " + task);
  if (result.tasks_changed > kShown) {
    const auto more = static_cast<std::int64_t>(result.tasks_changed - kShown);
    notes.push_back(where + "changed: " + counted(more, "more task"));
  }
  for (auto& note : notes_of(result.missing_vectors)) notes.push_back(std::move(note));
  return result;
}

IngestResult take_input(Session& session, GivenInput given) {
  hebb::IngestRequest one;
  one.input = &given.input;
  one.file = given.file;
  one.format = &given.format;
  one.read = std::move(given.read);
  one.read.now = session.now();
  one.latest = latest_of(session, given.allow_future);
  one.strict = given.strict;
  one.embedder = given.embedder;
  one.progress = session.progress(given.file.empty() ? "reading" : "reading " + given.file);
  IngestResult result = result_of(session.engine(Access::write).ingest(one), given.file);
  result.refused_whole = (given.strict || given.format.whole) && result.refused > 0;
  return result;
}

namespace {

// Adds the tasks that are gone from a list to the result of its last input; closes them if asked.
void find_gone(Session& session, const SnapshotRequest& list, bool prune, IngestResult& result) {
  Gone gone = session.engine(Access::write).find_gone(list, prune);
  const std::string where = result.file.empty() ? "" : result.file + ": ";
  if (prune && !gone.unknown.empty()) {
    result.notes.push_back(fmt::format("{}nothing was closed, since {}", where, gone.unknown));
  } else if (const std::string why = list.listed.cut_off(); !why.empty()) {
    result.notes.push_back(fmt::format("{}{}; the rest of the list was not taken", where, why));
  }
  result.gone = std::move(gone.ids);
  result.pruned = gone.pruned;
}

// The inputs of one tracker are one list.
void find_gone_in(Session& session, std::vector<IngestResult>& results, const AfterInputs& after) {
  std::map<const Format*, std::pair<SnapshotRequest, IngestResult*>> lists;
  for (IngestResult& result : results) {
    if (!result.format->of_tracker) continue;
    auto& [list, last] = lists[result.format];
    list.format = result.format;
    list.prefix = after.prefix;
    list.now = session.now();
    list.latest = latest_of(session, after.allow_future);
    list.listed.add(result.listed);
    last = &result;
  }
  // An empty list may be of any tracker.
  const bool has_empty =
      std::ranges::any_of(results, [](const IngestResult& r) { return r.listed.has_empty; });
  for (auto& [format, all] : lists) {
    auto& [list, last] = all;
    list.listed.has_empty = has_empty;
    find_gone(session, list, after.prune, *last);
  }
}

}  // namespace

void finish_inputs(Session& session, std::vector<IngestResult>& results, const AfterInputs& after) {
  if (after.lists_are_whole) find_gone_in(session, results, after);
  Engine& engine = session.engine(Access::write);
  engine.sync();
  const auto cycle = blocking_cycle(engine);
  for (IngestResult& result : results) result.blocking_cycle = cycle;
}

std::vector<std::string> refusal_lines(const IngestResult& result) {
  constexpr std::size_t kShown = 10;
  std::vector<std::string> lines;
  for (const auto& r : result.refusals) {
    if (lines.size() == kShown) break;
    const std::string where = result.file.empty() ? fmt::format("line {}", r.line)
                                                  : fmt::format("{}:{}", result.file, r.line);
    lines.push_back(fmt::format("{}: {}: {}", where, r.refusal.reason, r.refusal.detail));
  }
  const auto more = result.refused - static_cast<std::int64_t>(kShown);
  if (more > 0) lines.push_back(fmt::format("… and {} more", more));
  return lines;
}

void require_of_list(const Format& format, bool prune, const std::string& prefix) {
  if (format.of_tracker || (!prune && prefix.empty())) return;
  const char* field = prune ? "prune" : "prefix";
  throw invalid(field, "{} is for what lists the tasks there are: what a tracker exports",
                named(field));
}

std::optional<TimeMs> latest_of(const Session& session, bool allow_future) {
  if (allow_future) return std::nullopt;
  return latest_taken(session.now());
}

const Format& format_named(const std::string& name) {
  if (const Format* found = find_format(name)) return *found;
  throw invalid("format", "there is no format \"{}\"", name);
}

const Format& format_of_input(Input& input, const std::string& file,
                              const std::vector<std::string>& taken, const std::string& fallback) {
  const Format* found = recognised(input, file);
  if (!found) {
    // An empty list is a list of any tracker that has no tasks.
    const std::string_view text = input::beginning_of(input);
    const bool is_empty_list =
        text.starts_with('[') && text.find_first_not_of(" \t\r\n]", 1) == text.npos;
    for (const std::string& name : taken)
      if (is_empty_list && format_named(name).of_tracker) return format_named(name);
    return format_named(fallback);
  }
  if (std::find(taken.begin(), taken.end(), found->name) != taken.end()) return *found;
  const bool outcomes = std::find(taken.begin(), taken.end(), "outcome") != taken.end();
  throw UnreadableInput(fmt::format(
      "nothing was taken: by how it begins its format is {0}, which `hebb {1} --format {0}{2}` "
      "takes",
      found->name, outcomes ? "import" : "ingest", found->name == "junit" ? " --each" : ""));
}

namespace {

// The content to read: the given text, or the given outcomes, one on each line. An event keeps the
// text of its outcome, with fields that hebb does not know, and so does a dead letter: outcomes are
// read from texts alone.
std::string content_of(const IngestRequest& request) {
  const bool has_outcomes = request.outcomes && !request.outcomes->empty();
  if (request.content ? has_outcomes : !request.outcomes.has_value()) {
    throw invalid("outcomes", "give either {}, a list of objects, or {}, the text of a file",
                  named("outcomes"), named("content"));
  }
  if (request.content) return *request.content;
  if (!request.format.empty() && request.format != "outcome") {
    throw invalid("format", "{} are of the format outcome; give other formats as {}",
                  named("outcomes"), named("content"));
  }
  std::string lines;
  for (const Object& outcome : *request.outcomes) lines += outcome.json.dump() + "\n";
  return lines;
}

// In the other formats each item has an id, or its content identifies it.
const Format& format_of(const IngestRequest& request, Input& content) {
  if (!request.format.empty()) return format_named(request.format);
  if (request.outcomes && !request.content) return format_named("outcome");
  return format_of_input(content, request.file, names_of(formats()), "outcome");
}

IngestResult ingest(Session& session, const IngestRequest& request) {
  const Attached& attached = session.attached;
  const std::string content = attached.body ? "" : content_of(request);
  Input of_text(content), of_body(attached.body, attached.most_body_bytes);
  Input& input = attached.body ? of_body : of_text;
  const Format& format = format_of(request, input);
  const bool junit = format.name == "junit";
  if (junit == (request.task.empty() != request.each) || (request.each && !junit)) {
    throw invalid("task",
                  "a junit report needs {}, whose outcome it is, or {}; in other formats each item "
                  "names its own",
                  named("task"), named("each"));
  }
  require_of_list(format, false, request.prefix);
  const auto embedder = embedder_of(request.vectors);
  session.engine(Access::write);
  const auto policy_note = request.each ? note_on_tests(session) : std::nullopt;
  GivenInput given{input, format, request.file};
  given.read.task = request.task;
  given.read.each = request.each;
  given.read.prefix = request.prefix;
  given.read.key = attached.key;
  given.strict = request.strict;
  given.allow_future = request.allow_future;
  given.embedder = embedder.get();
  std::vector<IngestResult> results{take_input(session, std::move(given))};
  finish_inputs(session, results,
                {.prefix = request.prefix,
                 .allow_future = request.allow_future,
                 .lists_are_whole = !results.front().refused_whole});
  if (policy_note) results.front().notes.push_back(*policy_note);
  return std::move(results.front());
}

}  // namespace

Operations ingest_operations() {
  return {
      operation({.name = "ingest",
                 .summary = "Report outcomes in bulk: JSON, JUnit, CloudEvents",
                 .example = "  echo '{\"taskId\":\"task-7\",\"outcome\":\"success\"}' | "
                            "hebb ingest -",  // the command line's is ingest_files
                 .route = "POST /outcomes",
                 .tool = Tool::all,
                 .command_line = false,
                 .problems = {ProblemType::unreadable},
                 .idempotent = true,
                 .takes_file = true},
                ingest),
  };
}

}  // namespace hebb::api
