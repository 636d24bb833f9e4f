// picture: a node's neighbourhood, laid out to be drawn.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/edges.h"
#include "api/graph_view.h"
#include "api/operations.h"
#include "api/room.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

struct PictureRequest {
  std::string id;
  std::int64_t depth = 2, limit = 40;
  bool dormant = false;
};
RECORD(PictureRequest,
       FIELD(id, "The node in the middle", {.required = true}),
       FIELD(depth, "How many edges far", {.unit = "edges", .min = 1, .max = 4}),
       FIELD(limit, "At most so many nodes, those by the strongest edges first",
             {.unit = "nodes", .min = 1, .max = 200}),
       FIELD(dormant, "Over dormant edges too"))

struct PictureNode {
  std::string id, name, type, state;
  std::int64_t depth = 0;
  std::int64_t more = 0;  // neighbours that are left out
  double x = 0, y = 0;
};
RECORD(PictureNode,
       FIELD(id, "The node"),
       FIELD(name, "Its name"),
       FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       FIELD(depth, "How many edges far it is from the middle"),
       FIELD(more, "How many of its neighbours are left out"),
       FIELD(x, "Where its middle is, from the left"),
       FIELD(y, "And from the top"))

struct PictureEdge {
  std::string source, target, type;
  double weight = 0;
  bool dormant = false;
  std::string path;  // as the attribute d of SVG has it
};
RECORD(PictureEdge,
       FIELD(source, "The node it goes out from"),
       FIELD(target, "The node it leads to"),
       FIELD(type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
       FIELD(weight, "Its weight now, after decay"),
       FIELD(dormant, "Too weak to count"),
       FIELD(path, "The line, as the attribute d of an SVG path has it"))

struct PictureResult {
  double width = 0, height = 0;
  std::vector<PictureNode> nodes;  // the middle first, the nearest next
  std::vector<PictureEdge> edges;  // all between these nodes, the weakest first
};
RECORD(PictureResult,
       FIELD(width, "Of the picture, in the units of x, y and path"),
       FIELD(height, "Likewise"),
       FIELD(nodes, "The node in the middle, then the others, the nearest first"),
       FIELD(edges, "All edges between these nodes, the weakest first"))

namespace {

constexpr double kRing = 150;                             // between rings, at least
constexpr double kArc = 64;                               // between nodes of a ring, at least
constexpr double kMargin = 90;                            // around the outer ring, for names
constexpr std::size_t kFromMiddle = 24, kFromOthers = 6;  // neighbours that one node brings

struct Near {
  EdgeId edge;
  NodeId node;
  EdgeNow now;
};

// Each neighbour once, by its strongest edge, the strongest first.
std::vector<Near> neighbors_of(const State& s, NodeId n, TimeMs now, bool dormant) {
  const auto& g = s.graph();
  std::vector<Near> near;
  const auto add = [&](EdgeId e, NodeId other) {
    if (other == n || !is_between_existing(s, e)) return;
    EdgeNow edge = edge_now(s, e, now);
    if (edge.weight > 0 && (dormant || !edge.dormant)) near.push_back({e, other, std::move(edge)});
  };
  for (const EdgeId e : g.out_edges(n)) add(e, g.target(e));
  for (const EdgeId e : g.in_edges(n)) add(e, g.source(e));
  std::stable_sort(near.begin(), near.end(), [&](const Near& a, const Near& b) {
    if (a.now.weight != b.now.weight) return a.now.weight > b.now.weight;
    return g.id(a.node) < g.id(b.node);
  });
  std::set<NodeId> seen;
  std::erase_if(near, [&](const Near& one) { return !seen.insert(one.node).second; });
  return near;
}

struct Placed {
  NodeId node = graph::kNoNode;
  std::size_t parent = 0;  // its place in the list; of the middle 0
  int depth = 0;
  std::int64_t neighbors = 0;
  double leaves = 1, angle = 0, x = 0, y = 0;
};

// Breadth first; a node takes its strongest neighbours that nobody has taken. O(edges of the
// chosen, sorted).
std::vector<Placed> choose(const State& s, NodeId middle, const PictureRequest& request,
                           TimeMs now) {
  std::vector<Placed> chosen{{.node = middle}};
  std::set<NodeId> taken{middle};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto near = neighbors_of(s, chosen[i].node, now, request.dormant);
    chosen[i].neighbors = std::ssize(near);
    if (chosen[i].depth == request.depth) continue;
    std::size_t brought = 0;
    for (const Near& one : near) {
      if (std::ssize(chosen) == request.limit) break;
      if (brought == (i == 0 ? kFromMiddle : kFromOthers)) break;
      // The frontier has edges to tasks everywhere, so two neighbours of it are not near each
      // other.
      if (one.node == kFrontierNode && i > 0) continue;
      if (!taken.insert(one.node).second) continue;
      ++brought;
      chosen.push_back({.node = one.node, .parent = i, .depth = chosen[i].depth + 1});
    }
  }
  return chosen;
}

// A tree in rings: each node has a share of its parent's angle by how many leaves it bears.
void place(std::vector<Placed>& nodes) {
  std::vector<std::vector<std::size_t>> children(nodes.size());
  for (std::size_t i = 1; i < nodes.size(); ++i) children[nodes[i].parent].push_back(i);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    double leaves = 0;
    for (const auto child : children[i]) leaves += nodes[child].leaves;
    nodes[i].leaves = std::max(1.0, leaves);
  }
  std::vector<double> begin(nodes.size(), -std::numbers::pi / 2), share(nodes.size());
  share[0] = 2 * std::numbers::pi;
  std::vector<double> radius(6, 0.0);
  std::vector<double> narrowest(6, 2 * std::numbers::pi);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double from = begin[i];
    for (const auto child : children[i]) {
      begin[child] = from;
      share[child] = share[i] * nodes[child].leaves / nodes[i].leaves;
      from += share[child];
      nodes[child].angle = begin[child] + share[child] / 2;
      auto& least = narrowest[static_cast<std::size_t>(nodes[child].depth)];
      least = std::min(least, share[child]);
    }
  }
  for (std::size_t d = 1; d < radius.size(); ++d) {
    const bool used = std::any_of(nodes.begin(), nodes.end(),
                                  [&](const Placed& n) { return n.depth == static_cast<int>(d); });
    if (used) radius[d] = std::max(radius[d - 1] + kRing, kArc / narrowest[d]);
  }
  for (Placed& n : nodes) {
    const double r = radius[static_cast<std::size_t>(n.depth)];
    n.x = r * std::cos(n.angle);
    n.y = r * std::sin(n.angle);
  }
}

// So that all of it is at the right of and below (0, 0).
void move_into_view(std::vector<Placed>& nodes, PictureResult& result) {
  double left = 0, right = 0, top = 0, bottom = 0;
  for (const Placed& n : nodes) {
    left = std::min(left, n.x);
    right = std::max(right, n.x);
    top = std::min(top, n.y);
    bottom = std::max(bottom, n.y);
  }
  for (Placed& n : nodes) {
    n.x = std::round((n.x - left + kMargin) * 10) / 10;
    n.y = std::round((n.y - top + kMargin / 2) * 10) / 10;
  }
  result.width = std::ceil(right - left + 2 * kMargin);
  result.height = std::ceil(bottom - top + kMargin);
}

// A line, bent a little to the left, so that two between the same nodes can be told apart.
std::string line(const Placed& a, const Placed& b, int which) {
  const double bend = 0.08 + 0.1 * which;
  const double cx = (a.x + b.x) / 2 + (b.y - a.y) * bend;
  const double cy = (a.y + b.y) / 2 - (b.x - a.x) * bend;
  return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y, cx, cy, b.x, b.y);
}

}  // namespace

static PictureResult picture(Session& session, const PictureRequest& request) {
  Engine& engine = session.engine(Access::read);
  const State& s = engine.state();
  const auto& g = s.graph();
  auto chosen = choose(s, require_node(s, request.id), request, session.now());
  PictureResult result;
  Room room(session);
  place(chosen);
  move_into_view(chosen, result);
  std::unordered_map<NodeId, std::size_t> place_of;
  for (std::size_t i = 0; i < chosen.size(); ++i) place_of[chosen[i].node] = i;
  std::vector<std::set<std::size_t>> shown(chosen.size());  // neighbours that are in the picture
  std::map<std::pair<std::size_t, std::size_t>, int> between;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const EdgeId e : g.out_edges(chosen[i].node)) {
      const auto other = place_of.find(g.target(e));
      if (other == place_of.end() || other->second == i || !is_between_existing(s, e)) continue;
      EdgeNow now = edge_now(s, e, session.now());
      if (now.weight <= 0 || (now.dormant && !request.dormant)) continue;
      shown[i].insert(other->second);
      shown[other->second].insert(i);
      const int which = between[std::minmax(i, other->second)]++;
      result.edges.push_back({now.source, now.target, now.type, now.weight, now.dormant,
                              line(chosen[i], chosen[other->second], which)});
    }
  }
  std::stable_sort(result.edges.begin(), result.edges.end(),
                   [](const PictureEdge& a, const PictureEdge& b) { return a.weight < b.weight; });
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Placed& p = chosen[i];
    PictureNode node;
    node.id = g.id(p.node);
    node.name = engine.content(node.id).name.value_or("");
    room.take(8, node.id, node.name);
    node.type = g.node_types().name(g.nodes().type[p.node]);
    node.state = g.states().name(g.nodes().state[p.node]);
    node.depth = p.depth;
    node.more = p.neighbors - std::ssize(shown[i]);
    node.x = p.x;
    node.y = p.y;
    result.nodes.push_back(std::move(node));
  }
  return result;
}

Operations picture_operations() {
  return {
      operation({.name = "picture",
                 .command = "topology",
                 .summary = "The neighbourhood of a node, laid out to be drawn",
                 .example = "  hebb topology task-7 --format dot | dot -Tsvg > task-7.svg",
                 .route = "GET /nodes/{id}/picture",
                 .command_line = false,
                 .problems = {ProblemType::not_found}},
                picture),
  };
}

}  // namespace hebb::api
