// Folds one event into the parts of a state. Only for engine/fold/.
#pragma once

#include <span>
#include <string_view>

#include "engine/fold/edge_rules.h"
#include "engine/fold/state.h"

namespace hebb {

// As State::apply(), for an event that is no claim's; marks.latest stays as it is.
void apply(StateParts& parts, const Event& e, const Scope* scope);

// Notes that the rows and the ranking of these are to be made anew.
void touch(StateParts& parts, graph::NodeId n);
void touch(StateParts& parts, const EdgeKey& key);
// The node of that id, which is added to the graph if it is not there.
graph::NodeId name_node(StateParts& parts, std::string_view id);
EdgeKey key_of(StateParts& parts, const EdgeRule& rule);  // likewise
// As if no event had made it. Its edges stay.
void clear_node(StateParts& parts, graph::NodeId n);
void remove_edge(StateParts& parts, graph::EdgeId e);
void remove_edges_of(StateParts& parts, graph::NodeId n, const Scope* scope);
// An empty one: the embedder found no word in the text.
void set_vector(StateParts& parts, graph::NodeId n, std::span<const float> vector);

}  // namespace hebb
