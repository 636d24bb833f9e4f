#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/fold/blocking.h"
#include "engine/look/look.h"
#include "engine/rank/explain.h"
#include "reward/evidence.h"
#include "reward/outcome.h"
#include "tests/engine/script_words.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

std::string ranked(Engine& engine, const RankQuery& query) {
  Words ids;
  for (const RankRow& row : engine.rank(query)) ids.push_back(row.id);
  return joined(ids);
}

graph::NodeId node_of(Engine& engine, const std::string& id) {
  const auto n = engine.state().find(id);
  if (!n) throw std::invalid_argument("no such node");
  return *n;
}

Words ids_of(Engine& engine, const std::vector<graph::NodeId>& nodes) {
  Words ids;
  for (const graph::NodeId n : nodes) ids.emplace_back(engine.state().graph().id(n));
  return ids;
}

// How many outcomes change a node or an edge: the fold is looked at before and after each.
std::int64_t events_in_effect(Engine& engine) {
  const auto undone = engine.undone();
  const auto graph_of = [](const State& s) {
    std::string graph;
    std::istringstream lines(dump(s));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("node ") || line.starts_with("edge ")) graph += line + "\n";
    return graph;
  };
  State state;
  std::int64_t count = 0;
  engine.ledger().events_until(kEndOfTime, [&](Event&& e) {
    if (undone.contains(e.position)) return;
    const std::string before = graph_of(state);
    state.apply(e);
    count += std::holds_alternative<OutcomeSignal>(e.payload) && graph_of(state) != before;
  });
  return count;
}

std::string number(double x) { return fmt::format("{}", x); }

}  // namespace

const std::map<std::string, Question>& questions() {
  const auto column = [](auto graph::NodeColumns::*member, auto text) {
    return [=](Engine& e, const Given& g) {
      const auto n = e.state().find(g.at(0));
      return n ? text((e.state().graph().nodes().*member)[*n]) : "(no such node)";
    };
  };
  const auto as_date = [](TimeMs at) { return date_of(at); };
  const auto as_number = [](auto x) { return number(static_cast<double>(x)); };
  const auto stat = [](std::int64_t Stats::*member) {
    return
        [=](Engine& e, const Given& g) { return fmt::format("{}", stats_of(e, g.clock).*member); };
  };
  const auto content = [](std::optional<std::string> NodeContent::*member) {
    return [=](Engine& e, const Given& g) { return (e.content(g.at(0)).*member).value_or(""); };
  };
  static const std::map<std::string, Question> all{
      {"rank",
       [](Engine& e, const Given& g) {
         RankQuery query = query_of(g);
         query.now = g.clock;
         return ranked(e, query);
       }},
      {"stored",  // the ranking that is kept
       [](Engine& e, const Given& g) { return ranked(e, query_of(g)); }},
      {"stamp", [](Engine& e, const Given&) { return date_of(e.state().facts().ranked_at()); }},
      {"related",
       [](Engine& e, const Given& g) {
         return joined(ids_of(e, reward::related(e.state().view(), node_of(e, g.at(0)), g.clock)));
       }},
      {"contexts",
       [](Engine& e, const Given& g) {
         Words ids = ids_of(e, reward::contexts(e.state().view(), node_of(e, g.at(0)), g.clock));
         std::sort(ids.begin(), ids.end());
         return joined(ids);
       }},
      {"focus",
       [](Engine& e, const Given& g) {
         const reward::Ranking ranking(e.state().view(), g.clock);
         return fmt::format("{}", fmt::join(ranking.focus().vector, ","));
       }},
      {"vector",
       [](Engine& e, const Given& g) {
         const auto row = e.state().vectors().row(node_of(e, g.at(0)));
         return fmt::format("{}", fmt::join(row, ","));
       }},
      {"ready",  // the same, by id
       [](Engine& e, const Given& g) {
         Words ids = ranking(e, g.clock);
         std::sort(ids.begin(), ids.end());
         return joined(ids);
       }},
      {"cycle",
       [](Engine& e, const Given& g) {
         return joined(g.words.empty() ? blocking_cycle(e.state(), g.clock)
                                       : blocking_cycle(e.state(), g.clock, g.at(0), g.at(1)));
       }},
      {"ring",  // a cycle from its smallest id on
       [](Engine& e, const Given& g) {
         Words ids = blocking_cycle(e.state(), g.clock);
         std::rotate(ids.begin(), std::min_element(ids.begin(), ids.end()), ids.end());
         return joined(ids);
       }},
      {"mirrored_cycle",
       [](Engine& e, const Given&) {
         e.sync();
         return joined(blocking_cycle(e));
       }},
      {"weight", [](Engine& e, const Given& g) { return number(weight(e.state(), g.edge())); }},
      {"effective",
       [](Engine& e, const Given& g) { return number(weight(e.state(), g.edge(), g.clock)); }},
      {"then",  // a weight as of a time
       [](Engine& e, const Given& g) { return number(weight(state_as_of(e, g.clock), g.edge())); }},
      {"touched",
       [](Engine& e, const Given& g) -> std::string {
         const auto edge = e.state().find_edge(g.edge());
         return edge ? date_of(e.state().graph().edges().touched_at[*edge]) : "no edge";
       }},
      {"edges",
       [](Engine& e, const Given&) {
         return number(static_cast<double>(e.state().graph().num_edges()));
       }},
      {"exists",
       [](Engine& e, const Given& g) { return e.state().exists(g.at(0)) ? "yes" : "no"; }},
      {"is", [](Engine& e, const Given& g) { return state_of(e.state(), g.at(0)); }},
      {"type",
       [](Engine& e, const Given& g) {
         const auto& graph = e.state().graph();
         const auto n = e.state().find(g.at(0));
         return n ? graph.node_types().name(graph.nodes().type[*n]) : "(no such node)";
       }},
      {"created", column(&graph::NodeColumns::created_at, as_date)},
      {"updated", column(&graph::NodeColumns::updated_at, as_date)},
      {"reopened", column(&graph::NodeColumns::reopened_at, as_date)},
      {"completed", column(&graph::NodeColumns::completed_at, as_date)},
      {"due", column(&graph::NodeColumns::due_at, as_date)},
      {"snoozed", column(&graph::NodeColumns::snoozed_until, as_date)},
      {"because", [](Engine& e, const Given& g) { return why_snoozed(e, g.at(0), g.clock); }},
      {"priority_said", column(&graph::NodeColumns::priority, as_number)},
      {"pinned", column(&graph::NodeColumns::pinned, as_number)},
      {"successes", column(&graph::NodeColumns::successes, as_number)},
      {"failures", column(&graph::NodeColumns::failures, as_number)},
      {"failed", column(&graph::NodeColumns::failed, as_number)},
      {"took",  // in ms
       column(&graph::NodeColumns::duration_ms,
              [](TimeMs ms) { return ms == graph::kNever ? "not known" : fmt::format("{}", ms); })},
      {"name", content(&NodeContent::name)},
      {"description", content(&NodeContent::description)},
      {"project", content(&NodeContent::project)},
      {"properties", content(&NodeContent::properties)},
      {"outcomes", [](Engine& e, const Given&) { return fmt::format("{}", events_in_effect(e)); }},
      {"nodes", stat(&Stats::nodes)},
      {"candidates", stat(&Stats::candidates)},
      {"policy_of",
       [](Engine& e, const Given& g) {
         std::string value;
         for (const auto& s : reward::settings(e.state().policy())) {
           if (s.key == g.at(0)) value = s.value;
         }
         return value;
       }},
      {"activity",
       [](Engine& e, const Given& g) {
         const reward::View view = e.state().view();
         const reward::Ranking made(view, e.state().facts().ranked_at());
         const graph::NodeId n = node_of(e, g.at(0));
         return date_of(made.evidence_of(view, made.focus(), n).last_activity);
       }},
      {"factor",  // of a node
       [](Engine& e, const Given& g) {
         const auto f = reward::factors(e.state().view(), node_of(e, g.at(1)), g.clock);
         if (g.at(0) == "priority") return number(f.priority);
         if (g.at(0) == "base") return number(f.base);
         if (g.at(0) == "structural") return number(f.structural);
         for (const auto& row : reward::factors()) {
           if (row.name == g.at(0)) return number(f.*row.value);
         }
         return std::string("no such factor");
       }},
      {"reasons",
       [](Engine& e, const Given& g) {
         RankQuery query;
         query.top = 1000;
         query.now = g.clock;
         query.reasons = true;
         std::string text;
         for (const RankRow& row : e.rank(query)) {
           if (row.id == g.at(0)) text = fmt::format("{}", fmt::join(row.reasons, "; "));
         }
         return text;
       }},
      {"why_not",
       [](Engine& e, const Given& g) { return explain(e, g.at(0), {}, g.clock).why_not; }},
  };
  return all;
}

}  // namespace hebb::test
