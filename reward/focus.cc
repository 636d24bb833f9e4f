// The focus of recent work, and how near a node is to it.
#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "reward/evidence.h"

namespace hebb::reward {

using graph::kNever;
using graph::NodeId;

namespace {

// Each sum is taken in the order of the numbers, so none can be vectorised alone; side by side the
// processor has four additions under way at a time.
Eigen::Array4d distances_of_four(std::span<const double> focus, const float* a, const float* b,
                                 const float* c, const float* d) {
  Eigen::Array4d sum = Eigen::Array4d::Zero();
  for (std::size_t i = 0; i < focus.size(); ++i) {
    const Eigen::Array4d x = Eigen::Array4f(a[i], b[i], c[i], d[i]).cast<double>();
    sum += (focus[i] - x).square();
  }
  return sum.sqrt();
}

}  // namespace

double filed_between(const Focus& focus, NodeId n, NodeId done) {
  const auto place = [&](NodeId m) { return m < focus.filed.size() ? focus.filed[m] : kNoIndex; };
  if (place(n) == kNoIndex || place(done) == kNoIndex) return -1;
  const double apart = static_cast<double>(place(n)) - static_cast<double>(place(done));
  return std::max(std::abs(apart) - 1, 0.0);
}

double distance(std::span<const double> focus, std::span<const float> row) {
  if (focus.empty() || row.empty()) return -1;
  if (focus.size() != row.size()) graph::throw_damaged();
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double d = focus[i] - static_cast<double>(row[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

std::vector<double> distances(std::span<const double> focus,
                              std::span<const std::span<const float>> rows) {
  std::vector<double> apart(rows.size(), -1);
  std::size_t four[4] = {};
  std::size_t used = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (focus.empty() || rows[r].empty()) continue;
    if (focus.size() != rows[r].size()) graph::throw_damaged();
    four[used++] = r;
    if (used < 4) continue;
    used = 0;
    const Eigen::Array4d found =
        distances_of_four(focus, rows[four[0]].data(), rows[four[1]].data(), rows[four[2]].data(),
                          rows[four[3]].data());
    for (int k = 0; k < 4; ++k) apart[four[k]] = found[k];
  }
  for (std::size_t k = 0; k < used; ++k) apart[four[k]] = distance(focus, rows[four[k]]);
  return apart;
}

std::vector<double> distances_of(const View& view, const Focus& focus,
                                 std::span<const NodeId> nodes) {
  std::vector<std::span<const float>> rows;
  rows.reserve(nodes.size());
  for (const NodeId n : nodes) rows.push_back(view.vectors.row(n));
  return distances(focus.vector, rows);
}

double least_between(const Focus& focus, NodeId n) {
  double least = -1;
  for (const NodeId done : focus.completed) {
    const double between = filed_between(focus, n, done);
    if (between >= 0 && (least < 0 || between < least)) least = between;
  }
  return least;
}

double overlap(std::span<const NodeId> a, std::span<const NodeId> b) {
  if (a.empty() || b.empty()) return 0;
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j];
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    i += first;
    j += second;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

bool is_completed(const View& view, const KnownNames& kinds, NodeId n) {
  return view.graph.nodes().completed_at[n] != kNever && exists(view, n) &&
         !is_test(view, kinds, n) && !is_open(view, kinds, n);
}

std::vector<NodeId> completed_last(const View& view, std::size_t count) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  const auto later = [&](NodeId a, NodeId b) {
    if (nodes.completed_at[a] != nodes.completed_at[b]) {
      return nodes.completed_at[a] > nodes.completed_at[b];
    }
    return view.graph.id(a) < view.graph.id(b);
  };
  const KnownNames kinds(view.graph);
  std::vector<NodeId> last;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (!is_completed(view, kinds, n)) continue;
    if (last.size() == count && !later(n, last.back())) continue;
    if (last.size() == count) last.pop_back();
    last.insert(std::upper_bound(last.begin(), last.end(), n, later), n);
  }
  return last;
}

std::size_t completed_for_focus(const Policy& policy) {
  const int kept = std::max(policy.frontier_tasks, policy.order_proximity_tasks);
  return std::max(static_cast<std::size_t>(kept), kOwnWork);
}

bool is_filed(const View& view, const KnownNames& kinds, NodeId n) {
  return n != view.frontier && exists(view, n) && view.graph.nodes().state[n] != 0 &&
         !is_test(view, kinds, n);
}

bool filed_before(const graph::Graph& g, NodeId a, NodeId b) {
  const auto& created_at = g.nodes().created_at;
  return created_at[a] != created_at[b] ? created_at[a] < created_at[b] : g.id(a) < g.id(b);
}

Focus focus_from(const View& view, TimeMs now, std::vector<NodeId> tasks,
                 std::span<const std::uint32_t> filed) {
  Focus result;
  if (tasks.empty()) return result;
  const auto near = static_cast<std::size_t>(view.policy.frontier_tasks);
  const auto work = static_cast<std::size_t>(view.policy.order_proximity_tasks);
  result.completed.assign(
      tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(std::min(work, tasks.size())));
  result.filed = filed;
  evidence_contexts(view, tasks.front(), now, result.contexts);
  tasks.resize(std::min(near, tasks.size()));
  result.anchor = view.graph.nodes().created_at[tasks.front()];
  result.completed_at = view.graph.nodes().completed_at[tasks.front()];
  double count = 0;
  for (const NodeId task : tasks) {
    const std::span<const float> row = view.vectors.row(task);
    if (row.empty()) continue;
    result.vector.resize(row.size(), 0.0);
    for (std::size_t i = 0; i < row.size(); ++i) result.vector[i] += static_cast<double>(row[i]);
    ++count;
  }
  for (double& x : result.vector) x /= count;
  return result;
}

}  // namespace hebb::reward
