// hebb import, ingest
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <poll.h>

#include "api/counted.h"
#include "api/files.h"
#include "api/ingest_files.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/follow.h"
#include "cli/ingested.h"
#include "cli/operation_command.h"
#include "cli/outcome_hook.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

using api::IngestedFiles, api::IngestFilesRequest, api::ImportFilesRequest;

void print_ingested(const Context& context, const IngestedFiles& result) {
  for (const auto& file : result.files) print_sums(context, file);
}

void end(const Context& context, bool strict, const IngestedFiles& result) {
  std::int64_t items = 0, refused = 0;
  for (const auto& file : result.files) {
    note_refusals(context, file);
    items += file.items;
    refused += file.refused;
  }
  if (result.unreadable) throw api::Problem(api::ProblemType::unreadable, *result.unreadable);
  const auto& last = result.files.back();
  if (strict && last.refused > 0) {
    throw Stop(kFailed, fmt::format("{}: refused as a whole (--strict); nothing of it was written",
                                    last.file.value_or("")));
  }
  note_blocking_cycle(context, last.blocking_cycle);
  if (refused > 0) {
    throw Stop(kSomeRefused,
               fmt::format("{} of {} refused and kept; see `hebb dead-letters list`", refused,
                           counted(items, "item was", refused == 1 ? "items was" : "items were")));
  }
}

// What is at the path and cannot be followed, in words; empty: a file, or nothing yet.
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
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return true;
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
    return true;  // it has gone meanwhile
  }
  const auto changes = [](const api::IngestResult& r) {
    return r.applied > 0 || r.refused > 0 || r.pruned > 0;
  };
  const bool tells = first || std::any_of(result.files.begin(), result.files.end(), changes);
  if (context.json && tells) {
    context.print_json(api::write_record(IngestedFiles::fields(), &result));
  } else if (tells) {
    print_ingested(context, result);
  }
  if (tells) {
    for (const auto& taken : result.files) note_refusals(context, taken);
    if (!result.files.empty()) note_blocking_cycle(context, result.files.back().blocking_cycle);
  }
  if (result.unreadable) context.note(*result.unreadable);
  session.end_of_report();
  return true;
}

// Until hebb is ended. What is wrong with the file now may be right when it changes again.
[[noreturn]] void follow(const Context& context, const ImportFilesRequest& request) {
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

template <class Request>
CLI::App* add(CLI::App& app, Context& context, std::string_view operation,
              IngestedFiles (*run)(api::Session&, const Request&),
              const std::function<void(const Context&, const Request&)>& before = {}) {
  const auto max_size = std::make_shared<std::uint64_t>(Request().max_size);
  auto* command = add_operation<Request, IngestedFiles>(
      app, context,
      {operation, run,
       [](const Context& c, const Request&, const IngestedFiles& result) {
         print_ingested(c, result);
       },
       [max_size, before](const Context& c, Request& request) {
         request.max_size = *max_size;
         if (before) before(c, request);
       },
       [](const Context& c, const Request& request, const IngestedFiles& result) {
         end(c, request.strict, result);
       }});
  command
      ->add_option("--max-size", *max_size,
                   "Refuse a file that is longer, such as 500MB or 4GiB (default 1GiB)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::PositiveNumber);
  return command;
}

}  // namespace

void add_import(CLI::App& app, Context& context) {
  const auto follows = std::make_shared<bool>(false);
  CLI::App* command =
      add<ImportFilesRequest>(app, context, "import_files", api::import_files,
                              [follows](const Context& c, const ImportFilesRequest& request) {
                                if (*follows) follow(c, request);
                              });
  command->add_flag("--follow", *follows,
                    "Import FILE again whenever it changes, until SIGTERM or SIGINT ends hebb");
}

void add_ingest(CLI::App& app, Context& context) {
  add_outcome_hook(*add<IngestFilesRequest>(app, context, "ingest_files", api::ingest_files),
                   context);
}

}  // namespace hebb::cli
