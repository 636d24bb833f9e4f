// hebb undo
#include "api/undo.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

using api::EventsRequest, api::EventsResult;
using api::UndoRequest, api::UndoResult;

struct UndoOptions {
  std::string event;  // empty: the latest are listed
  bool by_id = false;
};

void print_events(const Context& context, const EventsResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : result.events) {
    rows.push_back({std::to_string(e.event), format_time(e.at.ms),
                    shortened(e.what) + (e.undone ? "  (undone)" : "")});
  }
  context.table({{"event", true}, {"at"}, {"what", false, true}}, rows);
}

void print_undone(const Context& context, const UndoResult& result) {
  context.report(fmt::format("undone: event {}, {} {} of {}; `hebb undo {}` brings it back",
                             result.event, result.kind, result.subject, format_time(result.at.ms),
                             result.undone_by));
}

// A number is a position. Anything else, or with --id, is the id that an outcome came with, or the
// key that the ledger gave it.
UndoRequest request_of(const UndoOptions& o) {
  constexpr std::size_t kDigits = 18;  // of a position
  const bool number = std::all_of(o.event.begin(), o.event.end(),
                                  [](unsigned char c) { return c >= '0' && c <= '9'; });
  UndoRequest request;
  if (number && !o.by_id && o.event.size() <= kDigits)
    request.event = std::stoll(o.event);
  else
    request.outcome_id = o.event;
  return request;
}

void undo(const Context& context, const UndoOptions& o) {
  if (o.event.empty()) {
    EventsRequest request;
    return run_operation<EventsRequest, EventsResult>(
        context,
        {"events", api::events,
         [](const Context& c, const EventsRequest&, const EventsResult& result) {
           print_events(c, result);
         }},
        request);
  }
  UndoRequest request = request_of(o);
  run_operation<UndoRequest, UndoResult>(
      context,
      {"undo", api::undo,
       [](const Context& c, const UndoRequest&, const UndoResult& result) {
         print_undone(c, result);
       }},
      request);
}

}  // namespace

// Two operations in one command: without an event those there are, with one it is undone.
void add_undo(CLI::App& app, Context& context) {
  const auto o = std::make_shared<UndoOptions>();
  const auto& about = api::operation_named("undo").about;
  auto* command = add_command(
      app, context, "undo", std::string(about.summary),
      fmt::format("  hebb undo            # lists the latest events\n{}", about.example),
      [&context, o] { undo(context, *o); });
  command->add_option("EVENT", o->event,
                      "Its position in the ledger, or the id of an outcome; without it, the latest "
                      "events are listed");
  command->add_flag("--id", o->by_id, "EVENT is an outcome's id, even if it is a number");
}

}  // namespace hebb::cli
