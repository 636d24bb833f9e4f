// hebb stats
#include "api/stats.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/operation_command.h"

namespace hebb::cli {

using api::StatsRequest, api::StatsResult;

namespace {

void print_stats(const Context& context, const StatsResult& s) {
  const auto count = [](std::int64_t n) { return std::to_string(n); };
  const auto time = [](const std::optional<api::Time>& t) {
    return format_time(t ? t->ms : graph::kNever);
  };
  context.fields({{"database", s.database},
                  {"size", fmt::format("{:.1f} MB", static_cast<double>(s.bytes) / 1e6)},
                  {"events", count(s.events)},
                  {"outcomes", count(s.outcomes)},
                  {"nodes", count(s.nodes)},
                  {"open", count(s.open)},
                  {"candidates", fmt::format("{} (can be done now)", s.candidates)},
                  {"edges", count(s.edges)},
                  {"dormant", count(s.dormant)},
                  {"vectors", s.vectors == 0 ? "0"
                                             : fmt::format("{} of {}, by {}", s.vectors,
                                                           counted(s.dimension, "number"),
                                                           s.embedder.value_or(""))},
                  {"dead letters", count(s.dead_letters)},
                  {"recalibrated", time(s.recalibrated_at)},
                  {"latest event", time(s.latest_at)}});
  note_blocking_cycle(context, s.blocking_cycle);
}

}  // namespace

void add_stats(CLI::App& app, Context& context) {
  add_operation<StatsRequest, StatsResult>(
      app, context,
      {"stats", api::stats,
       [](const Context& c, const StatsRequest&, const StatsResult& s) { print_stats(c, s); }});
}

}  // namespace hebb::cli
