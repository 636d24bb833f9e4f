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

// Of a text that names a node, a type or a state. Throws Refused, or Problem for what is not UTF-8.
void require_name(const std::string& text, const std::string& field);
void require_text(const std::string& text, const std::string& field);
// Canonical JSON of properties. Throws likewise.
std::string canonical_properties(const Json& properties, const std::string& field);
// Of the last event in the ledger: it changes when anything does. Throws as Session::engine().
std::int64_t ledger_position(Session& session);
// Throws Problem, not_found, where there is no such node, or it is deleted.
graph::NodeId require_node(const State& s, const std::string& id);

// The embedder that was asked for; nullptr: none was. Throws Problem.
std::unique_ptr<Embedder> embedder_of(const std::string& embedder, const std::string& model);
// The two fields that ask for one.
template <class S>
Field embedder_field(std::string S::*member) {
  return field("embedder", member,
               "Where vectors of names and texts come from: hashing (built in), or openai:URL",
               {.local = true});
}
template <class S>
Field model_field(std::string S::*member) {
  return field("model", member, "The model to ask an openai: embedder for", {.local = true});
}

// What to say of nodes that no vector could be made for; nothing where there are none.
std::vector<std::string> notes_of(const MissingVectors& missing);

// Absent where it never happened.
std::optional<Time> time_or_nothing(TimeMs t);

}  // namespace hebb::api
