// hebb stats
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/cycle.h"
#include "engine/fold/blocking.h"

namespace hebb::cli {

namespace {

Json time_json(const std::optional<TimeMs>& t) { return t ? Json(*t) : Json(nullptr); }

void stats(const Context& context) {
  Engine engine = context.open(Context::Access::read);
  const Stats s = engine.stats(context.now());
  const auto cycle = blocking_cycle(engine.state(), context.now());
  if (context.json) {
    return context.print_json({{"database", context.db_path()},
                               {"events", s.events},
                               {"outcomes", s.outcomes},
                               {"nodes", s.nodes},
                               {"open", s.open},
                               {"candidates", s.candidates},
                               {"blockingCycle", cycle},
                               {"edges", s.edges},
                               {"dormant", s.dormant},
                               {"vectors", s.vectors},
                               {"dimension", s.dimension},
                               {"embedder", s.embedder},
                               {"deadLetters", s.dead_letters},
                               {"bytes", s.bytes},
                               {"recalibratedAt", time_json(s.recalibrated_at)},
                               {"latestAt", time_json(s.latest_at)}});
  }
  const auto count = [](std::int64_t n) { return std::to_string(n); };
  const auto time = [](const std::optional<TimeMs>& t) { return t ? format_time(*t) : "never"; };
  context.fields({{"database", context.db_path()},
                  {"size", fmt::format("{:.1f} MB", static_cast<double>(s.bytes) / 1e6)},
                  {"events", count(s.events)},
                  {"outcomes", count(s.outcomes)},
                  {"nodes", count(s.nodes)},
                  {"open", count(s.open)},
                  {"candidates", fmt::format("{} (open and unblocked)", s.candidates)},
                  {"edges", count(s.edges)},
                  {"dormant", count(s.dormant)},
                  {"vectors", s.vectors == 0 ? "0"
                                             : fmt::format("{} of {} numbers, by {}", s.vectors,
                                                           s.dimension, s.embedder)},
                  {"dead letters", count(s.dead_letters)},
                  {"recalibrated", time(s.recalibrated_at)},
                  {"latest event", time(s.latest_at)}});
  note_blocking_cycle(context, cycle);
}

}  // namespace

void add_stats(CLI::App& app, Context& context) {
  add_command(app, context, "stats", "How much of what there is",
              "  hebb stats\n  hebb stats --json", [&context] { stats(context); });
}

}  // namespace hebb::cli
