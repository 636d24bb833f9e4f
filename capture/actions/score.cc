#include "capture/actions/score.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/columns.h"
#include "capture/actions/row.h"
#include "capture/trace/tool_observations.h"
#include "engine/values/canonical_json.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

constexpr std::string_view kValidates = "VALIDATES";
constexpr std::size_t kTurnBatch =
    256;  // sequences per transaction, to let other writers in between
constexpr std::size_t kNodesPerCall = 64;

// The last successes of one tool.
class Durations {
 public:
  void add(double duration_ms) {
    if (durations_.size() < kHistory) {
      durations_.push_back(duration_ms);
    } else {
      durations_[next_] = duration_ms;
    }
    next_ = (next_ + 1) % kHistory;
  }

  double speed(double duration_ms) const {
    if (durations_.size() < kEnough || duration_ms <= 0) return 1;
    std::vector<double> sorted = durations_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return std::min(1.0, *middle / duration_ms);
  }

 private:
  std::vector<double> durations_;
  std::size_t next_ = 0;
};

struct Turn {
  std::string id;
  std::int64_t calls = 0, succeeded = 0, changes = 0;
  double speeds = 0;    // summed over the changes
  double last_end = 0;  // epoch ms
  bool last_failed = false;
  bool unscored = false;

  double reward() const {
    if (last_failed || succeeded == 0) return -1;
    if (changes == 0) return 0;
    const double rate = static_cast<double>(succeeded) / static_cast<double>(calls);
    return rate * (0.5 + 0.5 * speeds / static_cast<double>(changes));
  }
};

struct History {
  std::vector<Turn> turns;    // turns that need a reward, in the order they began
  std::int64_t last_row = 0;  // calls recorded after it are left to the next run
};

History read_history(sql::Database& db) {
  std::map<std::pair<std::string, std::string>, Durations> durations;  // by server and tool
  std::unordered_map<std::string, std::size_t> index;
  History history;
  std::vector<Turn>& turns = history.turns;
  sql::Statement& rows = db.query(sql::Query::action_history);
  while (rows.step()) {
    ActionRow call;
    read_columns(rows, call.position, call.sequence_id, call.timestamp, call.tool, call.app_name,
                 call.success, call.duration_ms, call.read_only, call.reward);
    history.last_row = std::max(history.last_row, call.position);
    const auto [known, is_new] = index.emplace(call.sequence_id, turns.size());
    if (is_new) turns.emplace_back().id = known->first;
    Turn& turn = turns[known->second];
    ++turn.calls;
    turn.succeeded += call.success;
    turn.unscored |= !call.reward;
    const double end = static_cast<double>(call.timestamp) + call.duration_ms;
    if (end >= turn.last_end) {
      turn.last_end = end;
      turn.last_failed = !call.success;
    }
    if (!call.success) continue;
    Durations& earlier = durations[{call.app_name, call.tool}];
    if (changes_state(call.tool, call.read_only)) {
      ++turn.changes;
      turn.speeds += earlier.speed(call.duration_ms);
    }
    earlier.add(call.duration_ms);
  }
  rows.reset();
  std::erase_if(turns, [](const Turn& turn) { return !turn.unscored; });
  return history;
}

void collect_strings(const json& value, std::set<std::string>& out) {
  // Not recursive, because a client may nest arguments as deep as it likes.
  std::vector<const json*> todo{&value};
  while (!todo.empty()) {
    const json& next = *todo.back();
    todo.pop_back();
    if (next.is_string()) out.insert(next.get<std::string>());
    if (next.is_structured()) {
      for (const json& element : next) todo.push_back(&element);
    }
  }
}

std::string unique_action(std::string_view what, std::string_view sequence, std::string_view tool,
                          std::string_view node) {
  return "action:" +
         content_hash(fmt::format("{}:{}{}:{}{}:{}{}:{}", what.size(), what, sequence.size(),
                                  sequence, tool.size(), tool, node.size(), node));
}

// The nodes named by the calls of a turn that succeeded.
void add_observations(sql::Database& db, Engine& engine, ToolObservations& tools, const Turn& turn,
                      std::int64_t last_row, std::int64_t now, std::vector<ToolObservation>& out) {
  std::set<std::pair<std::string, std::string>> named;
  sql::Statement& rows = db.query(sql::Query::action_args);
  bind_values(rows, turn.id, last_row);
  while (rows.step()) {
    const json args = json::parse(rows.text(1), nullptr, false);  // fails for cut arguments
    if (args.is_discarded()) continue;
    std::set<std::string> strings;
    collect_strings(args, strings);
    std::size_t nodes = 0;
    for (const std::string& text : strings) {
      const bool may_be_id = !text.empty() && text.size() <= Limits::kIdBytes && text != kFrontier;
      if (!may_be_id || !engine.state().exists(text)) continue;
      if (++nodes > kNodesPerCall) break;
      named.emplace(rows.text(0), text);
    }
  }
  rows.reset();
  const std::int64_t at = std::min(now, static_cast<std::int64_t>(turn.last_end));
  for (const auto& [tool, node] : named) {
    if (tool == node || !tools.may_be_tool(tool)) continue;
    ToolObservation& observation = out.emplace_back();
    // The node's key contains the time, the link's does not: a turn that got more calls may make a
    // tool that gc removed again, but its link counts once.
    observation.nodes.push_back(
        tool_node(tool, at, unique_action("tool", fmt::format("{}@{}", turn.id, at), tool, "")));
    Link link{
        .target = node, .type = std::string(kValidates), .weight = turn.reward(), .properties = {}};
    link.properties =
        json{{"sequence", turn.id}}.dump(-1, ' ', false, json::error_handler_t::replace);
    std::string key = event_key(link, unique_action("link", turn.id, tool, node));
    observation.link = Event{0, at, tool, std::move(key), std::move(link)};
    observation.link->may_differ = true;  // the turn may have had fewer calls before
  }
}

void set_rewards(sql::Database& db, const History& history, std::size_t from, std::size_t to) {
  sql::Transaction transaction(db);
  for (std::size_t i = from; i < to; ++i) {
    bind_values(db.query(sql::Query::action_reward), history.turns[i].id, history.turns[i].reward(),
                history.last_row)
        .run();
  }
  transaction.commit();
}

void count(const Turn& turn, ScoreReport& report) {
  ++report.sequences;
  const double reward = turn.reward();
  if (reward > 0) ++report.changed;
  if (reward == 0) ++report.navigated;
  if (reward < 0) ++report.failed;
}

}  // namespace

ScoreReport score_actions(sql::Database& db, Engine& engine, std::int64_t now) {
  ScoreReport report;
  const History history = read_history(db);
  const std::vector<Turn>& turns = history.turns;
  ToolObservations tools(engine);
  for (std::size_t from = 0; from < turns.size(); from += kTurnBatch) {
    const std::size_t to = std::min(turns.size(), from + kTurnBatch);
    std::vector<ToolObservation> observations;
    for (std::size_t i = from; i < to; ++i) {
      if (turns[i].reward() > 0) {
        add_observations(db, engine, tools, turns[i], history.last_row, now, observations);
      }
      count(turns[i], report);
    }
    tools.take(std::move(observations));
    set_rewards(db, history, from, to);
  }
  report.links = static_cast<std::int64_t>(tools.report().links);
  report.duplicates = static_cast<std::int64_t>(tools.report().duplicates);
  report.skipped = static_cast<std::int64_t>(tools.report().skipped);
  return report;
}

}  // namespace hebb::capture
