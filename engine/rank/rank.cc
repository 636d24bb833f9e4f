// The ranking as rows.
#include "engine/rank/rank.h"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/current/embed_nodes.h"
#include "engine/current/events.h"
#include "engine/fold/edge_rules.h"
#include "engine/ledger/outcome_input.h"
#include "engine/rank/node_facts.h"
#include "engine/rank/node_filter.h"
#include "engine/rank/ranked.h"
#include "engine/rank/reasons.h"
#include "engine/values/counted.h"
#include "text/ascii.h"

namespace hebb {

using graph::NodeId;

std::vector<float> vector_near(Folded& folded, const State& s, const RankQuery& q) {
  std::vector<float> v = q.vector;
  if (!q.near.empty()) {
    if (const auto n = s.find(q.near)) {
      const auto row = s.vectors().row(*n);
      if (row.empty()) {
        throw std::invalid_argument(
            fmt::format("the node \"{}\" has no vector to be near to", q.near));
      }
      v.assign(row.begin(), row.end());
    } else {
      v = embed(folded, q.near, q.embedder);
    }
  }
  if (const auto d = s.vectors().dimension(); d != 0 && !v.empty() && v.size() != d) {
    throw std::invalid_argument(fmt::format("the vector has {}, this database's have {}",
                                            counted(static_cast<std::int64_t>(v.size()), "number"),
                                            d));
  }
  return v;
}

namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kDurations = 20;
constexpr std::size_t kReasonsMost = 3;

// The mean of the last durations that outcomes of the task gave, in seconds.
std::optional<double> mean_seconds(const Folded& folded, const std::string& id) {
  std::vector<double> seen;
  for (const Event& e : events_about(folded, {id}, false, kEndOfTime)) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || e.subject != id) continue;
    if (const auto ms = execution_time_ms(*outcome)) seen.push_back(*ms);
  }
  if (seen.empty()) return std::nullopt;
  const std::size_t from = seen.size() - std::min(seen.size(), kDurations);
  double sum = 0;
  for (std::size_t i = from; i < seen.size(); ++i) sum += seen[i];
  return sum / static_cast<double>(seen.size() - from) / 1000;
}

// 0 of none. Of an even number, the mean of the two in the middle.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The task that an agent completed last.
std::optional<NodeId> own_last(Folded& folded, const RankedState& ranked,
                               const std::string& agent) {
  if (agent.empty()) return std::nullopt;
  for (const NodeId n : ranked.ranking().completed()) {
    if (folded.completed_by(std::string(ranked.view().graph.id(n))) == agent) return n;
  }
  return std::nullopt;
}

// One query of one ranking.
class RankRun {
 public:
  // own: the task that the query's agent completed last.
  RankRun(Folded& folded, KeptMean& mean, const State& s, const RankedState& ranked,
          const RankQuery& q, std::optional<NodeId> own)
      : folded_(folded),
        kept_mean_(mean),
        q_(q),
        view_(ranked.view()),
        ranking_(ranked.ranking()),
        is_kept_(ranked.is_kept()),
        times_(ranked.times()),
        wanted_(q.top > kAll - q.offset ? kAll : q.top + q.offset),
        focus_(ranking_.focus()),
        changed_(q.selection.changed.begin(), q.selection.changed.end()) {
    if (own) {
      focus_ = ranking_.focus_after(view_, *own);
      other_focus_ = true;
    }
    const std::vector<float> near = vector_near(folded, s, q);
    near_given_ = !near.empty();
    other_focus_ = other_focus_ || near_given_;
    if (near_given_) focus_.vector.assign(near.begin(), near.end());
    if (q.selection.among) among_.insert(q.selection.among->begin(), q.selection.among->end());
    if (q.unclaimed_at && !q.as_of) {
      claimed_.resize(view_.graph.node_bound());
      for (const auto& [task, claim] : folded.claims().rows()) {
        if (!claim.active(*q.unclaimed_at)) continue;
        if (const auto n = view_.graph.find_node(task)) claimed_[*n] = true;
      }
    }
    score();
    choose(s);
  }

  std::vector<RankRow> rows() {
    if (needs_durations()) {
      sort_first(kAll);
      add_seconds();
      if (q_.selection.shard) keep_shard(*q_.selection.shard);
      if (q_.selection.budget_seconds) keep_within(*q_.selection.budget_seconds);
      summary_.total = chosen_.size();
    }
    keep_wanted();
    reward::RelativePriority relative;
    for (const Entry& entry : chosen_) relative.add(entry.priority);
    std::optional<MeanFactors> mean;
    if (q_.reasons) mean = mean_of_tasks();
    FactsOf facts(folded_, view_, times_.stamp);
    std::vector<RankRow> rows;
    for (std::size_t i = q_.offset; i < chosen_.size(); ++i) {
      const Entry& entry = chosen_[i];
      RankRow& row = rows.emplace_back();
      row.rank = static_cast<std::int64_t>(i) + 1;
      row.id = id_of(entry);
      if (!entry.is_new()) {
        row.created_at = view_.graph.nodes().created_at[entry.node];
        row.duration_ms = duration_of(entry);
        const NodeContent content = content_of(folded_, row.id);
        row.name = content.name.value_or("");
        if (q_.node_facts) static_cast<NodeFacts&>(row) = facts(entry.node, content);
      }
      if (q_.took) q_.took(row.id.size() + row.name.size() + bytes_of(row));
      row.factors = *entry.factors;
      row.factors.priority = entry.priority;
      row.tier = reward::tier_name(entry.factors->tier);
      row.relative = relative.of(entry.priority);
      row.seconds = entry.seconds;
      if (!q_.selection.changed.empty()) row.change_proximity = entry.change;
      if (mean) row.reasons = words_of(entry, *mean, facts);
    }
    return rows;
  }
  const RankSummary& summary() const { return summary_; }  // after rows()

 private:
  struct Entry {
    const reward::Factors* factors;
    double priority;  // of the factors, times `change`
    double change = 1;
    double order = 0;  // decides before all else, where the query has an order of its own
    NodeId node = graph::kNoNode;  // kNoNode: asked for, and no node
    std::string_view id = {};      // of an entry without a node
    std::optional<double> seconds = {};
    bool is_new() const { return node == graph::kNoNode; }
  };

  std::string_view id_of(const Entry& entry) const {
    return entry.is_new() ? entry.id : view_.graph.id(entry.node);
  }

  TimeMs duration_of(const Entry& entry) const {
    return entry.is_new() ? graph::kNever : view_.graph.nodes().duration_ms[entry.node];
  }

  // All candidates with their factors. What is in another state than OPEN is no candidate; it is
  // ranked as if it were, blocked or not.
  void score() {
    const std::string_view state = q_.which.state;
    as_ranked_ = (state.empty() || kept_state(state) == kOpen) && !other_focus_;
    if (as_ranked_) return;
    if (state.empty() || kept_state(state) == kOpen) {
      scored_ = ranking_.score(view_, focus_);
      return;
    }
    const auto& g = view_.graph;
    for (NodeId n = 0; n < g.node_bound(); ++n) {
      if (n == view_.frontier || !reward::exists(view_, n)) continue;
      if (!same_name(g.states().name(g.nodes().state[n]), kept_state(state))) continue;
      reward::multiply(view_.policy, ranking_.evidence_of(view_, focus_, n), nullptr,
                       scored_.emplace_back(reward::Ranked{n, {}}).factors);
    }
  }

  template <class Use>
  void each_scored(Use use) const {
    for (const reward::Ranked& r : scored_) use(r.node, r.factors);
    if (!as_ranked_) return;
    for (const reward::Candidate& row : ranking_.open()) {
      if (row.is_blocked == 0) use(row.node, ranking_.factors_of(row));
    }
  }

  bool asks_for(std::string_view id) const {
    return (!q_.selection.among || among_.contains(id)) && !q_.selection.without.contains(id);
  }

  void choose(const State& s) {
    const NodeFilter filter(folded_, s, view_, q_.which);
    const auto& g = view_.graph;
    const reward::KnownNames kinds(g);
    const bool all = !q_.selection.among && q_.selection.without.empty();
    bool only_tests = true;
    each_scored([&](NodeId n, const reward::Factors& factors) {
      if (!filter.takes(n) || (!all && !asks_for(g.id(n)))) return;
      if (n < claimed_.size() && claimed_[n]) {
        ++summary_.claimed;
        return;
      }
      Entry entry{&factors, factors.priority};
      entry.node = n;
      for (const auto& [id, weight] : concerned(n)) entry.change += weight;
      entry.priority *= entry.change;
      if (q_.longest_waiting) {
        entry.order = days_waited(n);
        if (entry.order < view_.policy.waiting_days) return;
      }
      if (q_.selection.among) only_tests = only_tests && reward::is_test(view_, kinds, n);
      add(entry);
    });
    // The ids asked for that are no node. Among tests they are tests.
    new_ =
        reward::factors_of_new(view_.policy, ranking_.general(), ranking_.usual_days(), only_tests);
    for (const std::string& id : among_) {
      const auto n = view_.graph.find_node(id);
      if ((n && reward::exists(view_, *n)) || q_.selection.without.contains(id)) continue;
      Entry entry{&new_, new_.priority};
      entry.id = id;
      add(entry);
    }
  }

  double days_waited(NodeId n) const {
    const reward::Candidate* row = ranking_.find(n);
    if (row == nullptr) return 0;
    const TimeMs since = std::max(row->evidence.last_activity, row->evidence.failed_at);
    return reward::days_between(since, times_.now);
  }

  // Entries that are not wanted go when they have become many, so that few are moved about.
  void add(const Entry& entry) {
    constexpr std::size_t kSpare = 64;
    chosen_.push_back(entry);
    ++summary_.total;
    if (!needs_durations() && chosen_.size() / 2 > std::max(wanted_, kSpare)) keep_wanted();
  }

  void keep_wanted() {
    sort_first(wanted_);
    if (chosen_.size() > wanted_) chosen_.resize(wanted_);
  }

  // The changed files that the task has edges to, and the weights of these.
  std::vector<std::pair<std::string, double>> concerned(NodeId n) const {
    std::vector<std::pair<std::string, double>> by;
    if (changed_.empty()) return by;
    const graph::Graph& g = view_.graph;
    for (const auto e : g.out_edges(n)) {
      std::string id(g.id(g.target(e)));
      if (!changed_.contains(id)) continue;
      const double w = reward::counting_weight(view_, e, times_.stamp);
      // Rewards say how a task came out, not what it is about.
      const auto& type = g.edge_types().name(g.type(e));
      if (w != 0 && type != kRewardPositive && type != kRewardNegative)
        by.emplace_back(std::move(id), w);
    }
    return by;
  }

  reward::Standing standing(const Entry& entry) const {
    const TimeMs created_at =
        entry.is_new() ? graph::kNever : view_.graph.nodes().created_at[entry.node];
    return {*entry.factors,     entry.priority, entry.change,
            duration_of(entry), created_at,     id_of(entry)};
  }

  bool before(const Entry& a, const Entry& b) const {
    if (a.order != b.order) return a.order > b.order;
    return reward::goes_first(standing(a), standing(b));
  }

  void sort_first(std::size_t count) {
    const auto end = chosen_.begin() + static_cast<std::ptrdiff_t>(std::min(count, chosen_.size()));
    std::partial_sort(chosen_.begin(), end, chosen_.end(),
                      [&](const Entry& a, const Entry& b) { return before(a, b); });
  }

  bool needs_durations() const { return q_.selection.budget_seconds || q_.selection.shard; }

  // How long each of the chosen is expected to take; see Selection::budget_seconds.
  void add_seconds() {
    std::vector<double> known;
    for (Entry& entry : chosen_) {
      entry.seconds = mean_seconds(folded_, std::string(id_of(entry)));
      const TimeMs estimate =
          entry.is_new() ? graph::kNever : view_.graph.nodes().estimate[entry.node];
      if (!entry.seconds && estimate != graph::kNever)
        entry.seconds = static_cast<double>(estimate) / 1000;
      if (entry.seconds) known.push_back(*entry.seconds);
    }
    const double of_others = median(std::move(known));
    for (Entry& entry : chosen_)
      if (!entry.seconds) entry.seconds = of_others;
  }

  const Unit* unit_of(const Entry& entry) const {
    const auto found = q_.selection.units.find(id_of(entry));
    return found == q_.selection.units.end() ? nullptr : &found->second;
  }

  std::string_view unit_name(const Entry& entry) const {
    const Unit* unit = unit_of(entry);
    return unit ? std::string_view(unit->name) : id_of(entry);
  }

  // A part is within the time of its test; where that is not chosen, the parts make it up.
  std::map<std::string_view, double> seconds_of_units() const {
    std::map<std::string_view, double> of_tests, of_parts;
    for (const Entry& entry : chosen_) {
      const Unit* unit = unit_of(entry);
      (unit && unit->is_part ? of_parts : of_tests)[unit_name(entry)] += *entry.seconds;
    }
    of_tests.merge(of_parts);
    return of_tests;
  }

  void keep_shard(const Shard& shard) {
    const auto seconds = seconds_of_units();
    const auto taken = units_of(shard, seconds);
    std::erase_if(chosen_, [&](const Entry& entry) { return !taken.contains(unit_name(entry)); });
  }

  void keep_within(double budget) {
    const auto seconds = seconds_of_units();
    std::map<std::string_view, bool> fits;
    double used = 0;
    std::erase_if(chosen_, [&](const Entry& entry) {
      const auto [unit, is_first] = fits.try_emplace(unit_name(entry), false);
      if (is_first && used + seconds.at(unit->first) <= budget) {
        used += seconds.at(unit->first);
        unit->second = true;
      }
      return !unit->second;
    });
  }

  MeanFactors mean_of_tasks() const {
    auto& [version, at, kept] = kept_mean_;
    const bool keeps = as_ranked_ && is_kept_;
    if (keeps && kept && version == folded_.version() && at == times_) return *kept;
    MeanFactors mean;
    const reward::KnownNames kinds(view_.graph);
    each_scored([&](NodeId n, const reward::Factors& factors) {
      if (!reward::is_test(view_, kinds, n)) mean.add(factors);
    });
    if (keeps) kept_mean_ = {folded_.version(), times_, mean};
    return mean;
  }

  std::vector<std::string> words_of(const Entry& entry, const MeanFactors& mean,
                                    FactsOf& facts) const {
    if (entry.is_new()) return {"new"};
    std::vector<std::string> words;
    for (PlaceReason& reason :
         reasons_for(view_, ranking_, focus_, mean, near_given_, entry.node, *entry.factors, facts))
      words.push_back(std::move(reason.words));
    auto files = concerned(entry.node);
    if (files.empty()) return words;
    const auto first = std::min_element(files.begin(), files.end());
    words.insert(words.begin(), fmt::format("{} changed", first->first));
    words.resize(std::min(words.size(), kReasonsMost));
    return words;
  }

  Folded& folded_;
  KeptMean& kept_mean_;
  const RankQuery& q_;
  const reward::View& view_;
  const reward::Ranking& ranking_;
  const bool is_kept_;
  const reward::Times times_;
  const std::size_t wanted_;
  reward::Focus focus_;
  bool near_given_ = false;
  bool other_focus_ = false;  // `focus_` is not the ranking's
  std::set<std::string, std::less<>> among_;
  std::vector<bool> claimed_;  // by NodeId; empty: it makes no difference
  std::unordered_set<std::string> changed_;
  bool as_ranked_ = false;  // the factors are those of the ranking, else in scored_
  std::vector<reward::Ranked> scored_;
  reward::Factors new_;
  std::vector<Entry> chosen_;
  RankSummary summary_;
};

}  // namespace

std::vector<RankRow> rank(Folded& folded, KeptMean& mean, const RankQuery& q,
                          RankSummary* summary) {
  const auto rank_it = [&](const State& s, const RankedState& ranked) {
    RankRun run(folded, mean, s, ranked, q, own_last(folded, ranked, q.agent));
    auto rows = run.rows();
    if (summary) {
      *summary = run.summary();
      summary->at = ranked.now();
    }
    return rows;
  };
  const auto moment = folded.storage().read_snapshot();
  State& s = folded.state();
  if (!q.as_of) {
    reward::Times times = s.facts().times(q.now);
    if (q.weights_at) times.stamp = std::min(*q.weights_at, times.now);
    return rank_it(s, RankedState(s, times, q.seed));
  }
  const State then = folded.as_of(*q.as_of);
  return rank_it(then, RankedState(then, q.now.value_or(*q.as_of), q.seed));
}

}  // namespace hebb
