// hebb dead-letters list, retry, drop
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/shortened.h"
#include "cli/ingest_files.h"

namespace hebb::cli {

namespace {

struct Options {
  std::vector<std::int64_t> ids;
  bool all = false;
  bool allow_future = false;
};

void list(const Context& context) {
  Engine engine = context.open(Context::Access::read);
  const auto letters = engine.store().dead_letters();
  if (context.json) {
    Json rows = Json::array();
    for (const auto& l : letters) {
      rows.push_back({{"id", l.id},
                      {"reason", l.reason},
                      {"file", l.file},
                      {"line", l.line},
                      {"text", l.text},
                      {"bytes", l.bytes},
                      {"hash", l.hash.empty() ? Json() : Json(l.hash)},
                      {"detail", l.detail},
                      {"format", l.format},
                      {"at", l.at}});
    }
    return context.print_json(rows);
  }
  if (letters.empty()) return context.note("no dead letters");
  std::vector<std::vector<std::string>> rows;
  for (const auto& l : letters) {
    rows.push_back({std::to_string(l.id), l.reason, fmt::format("{}:{}", l.file, l.line),
                    shortened(l.detail), shortened(l.text)});
  }
  context.table({{"id", true},
                 {"reason"},
                 {"where", false, true},
                 {"detail", false, true},
                 {"text", false, true}},
                rows);
}

// Those that were named, each of which must be there; or all.
std::vector<std::int64_t> chosen(Engine& engine, const Options& o) {
  if (o.all != o.ids.empty()) throw Stop(kUsage, "name dead letters by their ids, or say --all");
  std::vector<std::int64_t> there;
  for (const auto& l : engine.store().dead_letters()) there.push_back(l.id);
  if (o.all) return there;
  for (const auto id : o.ids) {
    if (std::find(there.begin(), there.end(), id) == there.end()) {
      throw Stop(kFailed, fmt::format("there is no dead letter {}; `hebb dead-letters list` shows "
                                      "those there are",
                                      id));
    }
  }
  return o.ids;
}

void retry(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::write);
  const auto ids = chosen(engine, o);
  const IngestSummary summary =
      engine.retry_dead_letters(ids, context.now(), latest_of(context, o.allow_future));
  engine.sync();
  if (context.json) context.print_json(summary_json(summary, "(dead letters)"));
  print_summary(context, summary, "(dead letters)");
  if (summary.refused > 0) {
    throw Stop(kSomeRefused,
               fmt::format("{} of {} are refused still, and kept", summary.refused, summary.items));
  }
}

void drop(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::write);
  const auto ids = chosen(engine, o);
  sql::Transaction transaction(engine.store().database());
  std::int64_t dropped = 0;
  for (const auto id : ids) dropped += engine.store().drop_dead_letter(id);
  transaction.commit();
  if (context.json) return context.print_json({{"dropped", dropped}});
  context.report(fmt::format("{} dropped", dropped));
}

}  // namespace

void add_dead_letters(CLI::App& app, Context& context) {
  auto* letters = add_command(app, context, "dead-letters", "Input that was refused, and why",
                              "  hebb dead-letters list\n"
                              "  hebb dead-letters retry --all\n"
                              "  hebb dead-letters drop 3 4",
                              {});
  letters->require_subcommand(1);
  const auto o = std::make_shared<Options>();
  add_command(*letters, context, "list", "What was refused: reason, file, line, text",
              "  hebb dead-letters list --json", [&context] { list(context); });
  auto* retrier =
      add_command(*letters, context, "retry", "Try again; what is taken now leaves the list",
                  "  hebb dead-letters retry 3\n  hebb dead-letters retry --all",
                  [&context, o] { retry(context, *o); });
  auto* dropper = add_command(*letters, context, "drop", "Give up on some",
                              "  hebb dead-letters drop 3 4\n  hebb dead-letters drop --all",
                              [&context, o] { drop(context, *o); });
  add_allow_future(*retrier, o->allow_future);
  for (auto* command : {retrier, dropper}) {
    command->add_option("ID", o->ids, "Which");
    command->add_flag("--all", o->all, "All of them");
  }
}

}  // namespace hebb::cli
