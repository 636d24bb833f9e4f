#include "engine/fold/blocking.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "graph/algorithms.h"
#include "reward/readiness.h"

namespace hebb {

using graph::EdgeId;
using graph::Graph;
using graph::NodeId;

namespace {

// What a task waits for: a node, the obstacles of a whole that holds up its parts, or all
// unfinished parts.
struct Place {
  enum class Kind : std::uint8_t { itself, held, parts };
  NodeId node;
  Kind kind = Kind::itself;
  bool operator==(const Place&) const = default;
};
struct PlaceHash {
  std::size_t operator()(const Place& p) const {
    return std::hash<std::size_t>()(std::size_t{p.node} * 3 + static_cast<std::size_t>(p.kind));
  }
};
struct Wait {
  Place source, target;  // the target waits for the source
};

// What the given tasks wait for, and what these wait for in turn, all the way back. A part of a
// whole that is held up waits for what holds up the whole, and for nothing else of it.
std::vector<Wait> waits_before(const State& s, reward::Times times,
                               const std::vector<NodeId>& waiting) {
  reward::Readiness readiness(s.view(), times);
  std::unordered_set<Place, PlaceHash> met;
  std::vector<Place> places;
  std::vector<Wait> waits;
  const auto meet = [&](Place place) {
    if (met.insert(place).second) places.push_back(place);
  };
  for (const NodeId n : waiting) meet({n});
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place at = places[i];
    const auto wait_for = [&](Place source) {
      waits.push_back({source, at});
      meet(source);
    };
    if (at.kind == Place::Kind::held) {
      for (const NodeId n : readiness.awaited_outside(at.node)) wait_for({n});
    } else if (at.kind == Place::Kind::parts) {
      for (const NodeId n : readiness.unfinished_parts(at.node)) wait_for({n});
    } else {
      for (const reward::Obstacle& o : readiness.obstacles_in_short(at.node)) {
        using Kind = reward::Obstacle::Kind;
        if (o.kind == Kind::type || o.kind == Kind::snoozed || o.kind == Kind::failing) continue;
        wait_for({o.node, o.kind == Kind::whole      ? Place::Kind::held
                          : o.kind == Kind::parts_of ? Place::Kind::parts
                                                     : Place::Kind::itself});
      }
    }
  }
  return waits;
}

// No id begins with a byte as low.
constexpr unsigned char kLowestInId = 0x20;

std::string name_of(const Graph& g, Place place) {
  std::string name(g.id(place.node));
  if (place.kind != Place::Kind::itself) name.insert(name.begin(), static_cast<char>(place.kind));
  return name;
}

// The waits whose source waits itself, as each does in a cycle. Names are sorted, so that the
// result does not depend on the order of edges.
Graph graph_of(const Graph& g, const std::vector<Wait>& waits) {
  std::unordered_set<Place, PlaceHash> waiting;
  for (const Wait& wait : waits) waiting.insert(wait.target);
  std::vector<std::pair<std::string, std::string>> edges;
  for (const Wait& wait : waits) {
    if (waiting.contains(wait.source))
      edges.emplace_back(name_of(g, wait.source), name_of(g, wait.target));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Graph blocking;
  const auto node = [&](std::string_view id) {
    const auto n = blocking.find_node(id);
    return n ? *n : blocking.add_node(id);
  };
  for (const auto& [source, target] : edges) {
    const NodeId from = node(source);
    blocking.add_edge(from, node(target), 0);
  }
  return blocking;
}

std::vector<double> any_edge(const Graph& g) { return std::vector<double>(g.edge_bound(), 1.0); }

void append_sources(const Graph& g, const std::vector<EdgeId>& edges,
                    std::vector<std::string>& ids) {
  for (const EdgeId e : edges) {
    if (static_cast<unsigned char>(g.id(g.source(e)).front()) < kLowestInId) continue;
    ids.emplace_back(g.id(g.source(e)));
  }
}

}  // namespace

std::vector<std::string> blocking_cycle(const State& s, reward::Times times,
                                        const std::vector<NodeId>& blocked) {
  const Graph blocking = graph_of(s.graph(), waits_before(s, times, blocked));
  std::vector<std::string> ids;
  if (const auto cycle = graph::find_cycle(blocking, any_edge(blocking))) {
    append_sources(blocking, *cycle, ids);
  }
  return ids;
}

std::vector<std::string> blocking_cycle(const State& s, reward::Times times) {
  const auto view = s.view();
  const reward::KnownNames kinds(s.graph());
  reward::Readiness readiness(view, times);
  std::vector<NodeId> blocked;
  for (NodeId n = 0; n < s.graph().node_bound(); ++n) {
    if (n != kFrontierNode && reward::is_open(view, kinds, n) && !readiness.is_candidate(n))
      blocked.push_back(n);
  }
  return blocking_cycle(s, times, blocked);
}

std::vector<std::string> blocking_cycle(const State& s, reward::Times times,
                                        std::string_view source, std::string_view target) {
  const auto n = s.find(source);
  if (!n) return {};
  const Graph blocking = graph_of(s.graph(), waits_before(s, times, {*n}));
  const auto from = blocking.find_node(source), to = blocking.find_node(target);
  if (!from || !to || !blocking.find_edge(*from, *to, 0)) return {};
  const auto back = graph::shortest_path(blocking, *to, *from, any_edge(blocking));
  if (!back) return {};
  std::vector<std::string> ids{std::string(source)};
  append_sources(blocking, *back, ids);
  return ids;
}

}  // namespace hebb
