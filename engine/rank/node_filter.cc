#include "engine/rank/node_filter.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "text/ascii.h"

namespace hebb {

using graph::NodeId;

namespace {

// For each name the nodes of that id or name; several may share a name.
std::vector<std::unordered_set<NodeId>> nodes_named(Folded& folded, const State& s,
                                                    const std::vector<std::string>& names) {
  std::vector<std::unordered_set<NodeId>> all;
  const auto ids = ids_by_names(folded, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& nodes = all.emplace_back();
    if (const auto n = s.graph().find_node(names[i])) nodes.insert(*n);
    for (const std::string& id : ids[i]) {
      if (const auto n = s.graph().find_node(id)) nodes.insert(*n);
    }
  }
  return all;
}

// Whether it is the project or one in it: "Home.Garden" is in "Home". As node_ids_by_project.sql.
bool is_of_project(std::string_view own, std::string_view project) {
  if (own.size() > project.size() && own[project.size()] == '.')
    own = own.substr(0, project.size());
  return same_name(own, project);
}

std::unordered_set<NodeId> nodes_of_project(Folded& folded, const State& s,
                                            const std::string& project) {
  folded.settle();
  std::unordered_set<NodeId> nodes;
  for (const std::string& id : folded.storage().mirror().ids_by_project(project)) {
    if (const auto n = s.graph().find_node(id)) nodes.insert(*n);
  }
  State* loaded = folded.loaded();
  if (loaded == nullptr) return nodes;
  for (const auto& [unsaved, content] : loaded->changes().content) {
    if (!content.project && !content.reset) continue;
    const auto n = s.graph().find_node(loaded->graph().id(unsaved));
    if (!n) continue;
    nodes.erase(*n);
    if (is_of_project(content.project.value_or(""), project)) nodes.insert(*n);
  }
  return nodes;
}

}  // namespace

std::vector<std::vector<std::string>> ids_by_names(Folded& folded,
                                                   const std::vector<std::string>& names) {
  if (names.empty()) return {};
  folded.settle();
  const auto lower_case = [](std::string text) {
    for (char& c : text) c = to_lower(c);
    return text;
  };
  std::unordered_map<std::string, std::vector<std::string>> found;
  for (const std::string& name : names) found[lower_case(name)];
  const auto take = [&](const std::string& id, const std::optional<std::string>& name) {
    for (const std::string& called : {lower_case(id), lower_case(name.value_or(id))}) {
      const auto ids = found.find(called);
      if (ids != found.end() && std::ranges::find(ids->second, id) == ids->second.end())
        ids->second.push_back(id);
    }
  };
  std::unordered_map<std::string, std::optional<std::string>>
      unsaved;  // names that are not in the tables yet
  if (folded.loaded()) {
    const auto& g = folded.loaded()->graph();
    const Changes& changes = folded.loaded()->changes();
    const auto look = [&](NodeId n) {
      const auto c = changes.content.find(n);
      const bool named = c != changes.content.end() && (c->second.name || c->second.reset);
      unsaved[std::string(g.id(n))] =
          named ? std::optional(c->second.name.value_or("")) : std::nullopt;
    };
    for (const NodeId n : changes.nodes) look(n);
    for (NodeId n = 0; changes.everything && n < g.node_bound(); ++n) look(n);
  }
  for (const auto& [id, name] : folded.storage().mirror().named(names)) {
    const auto changed = unsaved.find(id);
    if (changed == unsaved.end() || !changed->second) take(id, name);
  }
  for (const auto& [id, name] : unsaved) take(id, name);
  std::vector<std::vector<std::string>> ids;
  for (const std::string& name : names) ids.push_back(found[lower_case(name)]);
  return ids;
}

NodeFilter::NodeFilter(Folded& folded, const State& s, const reward::View& view,
                       const WhichNodes& which)
    : view_(view), which_(which), assigned_to_(s.graph().edge_types().find("ASSIGNED_TO")) {
  std::vector<std::string> names = which.labels;
  names.insert(names.end(), which.not_labels.begin(), which.not_labels.end());
  if (!which.assignee.empty()) names.push_back(which.assignee);
  auto nodes = nodes_named(folded, s, names);
  if (!which.assignee.empty()) {
    assignees_ = std::move(nodes.back());
    nodes.pop_back();
  }
  const auto first_not = nodes.begin() + std::ssize(which.labels);
  labels_.assign(std::move_iterator(nodes.begin()), std::move_iterator(first_not));
  not_labels_.assign(std::move_iterator(first_not), std::move_iterator(nodes.end()));
  if (!which.project.empty()) of_project_ = nodes_of_project(folded, s, which.project);
}

bool NodeFilter::takes(NodeId n) const {
  const auto& g = view_.graph;
  const auto is_of = [&](const std::string& type) {
    return same_name(g.node_types().name(g.nodes().type[n]), type);
  };
  const auto has = [&](const Nodes& label) { return has_context(n, label, false); };
  if (!which_.type.empty() && !is_of(which_.type)) return false;
  if (std::any_of(which_.not_types.begin(), which_.not_types.end(), is_of)) return false;
  if (!std::all_of(labels_.begin(), labels_.end(), has)) return false;
  if (std::any_of(not_labels_.begin(), not_labels_.end(), has)) return false;
  if (!which_.assignee.empty() && !has_context(n, assignees_, true)) return false;
  return which_.project.empty() || of_project_.contains(n);
}

bool NodeFilter::has_context(NodeId n, const Nodes& contexts, bool assigned) const {
  const auto edges = view_.graph.out_edges(n);
  return std::any_of(edges.begin(), edges.end(), [&](graph::EdgeId e) {
    const auto type = view_.graph.type(e);
    return contexts.contains(view_.graph.target(e)) && view_.types[type].context &&
           (!assigned || type == assigned_to_);
  });
}

}  // namespace hebb
