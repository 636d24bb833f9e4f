// Events, as the ledger holds them. An event has all that the fold needs, including values that
// were looked up when it arrived.
//
// Their order is (at, key). A key is used once, ever, so that an event counts once. Keys are built
// so that among events of the same time causes sort before effects: see event_key().
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/values/checks.h"
#include "graph/graph.h"
#include "reward/learned.h"

namespace hebb {

inline constexpr TimeMs kEndOfTime = std::numeric_limits<TimeMs>::max();

// Nodes are named by text ids, so that a ledger can be read without the graph.
struct NodeUpsert {  // subject: the node. Absent fields keep what they were.
  std::optional<std::string> type, state, name, description, project, scope;
  std::optional<std::string> properties;  // canonical JSON object
  std::string embedder;       // who made the vector: "external", "hashing", "openai:MODEL"
  std::vector<float> vector;  // empty: none given
  // Fields that people set on a task. kNoPriority and kNever take them back.
  std::optional<int> priority = {};  // 0 (most urgent) to 4
  std::optional<TimeMs> due_at = {}, snoozed_until = {};
  std::optional<std::string> because = {};  // why it is snoozed; only with snoozed_until
  std::optional<TimeMs> estimate = {};      // how long it is expected to take
  std::optional<bool> pinned = {};
  bool opens = true;  // as of StateChange
};
struct NodeDelete {};  // subject: the node
struct Link {          // subject: the source. Creates or reinforces.
  std::string target, type;
  double weight = 1.0;
  std::optional<std::string> properties;
};
struct Unlink {  // subject: the source
  std::string target, type;
};
struct StateChange {  // subject: the node
  std::string state;
  bool opens = true;  // false: a node that is CLOSED stays so
};
enum class OutcomeKind : std::uint8_t { success, partial, failure };
struct OutcomeSignal {  // subject: the task
  OutcomeKind outcome = OutcomeKind::partial;
  double score = 1.0;
  std::optional<std::vector<std::string>> related;  // as given; resolved on arrival
  std::vector<std::string> contexts;                // resolved on arrival
  std::string input;       // the object as it came, canonical JSON: unknown fields are kept
  std::int64_t token = 0;  // of the claim under which the task was done; 0: none was given
  // The exponents in force from this event on, if they were learned anew on its arrival.
  std::optional<reward::Learned> learned = {};
};
struct Pivot {  // subject: the target
  double weight = 1.0;
};
struct Guide {
  std::string node;
  double x = 0;
  bool operator==(const Guide&) const = default;
};
struct Recalibration {  // subject: "frontier"
  std::vector<Guide> guides;
};
struct PolicyChange {    // subject: "policy"
  bool replace = false;  // start from the defaults rather than from the policy in force
  std::vector<std::pair<std::string, std::string>> settings;  // reward::Setting, key and value
};
struct Undo {              // subject: "ledger"
  std::int64_t event = 0;  // its position
  // Not empty: what is wrong with the event, which hebb before 0.4 set aside so as of any time, for
  // it is damaged. It is read, and never written.
  std::string damage = {};
  // hebb up to 0.2 undid the outcome of a tracker's closing so where somebody else had reported the
  // same completion. It is read, and never written.
  bool repeats = false;
  // Not 0: all events from `event` to this one. They are those of one gc.
  std::int64_t last = 0;
};
struct EdgeName {
  std::string source, target, type;
  auto operator<=>(const EdgeName&) const = default;
};
// What gc removed: one node, which is the subject, or one edge, whose source is the subject, or
// whose target, if the source is the frontier. Up to hebb 0.2 one event had all nodes and edges of
// a gc.
inline constexpr std::string_view kWholeGc = "ledger";  // the subject of such a one
struct Forget {
  std::vector<EdgeName> edges;
  std::vector<std::string> nodes;
};

// Claims are folded in the order of the ledger, not in that of (at, key), and change neither the
// graph nor a priority: see engine/claims/claims.h.
struct Claim {  // subject: the task. The position of this event is the claim's token.
  std::string agent;
  TimeMs expires_at = 0;
  bool expiry_is_failure = false;  // of claims up to 0.3; not used any more
};
struct Renew {  // subject: the task
  std::int64_t token = 0;
  TimeMs expires_at = 0;
};
struct Release {  // subject: the task
  std::int64_t token = 0;
};

using Payload =
    std::variant<NodeUpsert, NodeDelete, Link, Unlink, StateChange, OutcomeSignal, Pivot,
                 Recalibration, PolicyChange, Undo, Forget, Claim, Renew, Release>;

// Whether the event changes the node that is its subject (and not only edges).
inline bool changes_subject(const Payload& payload) {
  return std::holds_alternative<NodeUpsert>(payload) ||
         std::holds_alternative<NodeDelete>(payload) ||
         std::holds_alternative<StateChange>(payload) ||
         std::holds_alternative<OutcomeSignal>(payload) || std::holds_alternative<Pivot>(payload);
}
inline bool is_claim(const Payload& payload) {
  return std::holds_alternative<Claim>(payload) || std::holds_alternative<Renew>(payload) ||
         std::holds_alternative<Release>(payload);
}

// Whether the event makes its subject where there is no such node yet.
inline bool makes_node(const Payload& payload) {
  return std::holds_alternative<NodeUpsert>(payload) || std::holds_alternative<Pivot>(payload);
}

// How far the JSON in an event has been checked.
enum class JsonText : std::uint8_t {
  unchecked,
  canonical,  // a reader wrote it
  names_only  // likewise; and it has no text but names of things, so no secret
};

struct Event {
  std::int64_t position = 0;  // 0: not in the ledger yet
  TimeMs at = 0;
  std::string subject;
  std::string key;  // empty: it always counts, and the ledger makes a key from the position
  Payload payload;

  // --- how it came; not stored -------------------------------------------------------------------
  bool dated = true;  // false: it came without a time, and `at` is when it arrived
  // An event whose key the ledger has already, but which says something else, is refused as a
  // conflict. true: it is a duplicate, because the key stands for what happened (an issue was made)
  // and details may differ by now (its title).
  bool may_differ = false;
  // It comes out of a ledger, with the values that were looked up and made on arrival there.
  bool resolved = false;
  JsonText json = JsonText::unchecked;
};

// The stored name: "success", "partial", "failure".
std::string_view outcome_name(OutcomeKind outcome);
std::optional<OutcomeKind> outcome_named(std::string_view name);

// The stored name of a kind ("node", "delete", "edge", "unlink", "state", "outcome", "pivot",
// "recalibrate", "policy", "undo", "gc", "claim", "renew", "release"); do not rename.
std::string_view kind_name(const Payload& payload);
bool is_event_kind(std::string_view name);
// The field of a history line that holds the subject of an event of this kind.
std::string_view subject_field(std::string_view kind);

// "<digit of kind>:<rest>". The digits put events of the same time in the order nodes, edges,
// unlinks, states, outcomes.
std::string event_key(const Payload& payload, std::string_view rest);
// For an event whose hash covers its time: "<digit of kind>:<at, 12 hex digits><hash>". Such keys
// sort by time, so new ones are added at the end of the index of keys, where hashes alone would be
// spread over all of it. Ledgers of hebb 0.1 have "<digit of kind>:<hash>"; the two count as the
// same key.
std::string timed_key(const Payload& payload, TimeMs at, std::string_view hash);
// The key that hebb 0.1 made for an event whose timed_key() is `key`; nullopt for other keys.
std::optional<std::string> key_of_0_1(std::string_view key);
// Begins the key of a recalibration, of which one per time counts. No other key begins so.
inline constexpr std::string_view kRecalibrateKey = "recalibrate/";
std::string recalibration_key(TimeMs at);
// Begins the key of an event that came without one, made from its position in the ledger; such
// events are the last of their instant, also in a ledger that they are exported to.
inline constexpr std::string_view kPositionKey = "7:";
inline constexpr std::string_view kExportedKey = "7:log/";

std::string encode_payload(const Payload& payload);  // JSON; a vector goes beside it, not into it
Payload decode_payload(std::string_view kind, std::string_view json, std::vector<float> vector);

// The checks that every event passes before it is appended, wherever it comes from: why it cannot
// be taken; nullopt: it can, and can be stored, decoded and folded. Looks at the event alone;
// resolve.h looks at the graph. Names that an event brings (a node's id, a type, a state) and
// related nodes must pass check_name(); other ids that it only mentions must be UTF-8. resolve()
// checks that their nodes exist, and the settings of a policy. O(size of e).
std::optional<Refusal> validate(const Event& e);

}  // namespace hebb
