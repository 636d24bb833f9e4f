#include "api/ingest_files.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/common.h"
#include "api/files.h"
#include "api/policy.h"
#include "api/request.h"
#include "engine/input/recognise.h"
#include "engine/values/refusals.h"

namespace hebb::api {

namespace {

// Whether every refusal is for one of these reasons.
bool refused_only_for(const IngestSummary& s, std::initializer_list<std::string_view> reasons) {
  return std::all_of(s.refusals.begin(), s.refusals.end(), [&](const RefusedItem& r) {
    return std::find(reasons.begin(), reasons.end(), r.refusal.reason) != reasons.end();
  });
}

// What to check first where nothing was accepted; empty where each refusal says so.
std::optional<std::string> probable_mistake(const Session& session, const IngestSummary& s,
                                            const std::string& file, std::string_view format) {
  if (s.items == 0 || s.refused != s.items || s.format->whole) return std::nullopt;
  if (refused_only_for(s, {refusal::kUnknownTask, refusal::kUnknownNode})) {
    return fmt::format("nothing that {} names is in {}; is that the right database?", file,
                       session.path());
  }
  if (refused_only_for(s, {refusal::kFuture, refusal::kConflict})) return std::nullopt;
  return fmt::format("nothing of {} was taken as {}; is that its --format?", file, format);
}

void require_options_of_junit(const IngestFilesRequest& request) {
  const auto refuse = [](const char* field, const std::string& why) {
    throw Problem(ProblemType::invalid_argument, why, field);
  };
  const auto task = named("task"), each = named("each"), changed = named("changed");
  const auto junit_only = named("format") + " junit";
  const bool for_junit = request.each || !request.task.empty();
  const bool junit = request.format == "junit" || (request.format.empty() && for_junit);
  if (junit && request.task.empty() && !request.each) {
    refuse("task", fmt::format("{} needs {}: whose outcome the report is; or {}, where each test "
                               "counts by itself",
                               junit_only, task, each));
  }
  if (junit && !request.task.empty() && request.each)
    refuse("task",
           fmt::format("{} and {} say two things: a report is one outcome, or one of each test",
                       task, each));
  if (!junit && request.format.empty() && !request.changed.empty())
    refuse("changed", fmt::format("{} is for a report of tests with {}", changed, each));
  if (!junit && (request.each || !request.changed.empty()))
    refuse("each", fmt::format("{} and {} are for {}", each, changed, junit_only));
  if (junit && !request.each && !request.changed.empty())
    refuse("changed", fmt::format("{} is for {}: what a test fails with", changed, each));
  if (!junit && !request.task.empty())
    refuse("task",
           fmt::format("{} is for {}; in other formats each item names its own", task, junit_only));
}

// Options that only an import has.
struct OfImport {
  bool import = false, prune = false;
  std::string prefix = {}, columns = {};
  std::optional<std::string_view> held = {};  // the content, if already read
  bool whole = true;                          // tasks that are not in the content are gone
  std::set<const Format*> of_several = {};    // whose files have several homes
  std::map<const Format*, RowNumbers> rows = {};
};

// The tasks that are gone from a snapshot, and whether they were closed.
std::optional<std::string> gone_line(const IngestResult& result) {
  constexpr std::size_t kShown = 5;
  if (result.gone.empty()) return std::nullopt;
  const std::size_t shown = std::min(kShown, result.gone.size());
  std::string ids =
      fmt::format("{}", fmt::join(result.gone.begin(),
                                  result.gone.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < result.gone.size()) ids += fmt::format(" and {} more", result.gone.size() - shown);
  if (result.pruned > 0)
    return fmt::format("{}: closed what is no longer in it: {}", result.file, ids);
  return fmt::format("{}: not in it, and not closed here: {}; --prune closes them", result.file,
                     ids);
}

}  // namespace

std::vector<std::string> ingested_formats() { return {"outcome", "junit", "cloudevents"}; }

std::vector<std::string> imported_formats() {
  std::vector<std::string> names{"history"};
  for (const Format& format : formats())
    if (format.of_tracker) names.emplace_back(format.name);
  return names;
}

namespace {

// Throws UnreadableInput for a format that the command does not take.
const Format& format_of_file(const IngestFilesRequest& request, bool import,
                             const std::string& path, Input& input) {
  if (!request.format.empty()) return format_named(request.format);
  if (request.each || !request.task.empty()) return format_named("junit");
  const Format& found = import ? format_of_input(input, path, imported_formats(), "history")
                               : format_of_input(input, path, ingested_formats(), "outcome");
  if (found.name == "junit") {
    throw UnreadableInput(
        "nothing was taken: it is a report of tests, which needs --each, where each test counts "
        "by itself, or --task ID: whose outcome the report is");
  }
  return found;
}

ReadOptions read_options(Session& session, const IngestFilesRequest& request,
                         const OfImport& options, std::optional<TimeZone>& zone) {
  ReadOptions read;
  read.task = request.task;
  read.each = request.each;
  read.changed = request.changed;
  if (request.each) read.root = std::filesystem::current_path().generic_string();
  read.of_ledger = options.import;
  read.prefix = options.prefix;
  read.columns = options.columns;
  read.utc_of_local = [&](TimeMs local) {
    if (!zone) zone.emplace(zone_name(session, Access::write));
    return zone->utc(local);
  };
  return read;
}

bool can_be_read_twice(const std::string& path) {
  std::error_code ec;
  return std::filesystem::is_regular_file(path, ec);
}

IngestResult take_file(Session& session, const IngestFilesRequest& request, OfImport& options,
                       Embedder* embedder, const std::string& path) {
  std::optional<FileInput> opened;
  if (!options.held) opened.emplace(path);
  Input as_held(options.held.value_or(""));
  Input as_read(opened ? opened->read() : Input::Read(), request.max_size);
  Input& input = opened ? as_read : as_held;
  const std::string file = shown_name(path);
  std::optional<TimeZone> zone;  // looked up when a time names no zone
  IngestResult result;
  try {
    if (opened) input.expect(opened->size());
    const bool is_empty = input::beginning_of(input).empty();
    if (is_empty && options.import && request.format.empty() && !recognised(input, path))
      throw UnreadableInput(kEmpty);
    GivenInput given{input, format_of_file(request, options.import, path, input), file};
    require_of_list(given.format, options.prune, options.prefix);
    given.read = read_options(session, request, options, zone);
    given.read.of_several = options.of_several.contains(&given.format);
    const auto rows = options.rows.find(&given.format);
    if (rows != options.rows.end() && can_be_read_twice(path)) given.read.rows = &rows->second;
    given.strict = request.strict;
    given.allow_future = request.allow_future;
    given.embedder = embedder;
    result = take_input(session, std::move(given));
    if (is_empty) result.notes.push_back(file + ": it is empty");
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", file, e.what()));
  }
  if (zone && zone_name(session, Access::write) == "UTC" && session.given_zone().empty()) {
    result.notes.push_back(
        fmt::format("{}: its times have no zone and were taken as UTC; --tz ZONE, such as "
                    "Europe/Berlin or +02:00, says which they are of",
                    file));
  }
  if (auto mistake = probable_mistake(session, result, file, result.format->name))
    result.notes.push_back(std::move(*mistake));
  return result;
}

// Looks what the files of one list have together: several repositories or sites, rows of one name.
// Ignores a file that cannot be read twice.
void look_ahead(Session& session, const IngestFilesRequest& request, OfImport& options) {
  std::map<const Format*, std::set<std::string>> homes;
  std::optional<TimeZone> zone;
  for (const std::string& path : request.files) {
    if (!can_be_read_twice(path)) continue;
    try {
      const FileInput file(path);
      Input input(file.read(), request.max_size);
      const Format& format = format_of_file(request, true, path, input);
      homes[&format].merge(homes_in(format, input));
      if (!format.whole) continue;
      ReadOptions read = read_options(session, request, options, zone);
      read.rows = &options.rows[&format];
      read.counts_rows = true;
      format.read(input, read, [](const Item&) {});
    } catch (const UnreadableInput&) {  // take_file() reports it
    }
  }
  for (const auto& [format, names] : homes)
    if (names.size() > 1) options.of_several.insert(format);
}

IngestedFiles take_files(Session& session, const IngestFilesRequest& request, OfImport options) {
  // A wrong name is refused before anything is read.
  if (!session.given_zone().empty()) TimeZone{session.given_zone()};
  // Checked before a database is made for a missing file.
  for (const auto& file : request.files) {
    if (!options.held) require_file(file);
  }
  const auto embedder = embedder_of(request.vectors);
  Engine& engine = session.engine(Access::write);
  if (options.import && !options.held && request.files.size() > 1)
    look_ahead(session, request, options);
  if (!request.task.empty()) require_node(engine.state(), request.task, "task");
  const auto policy_note = request.each ? note_on_tests(session) : std::nullopt;
  IngestedFiles result;
  try {
    for (const auto& file : request.files) {
      result.files.push_back(take_file(session, request, options, embedder.get(), file));
      if (result.files.back().refused_whole) break;
    }
  } catch (const UnreadableInput& e) {
    result.unreadable = e.what();
  }
  const bool all =
      !result.unreadable && (result.files.empty() || !result.files.back().refused_whole);
  finish_inputs(session, result.files,
                {options.prune, options.prefix, request.allow_future, options.whole && all});
  for (IngestResult& file : result.files) {
    if (auto line = gone_line(file)) file.notes.push_back(std::move(*line));
  }
  if (policy_note && !result.files.empty()) result.files.back().notes.push_back(*policy_note);
  return result;
}

}  // namespace

static IngestedFiles ingest_files(Session& session, const IngestFilesRequest& request) {
  require_options_of_junit(request);
  return take_files(session, request, {});
}

namespace {

IngestedFiles import_as(Session& session, const ImportFilesRequest& request,
                        const OfImport& options) {
  if (!request.format.empty())
    require_of_list(format_named(request.format), request.prune, request.prefix);
  IngestFilesRequest files;
  static_cast<FilesRequest&>(files) = request;
  files.format = request.format;
  if (!request.columns.empty()) {
    if (files.format.empty()) files.format = "csv";
    if (files.format != "csv")
      throw invalid("columns", "{} is for {} csv", named("columns"), named("format"));
  }
  return take_files(session, files, options);
}

}  // namespace

IngestedFiles import_files(Session& session, const ImportFilesRequest& request) {
  return import_as(session, request, {true, request.prune, request.prefix, request.columns});
}

IngestedFiles import_text(Session& session, const ImportFilesRequest& request,
                          std::string_view text, bool whole) {
  return import_as(session, request,
                   {true, request.prune, request.prefix, request.columns, text, whole});
}

Operations ingest_files_operations() {
  // The fields that gh of Debian 12 knows.
  constexpr std::string_view kFieldsOfGh =
      "number,title,body,state,labels,assignees,milestone,createdAt,updatedAt,closedAt,url";
  static const std::string kExample = fmt::format(
      "  hebb import history.jsonl\n"
      "  echo '{{\"kind\":\"node\",\"id\":\"t-1\",\"type\":\"TASK\",\"name\":\"Pay\","
      "\"at\":\"2026-01-02T00:00:00Z\"}}' | hebb import -\n"
      "  gh issue list --state all --limit 5000 \\\n"
      "     --json {} \\\n"
      "     | hebb import --format github -\n"
      "  # a newer gh also knows stateReason,parent,subIssues,blockedBy,blocking\n"
      "  hebb import --format beads .beads/issues.jsonl\n"
      "  task export | hebb import --format taskwarrior --prune -\n"
      "  hebb import todo.txt done.txt\n"
      "  hebb import tasks.csv\n"
      "  hebb import --columns columns.toml aufgaben.csv",
      kFieldsOfGh);
  return {
      operation(
          {.name = "ingest_files",
           .command = "ingest",
           .summary = "Report outcomes in bulk: JSON, JUnit, CloudEvents",
           .example = "  hebb ingest outcomes.ndjson\n"
                      "  echo '{\"taskId\":\"task-7\",\"outcome\":\"success\"}' | hebb ingest -\n"
                      "  hebb ingest --format junit --task task-7 build/report.xml\n"
                      "  hebb ingest --format junit --each build/report.xml",
           .writes = true,
           .problems = {ProblemType::unreadable, ProblemType::no_file},
           .idempotent = true},
          ingest_files),
      operation({.name = "import_files",
                 .command = "import",
                 .summary = "Import a history log, issues of a tracker, todo.txt or CSV",
                 .example = kExample,
                 .writes = true,
                 .problems = {ProblemType::unreadable, ProblemType::no_file},
                 .idempotent = true},
                import_files),
  };
}

}  // namespace hebb::api
