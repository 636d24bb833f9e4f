#include "api/common.h"

#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/embedder.h"
#include "engine/fold/states.h"
#include "engine/values/checks.h"
#include "engine/values/counted.h"
#include "engine/values/refusals.h"
#include "reward/evidence.h"

namespace hebb::api {

void require_text(const std::string& text, const std::string& field) {
  if (!is_utf8(text)) throw invalid(field, "{} is not valid UTF-8", named(field));
}

void require_name(const std::string& text, const std::string& field) {
  require_text(text, field);
  if (auto refusal = check_name(text, field)) throw Refused(std::move(*refusal));
}

std::vector<std::string> ids_of(const EachTask& tasks, const char* of_one) {
  constexpr std::size_t kMost = 1000;
  require_name(tasks.id, "id");
  if (tasks.also.size() >= kMost)
    throw invalid("also", "these are more than {} tasks at once", kMost);
  if (*of_one && !tasks.also.empty())
    throw invalid(of_one, "{} is of one task; give each of these by itself", named(of_one));
  std::vector<std::string> ids{tasks.id};
  std::unordered_set<std::string_view> seen{tasks.id};
  for (const std::string& id : tasks.also) {
    require_name(id, "also");
    if (!seen.insert(id).second) throw invalid("also", "{} is there twice", id);
    ids.push_back(id);
  }
  return ids;
}

std::string claiming_agent(const Session& session, const std::string& given) {
  std::string agent = given.empty() ? session.own_agent() : given;
  if (agent.empty()) {
    throw invalid("agent", "a claim needs {}: who claims; at a shell HEBB_AGENT_ID can say it",
                  named("agent"));
  }
  require_name(agent, "agent");
  return agent;
}

void require_state(const std::optional<std::string>& state) {
  if (state) require_name(*state, "state");
}

void note_unknown_state(Session& session, const std::optional<std::string>& state) {
  if (!state || is_known_state(*state) || reward::is_over(*state)) return;
  session.note(fmt::format(
      "\"{}\" is no state that hebb knows: only what is OPEN is ranked, and what this node blocks "
      "waits until it is CLOSED",
      *state));
}

void require_edge_names(const EdgeName& edge) {
  require_name(edge.source, "source");
  require_name(edge.target, "target");
  require_name(edge.type, "type");
}

void note_unknown_labels(Session& session, const WhichNodes& which) {
  for (const auto* labels : {&which.labels, &which.not_labels})
    for (const std::string& label : *labels)
      if (!session.engine(Access::read).state().exists("label-" + label) &&
          ids_named(session.engine(Access::read), label).empty())
        session.note(fmt::format("there is no label \"{}\"", label));
}

TimeMs ranked_at(Session& session) {
  const TimeMs now = session.now();
  if (session.given_now() || !session.several().empty()) return now;
  return session.engine(Access::read).state().rank_time(now);
}

void require_texts(const NodeUpsert& upsert) {
  for (const auto& [text, name] : {std::pair{&upsert.name, "name"},
                                   {&upsert.description, "description"},
                                   {&upsert.project, "project"},
                                   {&upsert.scope, "scope"}})
    if (*text) require_text(**text, name);
}

void append_now(Session& session, const std::string& subject, Payload payload) {
  Event event;
  event.at = session.now();
  event.subject = subject;
  event.payload = std::move(payload);
  session.engine(Access::write).append(std::move(event));
}

std::string canonical_properties(const Json& properties, const std::string& field) {
  auto canonical = hebb::canonical_properties(properties.dump(), field);
  if (auto* refusal = std::get_if<Refusal>(&canonical)) throw Refused(std::move(*refusal));
  return std::get<std::string>(std::move(canonical));
}

std::int64_t ledger_position(Session& session) {
  return session.engine(Access::read).ledger().last_position();
}

Problem no_node(const State& s, const std::string& id, const std::string& field) {
  constexpr std::size_t kShown = 5;
  const auto& g = s.graph();
  std::vector<std::string_view> longer;  // ids that begin with `id`
  for (graph::NodeId n = 0; !id.empty() && n < g.node_bound() && longer.size() <= kShown; ++n) {
    if (g.id(n).starts_with(id) && s.exists(g.id(n))) longer.push_back(g.id(n));
  }
  const bool more = longer.size() > kShown;
  if (more) longer.pop_back();
  return problem(ProblemType::not_found, field, "there is no node \"{}\"; {}", id,
                 longer.empty()       ? "`hebb search` finds nodes by their text"
                 : longer.size() == 1 ? fmt::format("did you mean {}?", longer.front())
                                      : fmt::format("these ids begin so: {}{}",
                                                    fmt::join(longer, ", "), more ? ", …" : ""));
}

graph::NodeId require_node(const State& s, const std::string& id, const std::string& field) {
  const auto n = s.find(id);
  if (!n) throw no_node(s, id, field);
  if (s.exists(id)) return *n;
  throw problem(ProblemType::not_found, field, "the node \"{}\" is deleted", id);
}

std::unique_ptr<Embedder> embedder_of(const EmbedderName& name) {
  if (name.embedder.empty()) return nullptr;
  try {
    return make_embedder(name.embedder, name.model);
  } catch (const std::invalid_argument& e) {
    throw invalid("embedder", "{}: {}", named("embedder"), e.what());
  }
}

std::vector<std::string> notes_of(const MissingVectors& missing) {
  std::vector<std::string> notes;
  const auto add = [&](std::int64_t n, std::string_view one, std::string_view more) {
    if (n == 0) return;
    notes.push_back(fmt::format(
        "{}: this database's vectors come from elsewhere; give their vectors in the input, or the "
        "--embedder they are from",
        counted(n, one, more)));
  };
  add(missing.none, "named node has no vector", "named nodes have no vector");
  add(missing.outdated, "node keeps the vector of its old name",
      "nodes keep the vector of their old name");
  return notes;
}

void put_off(const PutOff& off, NodeUpsert& upsert) {
  upsert.snoozed_until = off.snoozed_until;
  if (off.because.empty()) return;
  require_text(off.because, "because");
  upsert.because = off.because;
}

void set_people_fields(const PeopleFields& fields, const ClearedFields& cleared,
                       NodeUpsert& upsert) {
  if (fields.priority) upsert.priority = fields.priority->value;
  upsert.due_at = fields.due_at;
  put_off(fields.off, upsert);
  if (fields.estimate) upsert.estimate = fields.estimate->ms;
  if (fields.pinned) upsert.pinned = true;
  const auto clear = [](const std::string& field, auto& value, auto nothing) {
    if (value) {
      throw invalid("unset", "{} is both set and unset; give one", named(field));
    }
    value = nothing;
  };
  for (const auto& field : cleared.unset) {
    if (field == "priority") clear(field, upsert.priority, int{graph::kNoPriority});
    if (field == "due_at") clear(field, upsert.due_at, graph::kNever);
    if (field == "snoozed_until") clear(field, upsert.snoozed_until, graph::kNever);
    if (field == "estimate") clear(field, upsert.estimate, graph::kNever);
    if (field == "pinned") clear(field, upsert.pinned, false);
  }
}

bool Room::fits_bytes(std::size_t bytes) {
  const bool fits = bytes <= left_;
  if (fits) left_ -= bytes;
  return fits;
}

void Room::fail() const { throw too_long(most_); }

std::function<void(std::size_t)> room_for_rows(const Session& session, std::size_t fields) {
  return [room = Room(session), fields](std::size_t bytes) mutable {
    room.take(fields);
    room.take_bytes(bytes);
  };
}

Problem too_long(std::size_t most_bytes) {
  return problem(ProblemType::invalid_argument, "",
                 "the answer would have more than {} bytes; ask for less at a time", most_bytes);
}

}  // namespace hebb::api
