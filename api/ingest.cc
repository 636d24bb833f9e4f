#include "api/ingest.h"

#include <algorithm>
#include <span>

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

void find_gone(Session& session, const SnapshotRequest& request, bool prune, IngestResult& result) {
  Gone gone = session.engine(Access::write).find_gone(request, prune);
  const std::string where = result.file.empty() ? "" : result.file + ": ";
  if (prune && !gone.unknown.empty()) {
    result.notes.push_back(fmt::format("{}nothing was closed, since {}", where, gone.unknown));
  } else if (const std::string why = request.listed.cut_off(); !why.empty()) {
    result.notes.push_back(fmt::format("{}{}; the rest of the list was not taken", where, why));
  }
  result.gone = std::move(gone.ids);
  result.pruned = gone.pruned;
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

const Format& format_of_input(Input& input, const std::vector<std::string>& taken,
                              const std::string& fallback) {
  const Format* found = recognised(input);
  if (!found) {
    // An empty list is that of a tracker without tasks, whichever.
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

// The content to read: the given text, or the given outcomes, one on each line.
std::string content_of(const IngestRequest& request) {
  if (request.content.has_value() == !request.outcomes.empty()) {
    throw invalid("outcomes", "give either {}, a list of objects, or {}, the text of a file",
                  named("outcomes"), named("content"));
  }
  if (request.content) return *request.content;
  if (!request.format.empty() && request.format != "outcome") {
    throw invalid("format", "{} are of the format outcome; give other formats as {}",
                  named("outcomes"), named("content"));
  }
  std::string lines;
  for (const Object& outcome : request.outcomes) lines += outcome.json.dump() + "\n";
  return lines;
}

// Reads outcomes in a request with a key. The id becomes part of an outcome's text, so that a dead
// letter has it too.
void read_outcomes_of_key(Input& content, const ReadOptions& options, const ItemSink& sink) {
  std::int64_t place = 0;
  read_outcomes(content, options, [&](Item item) {
    ++place;
    if (!std::holds_alternative<Event>(item.parsed)) return sink(std::move(item));
    Json outcome = json_or_discarded(item.text);
    if (!outcome.is_object() || !outcome.value("id", Json()).is_null())
      return sink(std::move(item));
    outcome["id"] = id_from_key(options.key, place);
    const std::string text = outcome.dump();
    Input named(text);
    read_outcomes(named, options, [&](Item again) {
      again.line = item.line;
      sink(std::move(again));
    });
  });
}

// In the other formats each item has an id, or is known by what it says.
const Format& format_of(const IngestRequest& request, Input& content) {
  static const Format kOfKey{"outcome", read_outcomes_of_key};
  const bool outcomes = !request.outcomes.empty();
  const Format& named = !request.format.empty() ? format_named(request.format)
                        : outcomes              ? format_named("outcome")
                                   : format_of_input(content, names_of(formats()), "outcome");
  return request.key.empty() || named.name != kOfKey.name ? named : kOfKey;
}

}  // namespace

std::string id_from_key(const std::string& key, std::int64_t place) {
  return fmt::format("{}/{}", key, place);
}

IngestResult ingest(Session& session, const IngestRequest& request) {
  const std::string content = content_of(request);
  Input input(content);
  return ingest_input(session, request, input);
}

IngestResult ingest_input(Session& session, const IngestRequest& request, Input& content) {
  const Format& format = format_of(request, content);
  const bool junit = format.name == "junit";
  if (junit == (request.task.empty() != request.each) || (request.each && !junit)) {
    throw invalid("task",
                  "a junit report needs {}, whose outcome it is, or {}; in other formats each item "
                  "names its own",
                  named("task"), named("each"));
  }
  require_of_list(format, false, request.prefix);
  const auto embedder = embedder_of(request.vectors);
  hebb::IngestRequest input;
  input.input = &content;
  input.file = request.file;
  input.format = &format;
  input.read.now = session.now();
  input.read.task = request.task;
  input.read.key = request.key;
  input.read.prefix = request.prefix;
  input.read.each = request.each;
  input.latest = latest_of(session, request.allow_future);
  input.strict = request.strict;
  input.embedder = embedder.get();
  input.progress = session.progress("reading");
  Engine& engine = session.engine(Access::write);
  const auto policy_note = request.each ? note_on_tests(session) : std::nullopt;
  const IngestSummary summary = engine.ingest(input);
  IngestResult result = result_of(summary, request.file);
  if (!request.strict || summary.refused == 0)
    find_gone(session, {&format, request.prefix, summary.listed, input.read.now, input.latest},
              false, result);
  engine.sync();
  if (policy_note) result.notes.push_back(*policy_note);
  result.blocking_cycle = blocking_cycle(engine);
  return result;
}

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
