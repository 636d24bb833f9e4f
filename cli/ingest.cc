// hebb init, import, ingest
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <poll.h>

#include "api/database_folder.h"
#include "api/files.h"
#include "api/ingest_files.h"
#include "api/values.h"
#include "cli/commands.h"
#include "cli/follow.h"
#include "cli/operation_command.h"
#include "cli/output.h"

namespace hebb::cli {

void print_sums(const Context& context, const Json& r) {
  const std::string tasks = has(r, "tasks") ? counted(whole(r, "tasks"), "task") + ", " : "";
  context.report(fmt::format("{}: {}{}, {} applied, {} already there, {} refused", text(r, "file"),
                             tasks, counted(whole(r, "items"), "item"), whole(r, "applied"),
                             whole(r, "duplicates"), whole(r, "refused")));
}

void note_refusals(const Context& context, const Json& result) {
  api::IngestResult typed;
  Json record = result;
  record.erase(api::kSchemaVersion);  // a member of every answer, not of the result
  api::read_record(api::fields_of<api::IngestResult>(), record, &typed);
  for (const auto& line : api::refusal_lines(typed)) context.note(line);
  for (const auto& note : typed.notes) context.note(note);
}

namespace {

using api::ImportFilesRequest, api::IngestedFiles;

bool follows = false;  // --follow

void print_ingested(const Context& context, const Json&, const Json& result) {
  for (const Json& file : list(result, "files")) print_sums(context, file);
}

void end_ingest(const Context& context, const Json& request, const Json& result) {
  std::int64_t items = 0, refused = 0;
  const Json& files = list(result, "files");
  for (const Json& file : files) {
    note_refusals(context, file);
    items += whole(file, "items");
    refused += whole(file, "refused");
  }
  if (has(result, "unreadable"))
    throw api::Problem(api::ProblemType::unreadable, text(result, "unreadable"));
  const Json& last = files.back();
  if (flag(last, "refused_whole")) {
    throw Stop(kFailed,
               fmt::format("{}: refused as a whole{}; nothing of it was written",
                           text(last, "file"), flag(request, "strict") ? " (--strict)" : ""));
  }
  note_blocking_cycle(context, texts(last, "blocking_cycle"));
  if (refused > 0) {
    throw Stop(kSomeRefused,
               fmt::format("{} of {} refused and kept; see `hebb dead-letters list`", refused,
                           counted(items, "item was", refused == 1 ? "items was" : "items were")));
  }
}

// What the path is if it cannot be followed, in words; empty: a file, or nothing yet.
std::string no_file_to_follow(const std::string& path) {
  std::error_code ec;
  const auto type = std::filesystem::status(path, ec).type();
  using std::filesystem::file_type;
  if (type == file_type::directory) return path + " is a folder";
  if (type == file_type::regular || type == file_type::not_found || type == file_type::none)
    return {};
  return path + " is a pipe or a device";
}

// Reads the file as it is now and imports it. False: another process holds the database.
bool import_once(const Context& context, const ImportFilesRequest& request, FollowedFile& followed,
                 bool first) {
  const std::string& file = request.files.front();
  std::error_code ec;
  if (!std::filesystem::exists(file, ec)) return true;
  if (const std::string why = no_file_to_follow(file); !why.empty()) {
    context.note(fmt::format("{}: nothing was read", why));
    return true;
  }
  std::string held;
  IngestedFiles result;
  CommandSession session(context);
  try {
    const api::FileInput opened(file);
    Input input(opened.read(), request.max_size);
    held = input.rest(request.max_size);
    const std::string_view text = whole_part(held);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {  // no task, and none closed
      if (first && held.empty()) context.note(fmt::format("{}: it is empty", file));
      return true;
    }
    const bool is_all = followed.is_all() && text.size() == held.size();
    result = api::import_text(session, request, text, is_all);
  } catch (const UnreadableInput& e) {
    result.unreadable = fmt::format("{}: {}", file, e.what());
  } catch (const sql::Error& e) {
    if (!e.busy()) throw;
    return false;
  } catch (const api::Problem& e) {
    if (e.type == api::ProblemType::busy) return false;
    if (e.type != api::ProblemType::no_file) throw;
    return true;  // the file has disappeared
  }
  const auto changes = [](const api::IngestResult& r) {
    return r.applied > 0 || r.refused > 0 || r.pruned > 0;
  };
  const bool shows = first || std::any_of(result.files.begin(), result.files.end(), changes);
  const Json answer =
      api::answer_of(api::write_record(api::fields_of<IngestedFiles>(), &result), nullptr);
  if (context.json && shows) {
    context.print_json(answer);
  } else if (shows) {
    print_ingested(context, {}, answer);
  }
  if (shows) {
    for (const Json& taken : list(answer, "files")) note_refusals(context, taken);
    if (!result.files.empty()) note_blocking_cycle(context, result.files.back().blocking_cycle);
  }
  if (result.unreadable) context.note(*result.unreadable);
  return true;
}

// Runs until hebb is ended. Errors in the file are not fatal: its next change may correct them.
[[noreturn]] void follow(const Context& context, const Json& asked) {
  ImportFilesRequest request;
  CommandSession session(context);
  api::read_request(api::fields_of<ImportFilesRequest>(), asked, &request, session,
                    api::Access::write);
  if (request.files.size() != 1 || request.files.front() == "-")
    throw Stop(kUsage, "--follow takes one FILE, and not standard input");
  const std::string& path = request.files.front();
  if (const std::string why = no_file_to_follow(path); !why.empty())
    throw Stop(kUsage, fmt::format("--follow takes a file that a tracker writes; {}", why));
  constexpr int kTryAgainMs = 500;
  end_on_signals();
  FollowedFile file(path);
  context.note(fmt::format("following {}; SIGTERM or Ctrl-C ends it", path));
  for (bool first = true;; first = false) {
    while (!import_once(context, request, file, first)) poll(nullptr, 0, kTryAgainMs);
    flush_output();
    file.wait_for_change();
  }
}

}  // namespace

Views ingest_views() {
  return {
      {.operation = "init",
       .print =
           [](const Context& context, const Json&, const Json& result) {
             if (has(result, "sql")) return context.data(text(result, "sql"));
             const std::string database = text(result, "database");
             const bool is_above =
                 !context.names_database() && api::database_folder().by == api::kOfFolderAbove;
             context.report(flag(result, "made") ? "made " + database
                            : is_above           ? database +
                                             " is there already, for this folder, too; "
                                             "`mkdir .hebb` first makes one of its own"
                                       : database + " is there already");
           },
       .prepare =
           [](const Context& context, Json& request) {
             if (!request.value("print_sql", false)) context.make_own_folder();
           }},
      {.operation = "import_files",
       .print = print_ingested,
       .end = end_ingest,
       .prepare =
           [](const Context& c, Json& request) {
             if (follows) follow(c, request);
           },
       .options =
           [](CLI::App& command, Context&) {
             command.add_flag(
                 "--follow", follows,
                 "Import FILE again whenever it changes, until SIGTERM or SIGINT ends hebb");
           }},
      {.operation = "ingest_files", .print = print_ingested, .end = end_ingest, .on_outcome = true},
  };
}

}  // namespace hebb::cli
