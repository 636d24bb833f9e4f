// The nodes around a node, and where to draw them.
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/look/counts.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

// Measures of a layout.
constexpr double kRing = 150;                             // between rings, at least
constexpr double kArc = 64;                               // between nodes of a ring, at least
constexpr double kMargin = 90;                            // around the outer ring, for names
constexpr std::size_t kFromMiddle = 24, kFromOthers = 6;  // neighbors that one node brings
constexpr std::int64_t kDrawn = 40;                       // nodes, by default

struct Step {
  EdgeId edge = graph::kNoNode;
  NodeId node = graph::kNoNode;
  double weight = 0;
};

// The edge's weight if it counts; dormant: also if only its dormancy keeps it from counting. Else
// 0.
double weight_of(const reward::View& view, EdgeId e, TimeMs now, bool dormant) {
  if (!dormant) return reward::counting_weight(view, e, now);
  const auto& edges = view.graph.edges();
  if (!ends_exist(view, e)) return 0;
  return reward::effective(view.types[view.graph.type(e)], edges.weight[e], edges.touched_at[e],
                           now);
}

// Steps to the neighbors, by the strongest edges first.
std::vector<Step> steps_from(const reward::View& view, NodeId n, TimeMs now, bool dormant) {
  const auto& g = view.graph;
  std::vector<Step> steps;
  const auto add = [&](EdgeId e, NodeId other) {
    if (other == n) return;
    if (const double weight = weight_of(view, e, now, dormant); weight > 0)
      steps.push_back({e, other, weight});
  };
  for (const EdgeId e : g.out_edges(n)) add(e, g.target(e));
  for (const EdgeId e : g.in_edges(n)) add(e, g.source(e));
  std::ranges::stable_sort(steps, [&](const Step& a, const Step& b) {
    return a.weight != b.weight ? a.weight > b.weight : g.id(a.node) < g.id(b.node);
  });
  return steps;
}

struct Place {
  NodeId node = graph::kNoNode;
  EdgeId by = graph::kNoNode;
  std::size_t parent = 0;  // its index; of the middle 0
  std::int64_t depth = 0, neighbors = 0;
  double leaves = 1, angle = 0, x = 0, y = 0;
};

struct Walk {
  std::vector<Place> places;  // breadth first
  std::unordered_map<NodeId, std::size_t> index;
};

// A node takes its strongest neighbors that nobody has taken.
Walk walk_from(const reward::View& view, NodeId middle, const NeighborhoodQuery& query,
               TimeMs now) {
  const bool layout = query.layout;
  const auto limit = query.limit.value_or(layout ? kDrawn : view.graph.node_bound());
  Walk walk{{{.node = middle}}, {{middle, 0}}};
  auto& places = walk.places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_last = places[i].depth >= query.depth || std::ssize(places) >= limit;
    if (is_last && !layout) break;
    const auto steps = steps_from(view, places[i].node, now, query.dormant);
    if (layout) {
      std::set<NodeId> neighbors;
      for (const Step& step : steps) neighbors.insert(step.node);
      places[i].neighbors = std::ssize(neighbors);
    }
    std::size_t may_bring = !layout ? steps.size() : i == 0 ? kFromMiddle : kFromOthers;
    for (const Step& step : steps) {
      if (is_last || may_bring == 0 || std::ssize(places) >= limit) break;
      // The frontier has edges to tasks everywhere, so two neighbors of it are not near each other.
      if (layout && step.node == kFrontierNode && i > 0) continue;
      if (!walk.index.emplace(step.node, places.size()).second) continue;
      --may_bring;
      places.push_back(
          {.node = step.node, .by = step.edge, .parent = i, .depth = places[i].depth + 1});
    }
  }
  return walk;
}

// A tree in rings: each node has a share of its parent's angle by how many leaves it bears.
void lay_out(std::vector<Place>& places) {
  std::vector<std::vector<std::size_t>> children(places.size());
  for (std::size_t i = 1; i < places.size(); ++i) children[places[i].parent].push_back(i);
  for (std::size_t i = places.size(); i-- > 0;) {
    double leaves = 0;
    for (const auto child : children[i]) leaves += places[child].leaves;
    places[i].leaves = std::max(1.0, leaves);
  }
  const auto rings = static_cast<std::size_t>(places.back().depth) + 1;
  std::vector<double> begin(places.size(), -std::numbers::pi / 2), share(places.size());
  std::vector<double> radius(rings, 0.0), narrowest(rings, 2 * std::numbers::pi);
  share[0] = 2 * std::numbers::pi;
  for (std::size_t i = 0; i < places.size(); ++i) {
    double from = begin[i];
    for (const auto child : children[i]) {
      begin[child] = from;
      share[child] = share[i] * places[child].leaves / places[i].leaves;
      from += share[child];
      places[child].angle = begin[child] + share[child] / 2;
      auto& least = narrowest[static_cast<std::size_t>(places[child].depth)];
      least = std::min(least, share[child]);
    }
  }
  for (std::size_t d = 1; d < rings; ++d)
    radius[d] = std::max(radius[d - 1] + kRing, kArc / narrowest[d]);
  for (Place& p : places) {
    const double r = radius[static_cast<std::size_t>(p.depth)];
    p.x = r * std::cos(p.angle);
    p.y = r * std::sin(p.angle);
  }
}

// Moves everything to the right of and below (0, 0).
void move_into_view(std::vector<Place>& places, Neighborhood& found) {
  const auto [left, right] = std::ranges::minmax(places, {}, &Place::x);
  const auto [top, bottom] = std::ranges::minmax(places, {}, &Place::y);
  found.width = std::ceil(right.x - left.x + 2 * kMargin);
  found.height = std::ceil(bottom.y - top.y + kMargin);
  for (Place& p : places) {
    p.x = std::round((p.x - left.x + kMargin) * 10) / 10;
    p.y = std::round((p.y - top.y + kMargin / 2) * 10) / 10;
  }
}

// A line, bent a little to the left, so that two between the same nodes do not overlap.
std::string line(const Place& a, const Place& b, int which) {
  const double bend = 0.08 + 0.1 * which;
  const double cx = (a.x + b.x) / 2 + (b.y - a.y) * bend;
  const double cy = (a.y + b.y) / 2 - (b.x - a.x) * bend;
  return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y, cx, cy, b.x, b.y);
}

struct Between {
  EdgeId id;
  std::size_t source, target;  // indices of places
  AroundEdge edge;
};

// All that count between these, strongest first.
std::vector<Between> edges_between(const State& s, const Walk& walk, const NeighborhoodQuery& query,
                                   TimeMs now, const TookRow& took) {
  const auto view = s.view();
  std::vector<Between> edges;
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    for (const EdgeId e : view.graph.out_edges(walk.places[i].node)) {
      const auto target = walk.index.find(view.graph.target(e));
      if (target == walk.index.end() || weight_of(view, e, now, query.dormant) <= 0) continue;
      if (query.layout && target->second == i) continue;
      edges.push_back({e, i, target->second, {edge_now(s, e, now), {}}});
      const AroundEdge& edge = edges.back().edge;
      if (took) took(edge.source.size() + edge.target.size() + edge.type.size());
    }
  }
  std::ranges::stable_sort(edges, stronger, &Between::edge);
  return edges;
}

}  // namespace

Neighborhood neighborhood(Engine& engine, NodeId middle, const NeighborhoodQuery& query, TimeMs now,
                          const TookRow& took) {
  const auto moment = engine.read_snapshot();
  const State& s = engine.state();
  const auto& g = s.graph();
  Walk walk = walk_from(s.view(), middle, query, now);
  auto& places = walk.places;
  Neighborhood found;
  if (query.layout) {
    lay_out(places);
    move_into_view(places, found);
  }
  std::unordered_map<EdgeId, std::int64_t> index_of;
  std::vector<std::set<std::size_t>> shown(places.size());  // neighbors that are there
  std::map<std::pair<std::size_t, std::size_t>, int> lines;
  for (auto& [id, source, target, edge] : edges_between(s, walk, query, now, took)) {
    index_of[id] = std::ssize(found.edges);
    if (query.layout) {
      shown[source].insert(target);
      shown[target].insert(source);
      edge.path = line(places[source], places[target], lines[std::minmax(source, target)]++);
    }
    found.edges.push_back(std::move(edge));
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& p = places[i];
    auto& node = found.nodes.emplace_back();
    node.id = g.id(p.node);
    node.name = engine.content(node.id).name.value_or("");
    node.type = g.node_types().name(g.nodes().type[p.node]);
    node.state = g.states().name(g.nodes().state[p.node]);
    node.depth = p.depth;
    if (i > 0) node.reached_by = index_of.at(p.by);
    if (query.layout) node.more = p.neighbors - std::ssize(shown[i]);
    node.x = p.x;
    node.y = p.y;
    if (took) took(node.id.size() + node.name.size() + node.type.size() + node.state.size());
  }
  return found;
}

}  // namespace hebb
