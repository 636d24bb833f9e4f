#include "engine/rank/node_facts.h"

#include <algorithm>

#include "engine/values/json.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

namespace {

// Adds number and address from the properties; nothing if somebody has overwritten these in the
// tables.
void add_tracker(const std::string& properties, NodeFacts& facts) try {
  if (properties.find("\"number\"") == std::string::npos &&
      properties.find("\"url\"") == std::string::npos)
    return;
  input::JsonReader reader;
  const input::Object object = reader.parse_object(properties);
  facts.number = input::text_in(object, "number");
  facts.url = input::text_in(object, "url");
  // Whoever follows it must not run a script.
  if (!facts.url.starts_with("http://") && !facts.url.starts_with("https://")) facts.url.clear();
} catch (const input::ItemRefused&) {
}

}  // namespace

FactsOf::FactsOf(Folded& folded, const reward::View& view, TimeMs now)
    : folded_(folded),
      view_(view),
      now_(now),
      assigned_to_(view.graph.edge_types().find("ASSIGNED_TO")) {}

NodeFacts FactsOf::operator()(graph::NodeId n, const NodeContent& content) {
  const auto& g = view_.graph;
  const auto& c = g.nodes();
  NodeFacts facts;
  for (const graph::NodeId context : reward::contexts(view_, n, now_)) {
    const auto edge =
        assigned_to_ ? g.find_edge(n, context, *assigned_to_) : std::optional<graph::EdgeId>();
    const bool assigned = edge && reward::counting_weight(view_, *edge, now_) > 0;
    (assigned ? facts.assignees : facts.labels).push_back(name_of(context));
  }
  std::ranges::sort(facts.labels);
  std::ranges::sort(facts.assignees);
  if (c.priority[n] != graph::kNoPriority) facts.set_priority = c.priority[n];
  facts.due_at = c.due_at[n];
  if (content.properties) add_tracker(*content.properties, facts);
  return facts;
}

const std::string& FactsOf::name_of(graph::NodeId n) {
  const auto [it, is_new] = names_.try_emplace(n);
  if (is_new) {
    it->second = content_of(folded_, view_.graph.id(n)).name.value_or("");
    if (it->second.empty()) it->second = view_.graph.id(n);
  }
  return it->second;
}

std::size_t bytes_of(const NodeFacts& facts) {
  constexpr std::size_t kQuoted = 3;  // two quotes and a comma
  constexpr std::size_t kField = 16;  // its name and what stands around a value
  std::size_t bytes = 0;
  for (const auto* texts : {&facts.labels, &facts.assignees}) {
    if (!texts->empty()) bytes += kField;
    for (const std::string& text : *texts) bytes += text.size() + kQuoted;
  }
  for (const std::string* text : {&facts.number, &facts.url})
    if (!text->empty()) bytes += text->size() + kField;
  if (facts.set_priority) bytes += kField;
  if (facts.due_at != graph::kNever) bytes += 2 * kField;
  return bytes;
}

}  // namespace hebb
