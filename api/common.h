// Helpers that several operations share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/field.h"
#include "api/problem.h"
#include "api/session.h"
#include "engine/engine.h"
#include "engine/look/look.h"
#include "engine/values/limits.h"

namespace hebb {

// The ends and the type of an edge.
RECORD(EdgeName,
       FIELD_AS(NodeId, source, "The node it goes out from",
                {.required = true, .positional = true}),
       FIELD_AS(NodeId, target, "The node it leads to", {.required = true, .positional = true}),
       FIELD(type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …",
             {.required = true, .positional = true}))

RECORD(EdgeNow, part<EdgeName>(self), FIELD(weight, "Its weight now, after decay"),
       FIELD(stored_weight, "Its weight when it was last updated"),
       FIELD_AS(Time, touched_at, "When its weight was last updated"),
       FIELD(dormant, "Too weak to count until it is reinforced"))

RECORD(ReportedOutcome, FIELD_AS(Time, at, "When"), FIELD(outcome, "success, partial or failure"),
       FIELD(agent, "Who did it", {.may_be_absent = true}),
       FIELD(because, "Why it came out so", {.may_be_absent = true}))

}  // namespace hebb

namespace hebb::api {

// Checks the name of a node, a type or a state. Throws Refused, or Problem if it is not UTF-8.
void require_name(const std::string& text, const std::string& field);
void require_text(const std::string& text, const std::string& field);
void require_edge_names(const EdgeName& edge);
void require_texts(const NodeUpsert& upsert);
// Notes the labels of the selection, wanted or excluded, that no node has as its name.
void note_unknown_labels(Session& session, const WhichNodes& which);
// The time to rank at: the session's given now, else the clock's, to the minute. Throws as
// Session::engine().
TimeMs ranked_at(Session& session);
// Appends an event about `subject` that happens now. Throws as Engine::append().
void append_now(Session& session, const std::string& subject, Payload payload);
// Runs `work` as Engine::write() does and returns its result: its reads and its appends are one
// transaction, and its arguments stay unchanged. Throws as Session::engine().
template <class Work>
auto write(Session& session, const Work& work) {
  Engine& engine = session.engine(Access::write);
  std::optional<std::invoke_result_t<Work, Engine&>> result;
  engine.write([&] { result.emplace(work(engine)); });
  return *std::move(result);
}
// Properties as canonical JSON. Throws likewise.
std::string canonical_properties(const Json& properties, const std::string& field);
// Position of the last event in the ledger; grows with every change. Throws as Session::engine().
std::int64_t ledger_position(Session& session);
// The not_found Problem for a node. The message names the ids that begin with this text.
Problem no_node(const State& s, const std::string& id, const std::string& field = "id");
// Throws Problem, not_found, if there is no such node or it is deleted.
graph::NodeId require_node(const State& s, const std::string& id, const std::string& field = "id");

// The agent of a request that names none: see Session::own_agent().
inline constexpr std::string_view kAgentWords = "Who did it; else HEBB_AGENT_ID (not over HTTP)";
inline constexpr std::string_view kClaimingAgentWords =
    "Who claims; else HEBB_AGENT_ID (not over HTTP)";
// The given agent, else the session's own. Throws Problem if there is none, and as require_name().
std::string claiming_agent(const Session& session, const std::string& given);

// --- several tasks at once -----------------------------------------------------------------------

// The tasks of a request that does the same to each: it is done to all, in one transaction, or to
// none.
struct EachTask {
  NodeId id;
  std::vector<NodeId> also;
};
RECORD(EachTask, FIELD(id, "The task", {.required = true, .positional = true}),
       FIELD(also, "Another task, likewise; all of them, or none",
             {.positional = true, .option = "IDS,--also", .rare = true}))
// Their ids, in the order given. Throws Problem for a name that cannot be, one that is there twice,
// and more than 1000; where there are several, also if the field `of_one` is not empty, which only
// one task can have.
std::vector<std::string> ids_of(const EachTask& tasks, const char* of_one = "");
// The field that names the task.
inline const char* field_of(const EachTask& tasks, const std::string& id) {
  return id == tasks.id ? "id" : "also";
}

// Where the vectors of a request come from.
struct EmbedderName {
  std::string embedder, model;
};
RECORD(EmbedderName,
       FIELD(embedder,
             "Where vectors of names and texts come from: hashing (built in), or openai:URL",
             {.local = true}),
       FIELD(model, "The model to ask an openai: embedder for", {.local = true}))
// The embedder that the name asks for; nullptr: none. Throws Problem.
std::unique_ptr<Embedder> embedder_of(const EmbedderName& name);

// Throws Problem unless the text can be a state: any name, since trackers have many states.
void require_state(const std::optional<std::string>& state);
// Notes how hebb treats a state that it does not know.
void note_unknown_state(Session& session, const std::optional<std::string>& state);
constexpr std::string_view kStateWords =
    "OPEN, IN_PROGRESS, BLOCKED, DEFERRED, CLOSED, ABANDONED, WONTFIX, … or any name";

// Notes for the user about nodes for which no vector could be made; empty if there are none.
std::vector<std::string> notes_of(const MissingVectors& missing);

// --- fields of a task that people set ------------------------------------------------------------

struct PutOff {
  std::optional<Time> snoozed_until;
  std::string because;
};
RECORD(PutOff,
       FIELD(snoozed_until, "Not ranked before that time", {.option = "--snooze,--snoozed-until"}),
       FIELD(because, "Why it is snoozed: what kept you from trying"))
// Sets the snooze in the event. Throws Problem for a text that is not UTF-8.
void put_off(const PutOff& off, NodeUpsert& upsert);

// What people set in a task, and the ranking respects.
struct PeopleFields {
  std::optional<Priority> priority;
  std::optional<Time> due_at;
  PutOff off;
  std::optional<Duration> estimate;
  bool pinned = false;
};
RECORD(PeopleFields,
       FIELD(priority, "How urgent it is: 0 (most) to 4, or critical, high, medium, low",
             {.min = 0, .max = kLastPriority}),
       FIELD(due_at, "When it is due; a day is meant to its end",
             {.option = "--due,--due-at", .whole_day = true}),
       part(self.off), FIELD(estimate, "How long it takes: 30m, 2h", {.unit = "ms"}),
       FIELD(pinned, "Ranked above everything that is not, whatever its failures"))

struct ClearedFields {
  std::vector<std::string> unset;
};
RECORD(ClearedFields,
       FIELD(unset, "Fields to clear",
             {.choices = {"priority", "due_at", "snoozed_until", "estimate", "pinned"}}))

// Why a task is not handed out although none of its fields holds it back.
inline constexpr const char* kStuck =
    "stuck: three claims expired; an outcome or a release ends that";

// Sets and clears fields in the event. Throws Problem for a field that is both set and cleared.
void set_people_fields(const PeopleFields& fields, const ClearedFields& cleared,
                       NodeUpsert& upsert);

// Describes the field `recall` of requests that count accesses to nodes (engine/recall/recall.h).
inline constexpr std::string_view kRecallWords = "False: do not count it as an access";

// --- how long an answer may be -------------------------------------------------------------------

// The bytes that an answer may have. An operation subtracts each row that it adds, so that no
// answer in memory is longer than its door sends.
class Room {
 public:
  explicit Room(const Session& session) : most_(session.longest_answer()), left_(most_) {}

  // Takes the bytes of a row of so many fields with these texts; false: too few are left.
  template <class... Text>
  bool fits(std::size_t fields, const Text&... texts) {
    return fits_bytes(fields * kFieldBytes +
                      (std::size_t{0} + ... + std::string_view(texts).size()));
  }
  // The same; throws too_long() if too few bytes are left.
  template <class... Text>
  void take(std::size_t fields, const Text&... texts) {
    if (!fits(fields, texts...)) fail();
  }
  void take_bytes(std::size_t bytes) {
    if (!fits_bytes(bytes)) fail();
  }

 private:
  static constexpr std::size_t kFieldBytes = 16;  // of JSON, at least: a name and a short value

  bool fits_bytes(std::size_t bytes);
  [[noreturn]] void fail() const;

  std::size_t most_, left_;
};

// A function that takes the room for a row of so many fields; its argument: the bytes of the texts.
std::function<void(std::size_t)> room_for_rows(const Session& session, std::size_t fields = 10);
// The invalid_argument Problem for an answer of more bytes than that.
Problem too_long(std::size_t most_bytes);

}  // namespace hebb::api
