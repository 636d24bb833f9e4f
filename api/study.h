// backtest and simulate: does it learn?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct BacktestRequest {
  std::vector<std::string> files;
  std::string since, until;  // a time, or a span before now
  std::vector<std::string> set;
  std::string measure = "mrr";
  std::string embedder, model;
  static const Fields& fields();
};

struct BacktestScore {
  std::string history, ranking, protocol;
  std::int64_t queries = 0;
  double mrr = 0, hit3 = 0, hit10 = 0, ndcg10 = 0;
  static const Fields& fields();
};
struct NapfdScore {
  std::string history, ordering;
  double budget = 0, napfd = 0;
  static const Fields& fields();
};
struct BacktestResult {
  std::vector<BacktestScore> scores;             // by history, ranking, protocol
  std::optional<std::vector<NapfdScore>> napfd;  // by history, ordering, budget; then no scores
  static const Fields& fields();
};
BacktestResult backtest(Session& session, const BacktestRequest& request);
Operation backtest_operation();

struct SimulateRequest {
  int seeds = 60, steps = 500;
  std::uint64_t seed = 1;
  std::vector<std::string> set;
  static const Fields& fields();
};
struct SimulateScore {
  std::string ranking, scenario;
  double regret = 0, standard_error = 0;
  static const Fields& fields();
};
struct SimulateResult {
  std::vector<SimulateScore> scores;  // by ranking, scenario
  static const Fields& fields();
};
SimulateResult simulate(Session& session, const SimulateRequest& request);
Operation simulate_operation();

}  // namespace hebb::api
