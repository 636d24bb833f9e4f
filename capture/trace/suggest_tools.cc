#include "capture/trace/suggest_tools.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "capture/trace/learn.h"
#include "reward/weight.h"

namespace hebb::capture {
namespace {

using EdgeTarget = std::pair<std::string, std::string>;  // edge type and id of a tool

// How often each edge from a tool was seen, from the ledger. Events are read one by one, so memory
// does not grow with their number.
class Counts {
 public:
  Counts(Engine& engine, std::string_view tool, TimeMs now)
      : ledger_(engine.ledger()), undone_(engine.undone()), tool_(tool), now_(now) {}

  void want(std::string_view type, const reward::TypePolicy& policy, std::string_view target) {
    counts_.emplace(EdgeTarget{type, target},
                    Count{policy.is_protected ? 1 : policy.decay_per_day});
  }

  void read() {
    const auto take = [&](Event&& e) { remove(e); };
    ledger_.gcs_of_subject(kWholeGc, take);
    ledger_.gcs_of_subject(tool_, take);
    for (const auto& [target, count] : counts_) ledger_.gcs_of_subject(target.second, take);
    while (pass()) {
    }
  }

  double of(std::string_view type, std::string_view target) const {
    return counts_.at(EdgeTarget{type, target}).sum;
  }

 private:
  struct Count {
    double kept_per_day;
    hebb::EventOrder removed{};
    double sum = 0;
  };

  // Reads the events once. True: it found an unknown removal, so earlier events were counted
  // wrongly, and another pass is needed.
  bool pass() {
    bool again = false;
    for (auto& [target, count] : counts_) count.sum = 0;
    ledger_.events_of_subject(tool_, [&](Event&& e) {
      if (const auto* link = std::get_if<Link>(&e.payload)) {
        add(e, *link);
      } else if (std::holds_alternative<Unlink>(e.payload)) {
        again |= remove(e);
      }
    });
    return again;
  }

  void add(const Event& e, const Link& link) {
    const auto found = counts_.find(EdgeTarget{link.type, link.target});
    if (found == counts_.end() || undone_.contains(e.position)) return;
    Count& count = found->second;
    if (hebb::EventOrder{e.at, e.key} < count.removed) return;
    count.sum += std::pow(count.kept_per_day, reward::days_between(e.at, now_));
  }

  bool remove(const Event& e) {
    if (undone_.contains(e.position)) return false;
    bool is_new = false;
    const hebb::EventOrder order{e.at, e.key};
    for (auto& [target, count] : counts_) {
      if (!(count.removed < order) || !removes(e, target)) continue;
      count.removed = order;
      is_new = true;
    }
    return is_new;
  }

  bool removes(const Event& e, const EdgeTarget& target) const {
    if (const auto* unlink = std::get_if<Unlink>(&e.payload)) {
      return EdgeTarget{unlink->type, unlink->target} == target;
    }
    const auto& forget = std::get<Forget>(e.payload);
    const auto is_end = [&](const std::string& id) { return id == tool_ || id == target.second; };
    const EdgeName edge{tool_, target.second, target.first};
    return std::any_of(forget.nodes.begin(), forget.nodes.end(), is_end) ||
           std::find(forget.edges.begin(), forget.edges.end(), edge) != forget.edges.end();
  }

  const Ledger& ledger_;
  const std::unordered_set<std::int64_t> undone_;
  const std::string tool_;
  const TimeMs now_;
  std::map<EdgeTarget, Count> counts_;
};

// The edges of a relation that are not dormant and lead to existing tools, without counts; dormant
// edges are added to `faded`.
std::vector<ToolSuggestion> awake_links(const State& state, graph::NodeId tool, Relation relation,
                                        TimeMs now, FadedLinks& faded) {
  const auto& graph = state.graph();
  std::vector<ToolSuggestion> found;
  const auto type = graph.edge_types().find(edge_type(relation));
  if (!type) return found;
  const auto& policy = type_policy(state, *type);
  for (const graph::EdgeId e : graph.out_edges(tool)) {
    const graph::NodeId target = graph.target(e);
    if (graph.type(e) != *type || graph.nodes().deleted_at[target] != graph::kNever) continue;
    const double w = graph.edges().weight[e];
    const TimeMs t = graph.edges().touched_at[e];
    if (reward::dormant(policy, w, t, now)) {
      ++faded.count;
      faded.last_seen = std::max(faded.last_seen, t);
      continue;
    }
    ToolSuggestion s;
    s.relation = relation;
    s.tool = graph.id(target);
    s.weight = reward::effective(policy, w, t, now);
    s.touched_at = t;
    found.push_back(std::move(s));
  }
  return found;
}

void rank(std::vector<ToolSuggestion>& found, std::size_t top) {
  double total = 0;
  for (const ToolSuggestion& s : found) total += s.count;
  std::sort(found.begin(), found.end(), [](const ToolSuggestion& a, const ToolSuggestion& b) {
    return std::tie(b.count, b.weight, a.tool) < std::tie(a.count, a.weight, b.tool);
  });
  if (found.size() > top) found.resize(top);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].rank = i + 1;
    found[i].share = total > 0 ? found[i].count / total : 0;
  }
}

}  // namespace

ToolKnown tool_known(const State& state, std::string_view tool) {
  if (!state.exists(tool)) return ToolKnown::no_such_node;
  const auto& graph = state.graph();
  const auto type = graph.nodes().type[*state.find(tool)];
  return graph.node_types().name(type) == kToolType ? ToolKnown::yes : ToolKnown::not_a_tool;
}

ToolSuggestions suggest_tools(Engine& engine, std::string_view tool, TimeMs now, std::size_t top) {
  ToolSuggestions all;
  // Reads edges and ledger in one snapshot.
  const auto snapshot = engine.read_snapshot();
  const State& state = engine.state();
  if (tool_known(state, tool) != ToolKnown::yes) return all;
  std::vector<std::vector<ToolSuggestion>> relations;
  Counts counts(engine, tool, now);
  for (const auto relation : {Relation::follows, Relation::co_occurs, Relation::contains}) {
    relations.push_back(awake_links(state, *state.find(tool), relation, now, all.faded));
    const std::string_view type = edge_type(relation);
    for (const auto& s : relations.back()) counts.want(type, state.policy().type(type), s.tool);
  }
  counts.read();
  for (auto& relation : relations) {
    for (ToolSuggestion& s : relation) s.count = counts.of(edge_type(s.relation), s.tool);
    rank(relation, top);
    std::move(relation.begin(), relation.end(), std::back_inserter(all.found));
  }
  return all;
}

}  // namespace hebb::capture
