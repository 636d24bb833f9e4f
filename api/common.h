// What several operations share.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/field.h"
#include "api/problem.h"
#include "api/session.h"
#include "engine/engine.h"

namespace hebb::api {

// Checks the name of a node, a type or a state. Throws Refused, or Problem if it is not UTF-8.
void require_name(const std::string& text, const std::string& field);
void require_text(const std::string& text, const std::string& field);
void require_edge_names(const EdgeName& edge);
// Notes labels that are asked for, or to be left out, and that no node is called.
void note_unknown_labels(Session& session, const WhichNodes& which);
// Notes of what time a ranking is, where that is more than a day ago.
void note_old_ranking(Session& session, TimeMs as_of);
// Properties as canonical JSON. Throws likewise.
std::string canonical_properties(const Json& properties, const std::string& field);
// Position of the last event in the ledger; grows with every change. Throws as Session::engine().
std::int64_t ledger_position(Session& session);
// Throws Problem, not_found, if there is no such node or it is deleted.
graph::NodeId require_node(const State& s, const std::string& id);

// Where the vectors of a request come from.
struct EmbedderName {
  MEMBER(std::string, embedder, "Where vectors of names and texts come from: hashing (built in), "
         "or openai:URL", {.local = true});
  MEMBER(std::string, model, "The model to ask an openai: embedder for", {.local = true});
};
// nullptr: it names none. Throws Problem.
std::unique_ptr<Embedder> embedder_of(const EmbedderName& name);

// The ends and the type of an edge.
RECORD(EdgeName,
       NODE_FIELD(source, "The node it goes out from", {.required = true, .positional = true}),
       NODE_FIELD(target, "The node it leads to", {.required = true, .positional = true}),
       FIELD(type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …",
             {.required = true, .positional = true}))

// Notes for the user about nodes for which no vector could be made; empty if there are none.
std::vector<std::string> notes_of(const MissingVectors& missing);

// nullopt for kNever.
std::optional<Time> time_or_nothing(TimeMs t);

}  // namespace hebb::api
