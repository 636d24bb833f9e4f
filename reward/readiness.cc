#include "reward/readiness.h"

#include <algorithm>
#include <unordered_set>

namespace hebb::reward {

using graph::EdgeId;
using graph::NodeId;
using graph::TypeId;

namespace {

// The nodes that n is a part of, whatever their state. Dormant edges count, too: a part stays a
// part.
template <class Visit>
bool each_whole(const View& view, const KnownNames& kinds, NodeId n, Visit visit) {
  for (const EdgeId e : view.graph.in_edges(n)) {
    if (view.graph.type(e) != kinds.parent_of || !exists(view, view.graph.source(e))) continue;
    if (!visit(view.graph.source(e))) return false;
  }
  return true;
}

template <class Visit>
bool each_part(const View& view, const KnownNames& kinds, NodeId n, Visit visit) {
  for (const EdgeId e : view.graph.out_edges(n)) {
    const NodeId part = view.graph.target(e);
    if (view.graph.type(e) != kinds.parent_of || part == n || !exists(view, part)) continue;
    if (!visit(part)) return false;
  }
  return true;
}

}  // namespace

bool is_unknown(const View& view, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  return nodes.type[n] == 0 && nodes.state[n] == 0 && n != view.frontier && exists(view, n);
}

bool may_be_unfinished(const View& view, const KnownNames& kinds, NodeId n) {
  return is_unfinished(view, kinds, n) || is_unknown(view, n);
}

const Readiness::Parts& Readiness::parts_of(NodeId n) {
  const auto [found, fresh] = parts_.try_emplace(n);
  Parts& parts = found->second;
  if (!fresh) return parts;
  each_part(view_, kinds_, n, [&](NodeId part) {
    if (may_be_unfinished(view_, kinds_, part)) {
      parts.unfinished.push_back(part);
    } else if (view_.graph.nodes().state[part] != 0) {
      ++parts.finished;
    }
    return true;
  });
  return parts;
}

std::optional<Obstacle::Kind> Readiness::awaited_by(EdgeId e) {
  using Kind = Obstacle::Kind;
  const TypeId type = view_.graph.type(e);
  const bool any = type == kinds_.waits_for_any;
  if (!is_gate(kinds_, type)) return {};
  if (counting_weight(view_, e, times_.stamp) == 0) return {};
  const NodeId source = view_.graph.source(e), target = view_.graph.target(e);
  const bool is_unfinished = may_be_unfinished(view_, kinds_, source);
  if (type == kinds_.blocks) return is_unfinished ? std::optional(Kind::blocks) : std::nullopt;
  const Parts& parts = parts_of(source);
  std::size_t unfinished = parts.unfinished.size(), finished = parts.finished;
  if (is_part(target, source)) {  // it does not wait for itself
    if (may_be_unfinished(view_, kinds_, target)) {
      --unfinished;
    } else if (view_.graph.nodes().state[target] != 0) {
      --finished;
    }
  }
  if (unfinished + finished == 0)
    return is_unfinished ? std::optional(Kind::waits_for) : std::nullopt;
  if (unfinished == 0 || (any && finished > 0)) return {};
  return Kind::parts_of;
}

template <class Visit>
bool Readiness::each_awaited(NodeId n, Visit visit) {
  for (const EdgeId e : view_.graph.in_edges(n)) {
    const auto kind = awaited_by(e);
    if (!kind) continue;
    if (!visit(*kind, view_.graph.source(e))) return false;
  }
  return true;
}

bool Readiness::is_work(NodeId n) {
  const TypeId type = view_.graph.nodes().type[n];
  if (type >= work_.size()) work_.resize(type + std::size_t{1}, 0);
  if (work_[type] == 0)
    work_[type] = view_.policy.is_work(view_.graph.node_types().name(type)) ? 1 : 2;
  return work_[type] == 1;
}

// A part that waits for its whole is not one that the whole has to wait for.
bool Readiness::has_part_to_do(NodeId n) const {
  return !each_part(view_, kinds_, n, [&](NodeId part) {
    if (!may_be_unfinished(view_, kinds_, part)) return true;
    const auto block = blocks_ ? view_.graph.find_edge(n, part, *blocks_) : std::nullopt;
    return block && counting_weight(view_, *block, times_.stamp) > 0;
  });
}

bool Readiness::is_part(NodeId n, NodeId whole) const {
  return parent_of_ && n != whole && exists(view_, n) &&
         view_.graph.find_edge(whole, n, *parent_of_);
}

bool Readiness::is_part_of(NodeId n, NodeId whole) const {
  std::vector<NodeId> next{n};
  std::unordered_set<NodeId> met{n};
  while (!next.empty()) {
    const NodeId at = next.back();
    next.pop_back();
    if (at == whole) return true;
    each_whole(view_, kinds_, at, [&](NodeId above) {
      if (met.insert(above).second) next.push_back(above);
      return true;
    });
  }
  return false;
}

bool Readiness::holds_parts(NodeId n) {
  if (!is_unfinished(view_, kinds_, n)) return false;
  const auto state = view_.graph.nodes().state[n];
  if (state == kinds_.blocked || state == kinds_.deferred) return true;
  if (is_snoozed(view_, n, times_.now)) return true;
  return !each_awaited(n, [&](Obstacle::Kind kind, NodeId other) {
    if (is_part_of(other, n)) return true;
    if (kind != Obstacle::Kind::parts_of) return false;
    const auto& parts = unfinished_parts(other);
    return std::all_of(parts.begin(), parts.end(), [&](NodeId p) { return is_part_of(p, n); });
  });
}

std::vector<NodeId> Readiness::awaited_outside(NodeId n) {
  std::vector<NodeId> found;
  if (!is_unfinished(view_, kinds_, n)) return found;
  const auto add = [&](NodeId other) {
    if (!is_part_of(other, n)) found.push_back(other);
  };
  each_awaited(n, [&](Obstacle::Kind kind, NodeId other) {
    if (kind != Obstacle::Kind::parts_of) {
      add(other);
    } else if (!is_part_of(other, n)) {
      for (const NodeId part : unfinished_parts(other)) add(part);
    }
    return true;
  });
  return found;
}

const std::vector<NodeId>& Readiness::waiting_for_parts_of(NodeId whole) {
  const auto [found, fresh] = waiting_for_parts_.try_emplace(whole);
  std::vector<NodeId>& waiting = found->second;
  if (!fresh) return waiting;
  for (const EdgeId e : view_.graph.out_edges(whole)) {
    if (waits_for(view_.graph.type(e)) && awaited_by(e) == Obstacle::Kind::parts_of)
      waiting.push_back(view_.graph.target(e));
  }
  return waiting;
}

std::vector<NodeId> Readiness::waiting_for(NodeId n) {
  std::vector<NodeId> found;
  const auto add = [&](NodeId m) {
    const auto state = view_.graph.nodes().state[m];
    if (m == n || !is_unfinished(view_, kinds_, m)) return;
    if (state != kinds_.deferred && !is_snoozed(view_, m, times_.now)) found.push_back(m);
  };
  for (const EdgeId e : view_.graph.out_edges(n)) {
    const TypeId type = view_.graph.type(e);
    if (!is_gate(kinds_, type)) continue;
    const auto kind = awaited_by(e);
    if (kind && kind != Obstacle::Kind::parts_of) add(view_.graph.target(e));
  }
  if (may_be_unfinished(view_, kinds_, n)) {
    each_whole(view_, kinds_, n, [&](NodeId whole) {
      if (whole != n)
        for (const NodeId m : waiting_for_parts_of(whole)) add(m);
      return true;
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool Readiness::is_awaited(NodeId n) const {
  const auto& out = view_.graph.out_edges(n);
  return std::any_of(out.begin(), out.end(),
                     [&](EdgeId e) { return waits_for(view_.graph.type(e)); });
}

std::vector<NodeId> Readiness::upstream(std::vector<NodeId> nodes, int steps) {
  const graph::Graph& g = view_.graph;
  std::unordered_set<NodeId> met(nodes.begin(), nodes.end());
  const auto add = [&](NodeId n) {
    if (met.insert(n).second) nodes.push_back(n);
  };
  const auto add_parts = [&](NodeId whole) {
    for (const EdgeId e : g.out_edges(whole))
      if (g.type(e) == kinds_.parent_of) add(g.target(e));
  };
  for (std::size_t from = 0; steps > 0 && from < nodes.size(); --steps) {
    const std::size_t end = nodes.size();
    for (; from < end; ++from) {
      for (const EdgeId e : g.in_edges(nodes[from])) {
        const NodeId source = g.source(e);
        const TypeId type = g.type(e);
        if (is_gate(kinds_, type)) add(source);
        // Where a part is finished or gone, nothing may wait for the other parts any longer.
        if (waits_for(type) || (type == kinds_.parent_of && is_awaited(source))) add_parts(source);
      }
    }
  }
  return nodes;
}

// Whether one of the unfinished nodes that it is a part of, directly or as a part of a part, holds
// its parts.
bool Readiness::waits_with_whole(NodeId n) {
  struct Step {
    NodeId node;
    std::size_t from;  // its part, from which it was met; kNone: n
  };
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<Step> steps;
  bool holds = false;
  const auto look_above = [&](NodeId part, std::size_t from) {
    return each_whole(view_, kinds_, part, [&](NodeId whole) {
      if (!is_unfinished(view_, kinds_, whole)) return true;
      const auto [known, fresh] = above_.try_emplace(whole, Above::looked_at);
      if (fresh) steps.push_back({whole, from});
      holds = known->second == Above::holds || (fresh && holds_parts(whole));
      if (!holds) return true;
      known->second = Above::holds;
      for (std::size_t i = from; i != kNone; i = steps[i].from)
        above_[steps[i].node] = Above::holds;
      return false;
    });
  };
  bool go_on = look_above(n, kNone);
  for (std::size_t i = 0; go_on && i < steps.size(); ++i) go_on = look_above(steps[i].node, i);
  for (const Step& step : steps) {
    const auto known = above_.find(step.node);
    if (known->second != Above::looked_at) continue;
    if (holds) {
      above_.erase(known);  // the search did not look at all wholes above it
    } else {
      known->second = Above::free;
    }
  }
  return holds;
}

bool Readiness::is_failing(NodeId n) const {
  const int most = view_.policy.attempts;
  return most > 0 && view_.graph.nodes().failing[n] >= static_cast<std::uint32_t>(most) &&
         !is_test(view_, kinds_, n);
}

bool Readiness::is_candidate(NodeId n) {
  return n != view_.frontier && is_open(view_, kinds_, n) && !is_snoozed(view_, n, times_.now) &&
         is_work(n) && !is_failing(n) &&
         each_awaited(n, [](Obstacle::Kind, NodeId) { return false; }) && !has_part_to_do(n) &&
         !waits_with_whole(n);
}

std::vector<Obstacle> Readiness::find_obstacles(NodeId n, bool in_short) {
  using Kind = Obstacle::Kind;
  std::vector<Obstacle> found;
  if (!is_work(n)) found.push_back({Kind::type, n});
  if (is_snoozed(view_, n, times_.now)) found.push_back({Kind::snoozed, n});
  if (is_failing(n)) found.push_back({Kind::failing, n});
  if (!exists(view_, n)) return found;  // edges of a node that does not exist do not count
  each_awaited(n, [&](Kind kind, NodeId other) {
    if (kind != Kind::parts_of || (in_short && !is_part(n, other))) {
      found.push_back({kind, other});
      return true;
    }
    for (const NodeId part : unfinished_parts(other)) {
      if (part != n) found.push_back({Kind::waits_for, part});
    }
    return true;
  });
  if (has_part_to_do(n)) {
    each_part(view_, kinds_, n, [&](NodeId part) {
      if (may_be_unfinished(view_, kinds_, part)) found.push_back({Kind::part, part});
      return true;
    });
  }
  if (waits_with_whole(n)) {
    std::unordered_set<NodeId> met{n};
    std::vector<NodeId> next{n};
    for (std::size_t i = 0; i < next.size(); ++i) {
      each_whole(view_, kinds_, next[i], [&](NodeId whole) {
        if (!is_unfinished(view_, kinds_, whole) || !met.insert(whole).second) return true;
        if (holds_parts(whole)) {
          found.push_back({Kind::whole, whole});
        } else {
          next.push_back(whole);
        }
        return true;
      });
    }
  }
  std::sort(found.begin(), found.end(), [](const Obstacle& a, const Obstacle& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.node < b.node;
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<NodeId> blockers(const View& view, NodeId n, Times times) {
  std::vector<NodeId> found;
  for (const Obstacle& o : Readiness(view, times).obstacles(n)) {
    if (o.kind == Obstacle::Kind::blocks || o.kind == Obstacle::Kind::waits_for)
      found.push_back(o.node);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool is_candidate(const View& view, NodeId n, Times times) {
  return Readiness(view, times).is_candidate(n);
}

}  // namespace hebb::reward
