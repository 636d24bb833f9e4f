// The naive model: which tasks are candidates, and in which order.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "tests/support/naive_model.h"

namespace hebb::naive {

// The parts that stand directly below it.
std::set<std::string> Model::parts(const std::string& id) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    const bool both = exists(key.source) && exists(key.target);
    if (key.type == "PARENT_OF" && key.source == id && key.target != id && both)
      found.insert(key.target);
  }
  return found;
}

// It and all below it.
std::set<std::string> Model::tree(const std::string& id) const {
  std::set<std::string> found{id};
  for (std::size_t size = 0; size != found.size();) {
    size = found.size();
    std::set<std::string> below;
    for (const auto& n : found) below.merge(parts(n));
    found.merge(below);
  }
  return found;
}

// By edges that block, and by those that say to wait for the parts of a node.
std::set<std::string> Model::blockers(const std::string& id, Ms now) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    if (key.target != id || !counts(key, now)) continue;
    if (key.type == "BLOCKS" && may_be_unfinished(key.source)) found.insert(key.source);
    if (key.type != "WAITS_FOR" && key.type != "WAITS_FOR_ANY") continue;
    std::set<std::string> open, over;
    for (const auto& part : parts(key.source)) {
      if (part == id) continue;
      if (may_be_unfinished(part)) {
        open.insert(part);
      } else if (!nodes.at(part).state.empty()) {
        over.insert(part);
      }
    }
    if (open.empty() && over.empty() && may_be_unfinished(key.source)) open.insert(key.source);
    if (key.type == "WAITS_FOR" || over.empty()) found.merge(open);
  }
  return found;
}

bool Model::is_snoozed(const std::string& id, Ms now) const {
  return nodes.at(id).snoozed && *nodes.at(id).snoozed > now;
}

bool Model::holds_parts(const std::string& id, Ms now) const {
  if (!is_unfinished(id)) return false;
  const std::string& state = nodes.at(id).state;
  if (state == "BLOCKED" || state == "DEFERRED" || is_snoozed(id, now)) return true;
  const std::set<std::string> own = tree(id);
  for (const auto& other : blockers(id, now)) {
    if (!own.contains(other)) return true;
  }
  return false;
}

bool Model::is_candidate(const std::string& id, Ms now) const {
  if (id == kFrontier || !is_open(id) || is_snoozed(id, now) || !blockers(id, now).empty())
    return false;
  if (rules.is_no_work(nodes.at(id).type)) return false;
  if (rules["attempts"] > 0 && nodes.at(id).failing >= rules["attempts"] && !is_test(id))
    return false;
  for (const auto& part : parts(id)) {
    const EdgeKey block{id, part, "BLOCKS"};
    const bool waits_for_it = edges.contains(block) && counts(block, now);
    if (may_be_unfinished(part) && !waits_for_it) return false;
  }
  // Up from part to whole, as far as these are unfinished.
  std::set<std::string> above{id};
  for (std::size_t size = 0; size != above.size();) {
    size = above.size();
    for (const auto& [key, edge] : edges) {
      const bool is_whole = key.type == "PARENT_OF" && above.contains(key.target) &&
                            exists(key.target) && is_unfinished(key.source);
      if (!is_whole) continue;
      if (holds_parts(key.source, now)) return false;
      above.insert(key.source);
    }
  }
  return true;
}

std::vector<std::string> Model::completed_last() const {
  std::vector<std::string> done;
  for (const auto& [id, node] : nodes) {
    if (exists(id) && node.completed && !is_test(id) && !is_open(id)) done.push_back(id);
  }
  std::stable_sort(done.begin(), done.end(), [&](const auto& a, const auto& b) {
    return *nodes.at(a).completed > *nodes.at(b).completed;
  });
  return done;
}

Focus Model::focus(Ms now) const {
  const std::vector<std::string> done = completed_last();
  Focus result;
  if (done.empty()) return result;
  result.anchor = nodes.at(done.front()).created;
  result.completed_at = nodes.at(done.front()).completed;
  result.contexts = evidence_contexts(done.front(), now);
  for (std::size_t i = 0;
       i < done.size() && static_cast<double>(i) < rules["order_proximity_tasks"]; ++i) {
    result.completed.push_back(done[i]);
  }
  std::vector<std::vector<float>> vectors;
  for (std::size_t i = 0; i < done.size() && static_cast<double>(i) < rules["frontier_tasks"];
       ++i) {
    const auto& vector = nodes.at(done[i]).vector;
    if (!vector.empty()) vectors.push_back(vector);
  }
  if (vectors.empty()) return result;
  for (std::size_t i = 0; i < vectors.front().size(); ++i) {
    double sum = 0;
    for (const auto& vector : vectors) sum += static_cast<double>(vector[i]);
    result.vector.push_back(sum / static_cast<double>(vectors.size()));
  }
  return result;
}

std::optional<Ms> Model::own_activity(const std::string& id, Ms now) const {
  const Node& node = nodes.at(id);
  // An absent time is less than any other.
  std::optional<Ms> last = std::max({node.created, node.reopened, node.outcome});
  if (node.snoozed && *node.snoozed <= now) last = std::max(last, node.snoozed);
  for (const auto& [key, edge] : edges) {
    if (key.source != id || key.type != "LABELED_AS" || !exists(id) || !exists(key.target))
      continue;
    last = std::max(last, std::optional<Ms>(edge.t));
  }
  return last;
}

std::optional<Ms> Model::last_activity(const std::string& id, Ms now) const {
  std::optional<Ms> last = own_activity(id, now);
  for (const auto& [key, edge] : edges) {
    if (key.target != id || !exists(key.source) || !exists(id)) continue;
    if (key.type == "CROSS_REFERENCES" || key.type == "RESOLVES" || key.type == "PARENT_OF")
      last = std::max(last, std::optional<Ms>(edge.t));
  }
  return last;
}

// Tasks filed after one of them and before the other.
std::optional<double> Model::filed_between(const std::string& a, const std::string& b) const {
  const auto is_filed = [&](const std::string& id) {
    return id != kFrontier && exists(id) && !nodes.at(id).state.empty() && !is_test(id);
  };
  if (!is_filed(a) || !is_filed(b)) return std::nullopt;
  const auto place = [&](const std::string& id) { return std::pair(*nodes.at(id).created, id); };
  const auto [first, last] = std::minmax({place(a), place(b)});
  double between = 0;
  for (const auto& [id, node] : nodes) {
    if (is_filed(id) && first < place(id) && place(id) < last) ++between;
  }
  return between;
}

std::vector<std::string> Model::ranking(const Focus& focus, Ms now) const {
  // Ascending by what is best first: tier, priority, base and failures negated, then the duration,
  // where it is known and the last outcome was no failure, then age, then id.
  std::vector<std::tuple<int, double, double, double, bool, Ms, Ms, std::string>> places;
  for (const auto& [id, node] : nodes) {
    if (!is_candidate(id, now)) continue;
    const Factors f = factors(focus, id, now);
    const bool failed = std::abs(f.test_failures) >= 1;
    places.emplace_back(-f.tier, -f.priority, -f.base, -f.test_failures, !failed && !node.duration,
                        failed ? 0 : node.duration.value_or(0), *node.created, id);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::string> ids;
  for (const auto& place : places) ids.push_back(std::get<std::string>(place));
  return ids;
}

}  // namespace hebb::naive
