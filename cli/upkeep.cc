// hebb rebuild, undo, gc, backup
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/shortened.h"
#include "engine/cause.h"

namespace hebb::cli {

namespace fs = std::filesystem;

namespace {

void rebuild(const Context& context) {
  Engine engine = context.open(Context::Access::write);
  engine.rebuild();
  const std::int64_t events = engine.store().last_position();
  if (context.json) return context.print_json({{"events", events}});
  context.report(fmt::format("the mirror is rebuilt from {} events", events));
}

// --- undo ----------------------------------------------------------------------------------------

struct UndoOptions {
  std::string event;
  bool by_id = false;
};

// A number is a position. Anything else, or with --id, is the id that an outcome came with, or the
// key that the ledger gave it.
std::int64_t position_of(Engine& engine, const UndoOptions& o) {
  const bool number = std::all_of(o.event.begin(), o.event.end(),
                                  [](unsigned char c) { return c >= '0' && c <= '9'; });
  if (number && !o.by_id && o.event.size() <= 18) return std::stoll(o.event);
  for (const auto& key : {event_key(OutcomeSignal{}, o.event), o.event}) {
    if (const auto position = engine.store().position_of(key)) return *position;
  }
  throw Stop(kFailed,
             fmt::format("there is no outcome with the id \"{}\"; `hebb explain TASK` names "
                         "the events behind a task by their position",
                         o.event));
}

// The latest events, newest first: what there is to undo.
void list_events(const Context& context, Engine& engine) {
  constexpr std::int64_t kShown = 20;
  std::vector<Event> events;
  engine.store().events_after(engine.store().last_position() - kShown,
                              [&](Event&& e) { events.push_back(std::move(e)); });
  std::reverse(events.begin(), events.end());
  Json json = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const Event& e : events) {
    const bool undone = engine.is_undone(e.position);
    const std::string what = cause_of(e).what;
    json.push_back({{"event", e.position}, {"at", e.at}, {"what", what}, {"undone", undone}});
    rows.push_back({std::to_string(e.position), format_time(e.at),
                    shortened(what) + (undone ? "  (undone)" : "")});
  }
  if (context.json) return context.print_json(json);
  context.table({{"event", true}, {"at"}, {"what", false, true}}, rows);
}

void undo(const Context& context, const UndoOptions& o) {
  Engine engine = context.open(o.event.empty() ? Context::Access::read : Context::Access::write);
  if (o.event.empty()) return list_events(context, engine);
  const std::int64_t position = position_of(engine, o);
  const Event undone = engine.undo(position, context.now());
  if (context.json) {
    return context.print_json({{"event", position},
                               {"kind", kind_name(undone.payload)},
                               {"subject", undone.subject},
                               {"at", undone.at}});
  }
  context.report(fmt::format("undone: event {}, {} {} of {}; `hebb undo {}` brings it back",
                             position, kind_name(undone.payload), undone.subject,
                             format_time(undone.at), engine.store().last_position()));
}

// --- gc ------------------------------------------------------------------------------------------

struct GcOptions {
  std::string older_than;
  bool dry_run = false;
};

void gc(const Context& context, const GcOptions& o) {
  const TimeMs age = parse_duration_ms(o.older_than);
  Engine engine = context.open(o.dry_run ? Context::Access::read : Context::Access::write);
  const GcReport report = engine.gc(context.now(), age, o.dry_run);
  if (context.json) {
    Json edges = Json::array();
    for (const auto& e : report.edges) {
      edges.push_back({{"source", e.source}, {"target", e.target}, {"type", e.type}});
    }
    return context.print_json({{"dryRun", o.dry_run}, {"edges", edges}, {"nodes", report.nodes}});
  }
  // What a dry run lists is what was asked for.
  const auto say = [&](const std::string& text) {
    o.dry_run ? context.line(text) : context.report(text);
  };
  for (const auto& e : report.edges) {
    say(fmt::format("edge {} -{}-> {}", e.source, e.type, e.target));
  }
  for (const auto& n : report.nodes) say(fmt::format("node {}", n));
  say(fmt::format("{} dormant edges and {} orphaned nodes {}", report.edges.size(),
                  report.nodes.size(),
                  o.dry_run ? "would be removed" : "removed; the ledger knows them still"));
}

// --- backup --------------------------------------------------------------------------------------

struct BackupOptions {
  std::string file;
  bool force = false;
};

void backup(const Context& context, const BackupOptions& o) {
  if (o.file == "-") throw Stop(kUsage, "a backup is a file; it cannot be written to stdout");
  context.require_other_file(o.file);
  std::error_code ec;
  if (!o.force && fs::exists(o.file, ec)) {
    throw Stop(kFailed, fmt::format("{} is there already; --force overwrites it", o.file));
  }
  Engine engine = context.open(Context::Access::read);
  using Existing = sql::FileReplacement::Existing;
  engine.store().database().backup_to(o.file, o.force ? Existing::replace : Existing::keep);
  const auto bytes = fs::file_size(o.file, ec);
  if (context.json) return context.print_json({{"file", o.file}, {"bytes", bytes}});
  context.report(fmt::format("{}: {:.1f} MB", o.file, static_cast<double>(bytes) / 1e6));
}

}  // namespace

void add_rebuild(CLI::App& app, Context& context) {
  add_command(app, context, "rebuild", "Make the mirror anew, from the ledger alone",
              "  hebb rebuild && hebb verify", [&context] { rebuild(context); });
}

void add_undo(CLI::App& app, Context& context) {
  const auto o = std::make_shared<UndoOptions>();
  auto* command =
      add_command(app, context, "undo", "Take an event out of what counts; the ledger keeps both",
                  "  hebb undo            # lists the latest events\n  hebb undo 4711\n"
                  "  hebb undo ci-run-99",
                  [&context, o] { undo(context, *o); });
  command->add_option("EVENT", o->event,
                      "Its position in the ledger, or the id of an outcome; without it, the latest "
                      "events are listed");
  command->add_flag("--id", o->by_id, "EVENT is an outcome's id, even if it is a number");
}

void add_gc(CLI::App& app, Context& context) {
  const auto o = std::make_shared<GcOptions>();
  auto* command =
      add_command(app, context, "gc",
                  "Remove dormant edges, and nodes without edges, that nothing touched for a while",
                  "  hebb gc --older-than 365d --dry-run\n  hebb gc --older-than 365d",
                  [&context, o] { gc(context, *o); });
  command->add_option("--older-than", o->older_than, "A span of time, such as 365d or 12h")
      ->required();
  command->add_flag("--dry-run", o->dry_run, "Only say what would be removed");
}

void add_backup(CLI::App& app, Context& context) {
  const auto o = std::make_shared<BackupOptions>();
  auto* command = add_command(
      app, context, "backup", "Copy the database into one file, while others go on using it",
      "  hebb backup /backups/hebb-$(date +%F).db", [&context, o] { backup(context, *o); });
  command->add_option("FILE", o->file, "Must not be there yet")->required();
  command->add_flag("--force", o->force, "Overwrite it if it is");
}

}  // namespace hebb::cli
