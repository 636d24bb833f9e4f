#include "engine/study/backtest.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/fold/edge_rules.h"
#include "engine/fold/resolve.h"
#include "engine/input/items.h"
#include "engine/rank/ranked.h"

namespace hebb::study {

using graph::NodeId;
using reward::Policy;

namespace {

constexpr TimeMs kHour = 3'600'000;

// --- rankings ------------------------------------------------------------------------------------

// A ranking made by the engine's scores, on the same graph with another policy.
struct Scored {
  std::string name;
  Policy policy;
};

std::vector<Scored> scored_rankings(const Policy& learned) {
  Policy semantic = formula_only(learned);
  semantic.structural_weight = 0;
  return {{"similarity only", std::move(semantic)},
          {"baseline formula", without_decay(formula_only(learned))},
          {"baseline formula, weights fade", formula_only(learned)},
          {"hebb", learned}};
}

enum Fixed : std::size_t { kNewest, kOldest, kRandom, kSeedLoop, kScored };

// Whether any task has a priority, set by people or by a label.
bool has_priorities(const std::vector<Event>& events, const Policy& policy) {
  return std::any_of(events.begin(), events.end(), [&](const Event& e) {
    if (const auto* link = std::get_if<Link>(&e.payload))
      return link->type == "LABELED_AS" && policy.label_priority(link->target) >= 0;
    const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
    return upsert && upsert->priority.value_or(graph::kNoPriority) != graph::kNoPriority;
  });
}

// --- the replay ----------------------------------------------------------------------------------

class Replay {
 public:
  Replay(const BacktestOptions& options, const Policy& learned, const Policy& seed,
         bool prioritised)
      : options_(options),
        prioritised_(prioritised),
        rankings_(scored_rankings(learned)),
        main_(state_with(learned)),
        seed_loop_(state_with(seed)) {
    result_.rankings = {"newest-first", "oldest-first", "random", "baseline, own output"};
    for (const auto& r : rankings_) result_.rankings.push_back(r.name);
    if (prioritised_) {
      result_.rankings.emplace_back("priority, then newest");
      result_.rankings.emplace_back("priority, then oldest");
    }
  }

  BacktestResult run(const std::vector<Event>& events) {
    std::size_t i = 0;
    while (i < events.size()) {
      std::size_t end = i;
      while (end < events.size() && events[end].at == events[i].at) ++end;
      step(std::span(events).subspan(i, end - i));
      i = end;
      if (options_.progress) options_.progress(i, events.size());
    }
    summarise();
    return std::move(result_);
  }
  std::size_t refused() const { return refused_; }

 private:
  // Takes all events of one time: asks the queries before them, applies them, asks those after.
  void step(std::span<const Event> events) {
    const TimeMs at = events.front().at;
    std::vector<std::string> completed;
    for (const Event& e : events) {
      const auto* o = std::get_if<OutcomeSignal>(&e.payload);
      if (o && o->outcome == OutcomeKind::success && is_open(e.subject))
        completed.push_back(e.subject);
    }
    for (const Event& e : events) count_chance(e);
    if (!completed.empty()) ask_after(completed);
    for (const auto& task : completed) ask_before(at, task);
    for (const Event& e : events) apply(e);
    completed_ += completed.size();
    if (completed.empty()) return;
    recalibrate_seed(at);
    remember(at);
  }

  bool is_open(const std::string& id) const {
    const auto n = main_.find(id);
    return n && main_.graph().states().name(main_.graph().nodes().state[*n]) == kOpen;
  }

  void count_chance(const Event& e) {
    const auto* o = std::get_if<OutcomeSignal>(&e.payload);
    if (!o || o->outcome == OutcomeKind::partial || !is_open(e.subject)) return;
    const auto view = main_.view();
    if (reward::is_test(view, reward::KnownNames(view.graph), *main_.find(e.subject))) return;
    const bool succeeded = o->outcome == OutcomeKind::success;
    chances_.add(main_, *main_.find(e.subject), e.at, succeeded, in_span(e.at));
  }

  void apply(Event e) {
    Event copy = e;
    if (resolve(main_, e)) {
      ++refused_;
      return;
    }
    main_.apply(e);
    if (!resolve(seed_loop_, copy)) seed_loop_.apply(copy);
  }

  void recalibrate_seed(TimeMs at) {
    const auto view = seed_loop_.view();
    Recalibration recalibration = guides(seed_loop_, reward::Ranking(view, at).all(view.graph));
    Event e;
    e.at = at;
    e.subject = kFrontier;
    e.key = event_key(recalibration, "recalibrate");
    e.payload = std::move(recalibration);
    seed_loop_.apply(e);
  }

  // The candidates in the order of each ranking, at one instant.
  struct Orders {
    TimeMs at = 0;
    bool asked = false;                           // the time is one to ask queries at
    std::vector<std::vector<NodeId>> by_ranking;  // NodeIds of main_; seed loop's are the same text
    std::vector<TimeMs> created;                  // by NodeId of main_
    std::vector<std::uint8_t> urgent,
        ready;  // likewise: it is P0 or overdue; and has not just failed
  };

  bool in_span(TimeMs at) const {
    return at >= options_.from && at <= options_.until && completed_ >= options_.min_completed;
  }

  Orders orders(TimeMs at) {
    Orders o;
    o.at = at;
    o.asked = in_span(at);
    if (!o.asked) return o;
    const auto& g = main_.graph();
    o.created.assign(g.nodes().created_at.begin(), g.nodes().created_at.end());
    o.by_ranking.resize(result_.rankings.size());
    for (std::size_t i = 0; i < rankings_.size(); ++i) {
      const Policy policy = reward::in_force(rankings_[i].policy, main_.facts().learned);
      const reward::TypeTable types(policy, g.edge_types());
      const reward::View view{g, main_.vectors(), policy, types, kFrontierNode};
      for (const auto& r : reward::Ranking(view, at).all(g))
        o.by_ranking[kScored + i].push_back(r.node);
    }
    auto& newest = o.by_ranking[kNewest];
    newest = o.by_ranking[kScored];
    std::sort(newest.begin(), newest.end(), [&](NodeId a, NodeId b) {
      return o.created[a] != o.created[b] ? o.created[a] > o.created[b] : g.id(a) < g.id(b);
    });
    o.by_ranking[kOldest] = newest;
    std::sort(o.by_ranking[kOldest].begin(), o.by_ranking[kOldest].end(), [&](NodeId a, NodeId b) {
      return o.created[a] != o.created[b] ? o.created[a] < o.created[b] : g.id(a) < g.id(b);
    });
    note_urgent(o);
    if (prioritised_) add_by_priority(o);
    const auto seed_view = seed_loop_.view();
    for (const auto& r : reward::Ranking(seed_view, at).all(seed_view.graph)) {
      if (const auto n = g.find_node(seed_loop_.graph().id(r.node)))
        o.by_ranking[kSeedLoop].push_back(*n);
    }
    return o;
  }

  void note_urgent(Orders& o) const {
    const auto& g = main_.graph();
    const reward::View view = main_.view();
    const reward::KnownNames kinds(g);
    const auto negative = g.edge_types().find(kRewardNegative);
    o.urgent.resize(g.node_bound());
    o.ready.resize(g.node_bound());
    for (const NodeId n : o.by_ranking[kScored]) {
      const TimeMs due = g.nodes().due_at[n];
      o.urgent[n] =
          reward::given_priority(view, kinds, n) == 0 || (due != graph::kNever && due < o.at);
      const auto failure = negative ? g.find_edge(kFrontierNode, n, *negative) : std::nullopt;
      o.ready[n] =
          o.urgent[n] != 0 && (!failure || o.at - g.edges().touched_at[*failure] >= 24 * kHour);
    }
  }

  // The order of trackers: the most urgent first, tasks without a priority among P2.
  void add_by_priority(Orders& o) const {
    const reward::View view = main_.view();
    const reward::KnownNames kinds(main_.graph());
    const auto priority = [&](NodeId n) {
      return reward::given_or_ordinary(reward::given_priority(view, kinds, n));
    };
    std::size_t place = kScored + rankings_.size();
    for (const std::size_t from : {kNewest, kOldest}) {
      auto& order = o.by_ranking[place++];
      order = o.by_ranking[from];
      std::stable_sort(order.begin(), order.end(),
                       [&](NodeId a, NodeId b) { return priority(a) < priority(b); });
    }
  }

  void ask(const Orders& o, Protocol protocol, NodeId task, TimeMs candidates_before) {
    const auto eligible = [&](NodeId n) { return o.created[n] <= candidates_before; };
    if (!eligible(task)) return;
    BacktestQuery q{protocol, o.at, std::string(main_.graph().id(task)), 0, {}, {}};
    const auto& all = o.by_ranking[kNewest];
    q.candidates = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), eligible));
    if (q.candidates < options_.min_candidates) return;
    if (std::find(all.begin(), all.end(), task) == all.end()) return;  // blocked
    const bool any_ready =
        std::ranges::any_of(all, [&](NodeId n) { return eligible(n) && o.ready[n] != 0; });
    const auto less_urgent =
        std::ranges::count_if(all, [&](NodeId n) { return eligible(n) && o.urgent[n] == 0; });
    for (std::size_t r = 0; r < o.by_ranking.size(); ++r) {
      std::size_t place = 0;
      const auto first = std::ranges::find_if(o.by_ranking[r], eligible);
      const double wrong =
          r == kRandom ? static_cast<double>(less_urgent) / static_cast<double>(q.candidates)
          : first != o.by_ranking[r].end() && o.urgent[*first] == 0 ? 1.0
                                                                    : 0.0;
      q.wrong_first.push_back(any_ready ? wrong : 0);
      for (const NodeId n : o.by_ranking[r]) {
        place += eligible(n);
        if (n == task) break;
      }
      q.places.push_back(r == kRandom ? 0 : place);
    }
    result_.queries.push_back(std::move(q));
  }

  void ask_before(TimeMs at, const std::string& id) {
    const Orders o = orders(at);
    if (!o.asked) return;
    const NodeId task = *main_.graph().find_node(id);
    ask(o, Protocol::a, task, at);
    if (o.created[task] <= at - kHour) ask(o, Protocol::a1h, task, at);
    ask(o, Protocol::b, task, at - 24 * kHour);
  }

  // Protocol C needs the next completion, so it uses the orders kept here.
  void remember(TimeMs at) { after_ = orders(at); }

  void ask_after(const std::vector<std::string>& completed) {
    if (!after_.asked) return;
    for (const auto& id : completed) {
      const NodeId task = *main_.graph().find_node(id);
      if (task >= after_.created.size() || after_.created[task] == graph::kNever) continue;
      ask(after_, Protocol::c, task, after_.at);
      break;  // only the first one completed
    }
    after_.asked = false;
  }

  void summarise() {
    result_.chances = chances_.result();
    for (std::size_t r = 0; r < result_.rankings.size(); ++r) {
      for (std::size_t p = 0; p < kProtocolNames.size(); ++p) {
        result_.scores.push_back(score(r, static_cast<Protocol>(p)));
      }
    }
  }

  BacktestScore score(std::size_t ranking, Protocol protocol) const {
    BacktestScore s;
    s.ranking = result_.rankings[ranking];
    s.protocol = protocol;
    for (const auto& q : result_.queries) {
      if (q.protocol != protocol) continue;
      ++s.queries;
      s.wrong_first += q.wrong_first[ranking];
      const auto add = [&](std::size_t place, double share) {
        s.mrr += share / static_cast<double>(place);
        if (place <= 3) s.hit3 += share;
        if (place <= 10) s.hit10 += share;
        if (place <= 10) s.ndcg10 += share / std::log2(static_cast<double>(place) + 1);
      };
      if (ranking == kRandom) {
        for (std::size_t place = 1; place <= q.candidates; ++place)
          add(place, 1.0 / static_cast<double>(q.candidates));
      } else {
        add(q.places[ranking], 1);
      }
    }
    if (s.queries == 0) return s;
    for (double* x : {&s.mrr, &s.hit3, &s.hit10, &s.ndcg10, &s.wrong_first})
      *x /= static_cast<double>(s.queries);
    return s;
  }

  const BacktestOptions& options_;
  const bool prioritised_;
  const std::vector<Scored> rankings_;
  State main_, seed_loop_;
  std::size_t completed_ = 0, refused_ = 0;
  Orders after_;
  ChanceCount chances_;
  BacktestResult result_;
};

// Sets the payload back to the outcome as it was sent, without the values looked up on arrival.
void forget_resolution(input::JsonReader& reader, Event& e) {
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  if (!outcome || outcome->input.empty()) return;
  Event given = input::parse_outcome(reader, reader.parse_object(outcome->input), e.at, e.at);
  e.payload = std::move(given.payload);
}

}  // namespace

bool about_types(std::string_view key) {
  return key.starts_with("type.") || key.starts_with("other.") || key.starts_with("node.");
}

Policy formula_only(const Policy& types_from) {
  Policy policy = Policy::seed();
  policy.other = types_from.other;
  policy.types = types_from.types;
  for (const auto type : {kGuides, kRewardPositive, kRewardNegative}) {
    policy.types.at(std::string(type)).structural = false;
  }
  return policy;
}

Policy without_decay(Policy policy) {
  const auto still = [](reward::TypePolicy& t) {
    t.decay_per_day = 1;
    t.floor = 0;
    t.dormant_below = 0;
  };
  still(policy.other);
  for (auto& [name, type] : policy.types) still(type);
  return policy;
}

State state_with(const Policy& policy) {
  PolicyChange change;
  for (auto& s : reward::settings(policy))
    change.settings.emplace_back(std::move(s.key), std::move(s.value));
  Event e;
  e.at = graph::kNever;
  e.key = "policy";
  e.subject = "policy";
  e.payload = std::move(change);
  State state;
  state.apply(e);
  return state;
}

BacktestHistory import_history(Input& history, const std::string& file, Embedder* embedder) {
  EngineOptions options;
  options.path = ":memory:";
  Engine engine(options);
  IngestRequest request;
  request.input = &history;
  request.file = file;
  request.format = &*std::find_if(formats().begin(), formats().end(),
                                  [](const Format& f) { return f.name == "history"; });
  request.embedder = embedder;
  request.read.of_ledger = true;
  BacktestHistory imported;
  imported.summary = engine.ingest(request);
  input::JsonReader reader;
  const auto undone = engine.undone();
  engine.ledger().events_until(std::numeric_limits<TimeMs>::max(), [&](Event&& e) {
    if (undone.contains(e.position) || std::holds_alternative<Undo>(e.payload)) return;
    // In a database's own log, policies and recalibrations are no part of the history.
    if (std::holds_alternative<PolicyChange>(e.payload) ||
        std::holds_alternative<Recalibration>(e.payload)) {
      return;
    }
    forget_resolution(reader, e);
    imported.events.push_back(std::move(e));
  });
  return imported;
}

BacktestResult backtest(std::vector<Event> events, const BacktestOptions& options,
                        std::size_t* refused) {
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.key) < std::tie(b.at, b.key);
  });
  Policy learned = Policy::learned();
  Policy seed = Policy::seed();
  for (const auto& [key, value] : options.settings) {
    reward::set(learned, key, value);
    if (about_types(key)) reward::set(seed, key, value);
  }
  reward::check(learned);
  Replay replay(options, learned, seed, has_priorities(events, learned));
  BacktestResult result = replay.run(events);
  if (refused) *refused = replay.refused();
  return result;
}

}  // namespace hebb::study
