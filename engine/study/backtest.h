// Replays a real history: would the ranking have put first the task that was done next?
//
// The history is replayed in time order into a graph in memory. At each query the open, unblocked
// tasks are ranked by the events strictly before that time, and the place of the task that was
// completed next is noted. The protocols, and their limits: docs/measurements.md.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/fold/state.h"
#include "engine/study/chances.h"
#include "reward/policy.h"

namespace hebb::study {

enum class Protocol : std::uint8_t {
  a,    // just before each completion
  a1h,  // the same, of tasks at least an hour old
  b,    // the same, with tasks and candidates that are at least a day old
  c,    // just after each completion: the one completed next, if it is open
};
inline constexpr std::array<std::string_view, 4> kProtocolNames{"A", "A1h", "B", "C"};

struct BacktestOptions {
  TimeMs from =
      std::numeric_limits<TimeMs>::min();  // of the queries; the replay starts at the beginning
  TimeMs until = std::numeric_limits<TimeMs>::max();
  std::size_t min_candidates = 5;  // with fewer candidates there is no query
  std::size_t min_completed = 50;
  // Settings of the ranking `learned`; those of types ("type.*", "other.*",
  // "node.*") hold for all.
  std::vector<reward::Setting> settings;
  std::function<void(std::size_t done, std::size_t total)> progress;
};

// The place (from 1) that each ranking gave the task.
struct BacktestQuery {
  Protocol protocol = Protocol::a;
  TimeMs at = 0;
  std::string task;
  std::size_t candidates = 0;
  std::vector<std::size_t> places;  // by ranking; 0 for "random", whose score is an expectation
  // By ranking: its first would be called wrong, since it is neither P0 nor overdue, while another
  // candidate is and had not failed for a day. For "random" the share of such firsts.
  std::vector<double> wrong_first;
};

struct BacktestScore {
  std::string ranking;
  Protocol protocol = Protocol::a;
  std::size_t queries = 0;
  double mrr = 0, hit3 = 0, hit10 = 0, ndcg10 = 0;
  double wrong_first = 0;  // the share of queries
};

struct BacktestResult {
  std::vector<std::string> rankings;  // in the order of `places`
  std::vector<BacktestQuery> queries;
  std::vector<BacktestScore> scores;  // by ranking, then protocol
  Chances chances;                    // of `hebb`, for outcomes of open tasks
};

// A history as the ledger would have it after an import: each event once, named nodes with their
// vectors, in the fold's order. Outcomes are as they were sent, because each ranking resolves them
// for itself. Throws as Engine::ingest.
struct BacktestHistory {
  std::vector<Event> events;
  IngestSummary summary;
};
BacktestHistory import_history(Input& history, const std::string& file,
                               Embedder* embedder = nullptr);

// events: as import_history or read_history gives them, in any order. Throws reward::BadPolicy.
// Events that the engine would refuse are left out and counted in `refused`.
BacktestResult backtest(std::vector<Event> events, const BacktestOptions& options,
                        std::size_t* refused = nullptr);

// --- the rankings that are compared with `learned` -----------------------------------------------

// Whether a key is of a type of edges ("type.*", "other.*") or nodes ("node.*"). Such settings hold
// for all rankings.
bool about_types(std::string_view policy_key);

// The published formula, without the edges that outcomes and rankings wrote; types decay as in
// types_from.
reward::Policy formula_only(const reward::Policy& types_from);
// No type decays or becomes dormant.
reward::Policy without_decay(reward::Policy policy);

// A new state in which `policy` is in force from the beginning.
State state_with(const reward::Policy& policy);

}  // namespace hebb::study
