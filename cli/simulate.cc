// hebb simulate
#include "study/simulate.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

struct Options {
  int seeds = 60, steps = 500;
  std::uint64_t first_seed = 1;
  std::vector<std::string> set;
};

void run(const Context& context, const Options& o) {
  study::SimulateOptions options;
  options.seeds = o.seeds;
  options.steps = o.steps;
  options.first_seed = o.first_seed;
  options.settings = parse_settings(o.set);
  ProgressBar progress(context, "simulating");
  options.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
  const auto scores = study::simulate(options);
  if (context.json) {
    Json rows = Json::array();
    for (const auto& s : scores) {
      rows.push_back({{"ranking", s.ranking},
                      {"scenario", s.scenario},
                      {"regret", s.regret},
                      {"stderr", s.stderr_}});
    }
    context.print_json(rows);
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : scores) {
    if (rows.empty() || rows.back().front() != s.ranking) rows.push_back({s.ranking});
    rows.back().push_back(fmt::format("{:.1f} ±{:.1f}", s.regret, s.stderr_));
  }
  context.line(fmt::format(
      "mean regret over {} seeds of {} steps (successes lost against the best open category)",
      o.seeds, o.steps));
  context.table({{"ranking"}, {"S1", true}, {"S2", true}, {"S3", true}, {"S4", true}}, rows);
}

}  // namespace

void add_simulate(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "simulate",
                  "A world with known odds: how many successes does learning cost and bring?",
                  "  hebb simulate\n  hebb simulate --seeds 10 --set recency_exponent=0.5",
                  [&context, o] { run(context, *o); });
  command->add_option("--seeds", o->seeds, "How many worlds to average over")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--steps", o->steps, "Steps in each")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--seed", o->first_seed, "The first world's number")->capture_default_str();
  command
      ->add_option("--set", o->set,
                   "KEY=VALUE: a policy constant for this run (see `hebb policy show`)")
      ->take_all();
}

}  // namespace hebb::cli
