// That a ranking which is kept has the bits of one that is made anew.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/engine.h"
#include "reward/ranking.h"
#include "tests/support/checks.h"
#include "tests/support/differences.h"
#include "tests/support/ranking.h"

namespace hebb::test {

using graph::NodeId;
using graph::TimeMs;

namespace {

std::string text_of(const State& s, const std::vector<reward::Ranked>& ranked) {
  std::string text;
  for (const reward::Ranked& r : ranked) {
    text += s.graph().id(r.node);
    text += fmt::format(" {:a} {:a}", r.factors.priority, r.factors.base);
    for (const reward::Factor& f : reward::factors())
      text += fmt::format(" {:a}", r.factors.*f.value);
    text += "\n";
  }
  return text;
}

// The source of the heaviest of its structural edges, of several the smallest id.
NodeId heaviest(const State& s, const reward::View& view, NodeId n, TimeMs now) {
  NodeId source = graph::kNoNode;
  double most = 0;
  const auto& g = s.graph();
  for (const graph::EdgeId e : g.in_edges(n)) {
    const double w = view.types[g.type(e)].structural ? reward::counting_weight(view, e, now) : 0;
    if (w > most || (w > 0 && w == most && g.id(g.source(e)) < g.id(source))) source = g.source(e);
    most = std::max(most, w);
  }
  return source;
}

}  // namespace

std::string check_ranking(Engine& engine, TimeMs now) {
  Differences d;
  // An engine keeps the ranking of its state, and nobody else changes it here.
  auto& s = const_cast<State&>(engine.state());
  const auto& g = s.graph();
  const reward::Times times = s.facts().times(now);
  const reward::Ranking& kept = s.ranking(times);
  const auto view = s.view();
  const reward::Ranking anew(view, times);
  const auto ranked = anew.all(g);
  d.same("all", text_of(s, kept.all(g)), text_of(s, ranked));
  d.same("candidates", kept.candidates(), ranked.size());
  const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(ranked.size(), 3));
  d.same("the first", text_of(s, kept.first(g, 3)),
         text_of(s, {ranked.begin(), ranked.begin() + few}));
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto alone = reward::factors(view, anew, ranked[i].node).priority;
    d.same("alone", ranked[i].factors.priority, alone);
    if (i > 0 && !reward::goes_first(g, ranked[i - 1], ranked[i]))
      d.text += text_of(s, {ranked[i - 1], ranked[i]}) + "are not in order\n";
  }
  const reward::Focus focus = anew.focus();
  d.same("focus", kept.focus().vector, focus.vector);
  d.same("anchor", kept.focus().anchor, focus.anchor);
  d.same("contexts", kept.focus().contexts, focus.contexts);
  reward::Focus other = kept.focus();
  other.vector.assign(s.vectors().dimension(), 0.5);
  const auto sorted = [&](std::vector<reward::Ranked> all) {
    std::sort(all.begin(), all.end(),
              [&](const auto& a, const auto& b) { return reward::goes_first(g, a, b); });
    return text_of(s, all);
  };
  d.same("another focus", sorted(kept.score(view, other)), sorted(anew.score(view, other)));

  const reward::KnownNames kinds(g);
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    const std::string id(g.id(n));
    const auto* row = kept.find(n);
    const bool is_candidate = row != nullptr && row->is_blocked == 0;
    d.same(id + " candidate", is_candidate, reward::is_candidate(view, n, times));
    const reward::Evidence evidence = kept.evidence_of(view, kept.focus(), n);
    if (is_candidate) {
      d.same(id + " heaviest", row->evidence.linked_from, heaviest(s, view, n, times.stamp));
      std::vector<NodeId> contexts;
      if (!reward::is_test(view, kinds, n))
        reward::evidence_contexts(view, n, times.stamp, contexts);
      d.same(id + " contexts", std::ranges::equal(kept.contexts_of(*row), contexts), true);
      const reward::Evidence of_anew = anew.evidence_of(view, focus, n);
      d.same(id + " evidence", std::memcmp(&evidence, &of_anew, sizeof evidence), 0);
    }
    const auto seen = reward::context_evidence(view, kinds, n, times.stamp);
    d.same(id + " learned", kept.context(view, n).successes == seen.successes, true);
    d.same(id + " unlearned", kept.context(view, n).failures == seen.failures, true);
  }
  return d.text;
}

}  // namespace hebb::test
