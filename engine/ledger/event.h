// What the ledger holds. An event is all the fold needs: what was resolved on arrival included.
//
// Order is (at, key). Keys are unique for ever, which is what makes an event count once; they are
// built so that at one instant causes sort before effects: see event_key().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/graph.h"

namespace hebb {

using graph::TimeMs;

// Text ids throughout: a ledger must be readable without the graph.
struct NodeUpsert {  // subject: the node. Absent fields keep what they were.
  std::optional<std::string> type, state, name, description, project, scope;
  std::optional<std::string> properties;  // canonical JSON object
  std::string embedder;       // who made the vector: "external", "hashing", "openai:MODEL"
  std::vector<float> vector;  // empty: none given
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
};
enum class OutcomeKind : std::uint8_t { success, partial, failure };
struct OutcomeSignal {  // subject: the task
  OutcomeKind outcome = OutcomeKind::partial;
  double score = 1.0;
  std::optional<std::vector<std::string>> related;  // as given; resolved on arrival
  std::vector<std::string> contexts;                // resolved on arrival
  std::string input;  // the object as it came, canonical JSON: unknown fields are kept
};
struct Pivot {  // subject: the target
  double weight = 1.0;
};
struct Guide {
  std::string node;
  double x = 0;
};
struct Recalibration {  // subject: "frontier"
  std::vector<Guide> guides;
};
struct PolicyChange {    // subject: "policy"
  bool replace = false;  // start from the defaults rather than from what holds
  std::vector<std::pair<std::string, std::string>> settings;  // reward::Setting, key and value
};
struct Undo {              // subject: "ledger"
  std::int64_t event = 0;  // its position
  // Why the event cannot be relied on. Not empty: a quarantine, which takes it out for all times.
  std::string damage = {};
};
struct EdgeName {
  std::string source, target, type;
  auto operator<=>(const EdgeName&) const = default;
};
struct Forget {  // subject: "ledger"; what gc removed
  std::vector<EdgeName> edges;
  std::vector<std::string> nodes;
};

using Payload = std::variant<NodeUpsert, NodeDelete, Link, Unlink, StateChange, OutcomeSignal,
                             Pivot, Recalibration, PolicyChange, Undo, Forget>;

struct Event {
  std::int64_t position = 0;  // 0: not in the ledger yet
  TimeMs at = 0;
  std::string subject;
  std::string key;  // empty: always counts; the ledger then gives it one by position
  Payload payload;

  // --- how it came; not stored -------------------------------------------------------------------
  bool dated = true;  // false: it came without a time, and `at` is when it arrived
  // What comes under a key that is taken is a conflict if it says something else. true: the key
  // stands for what the event is about (the making of an issue, whatever its title is by now), and
  // the first one under it stays.
  bool may_differ = false;
};

// The stored name of a kind ("node", "delete", "edge", "unlink", "state", "outcome", "pivot",
// "recalibrate", "policy", "undo", "gc"); do not rename.
std::string_view kind_name(const Payload& payload);

// "<digit of kind>:<rest>": nodes before edges before unlinks before states before outcomes, at one
// instant.
std::string event_key(const Payload& payload, std::string_view rest);
// Of an event whose time is part of what the hash is of: "<digit of kind>:<at, 12 hex
// digits><hash>". Keys in the order of time are appended to the index of keys, where hashes alone
// would be strewn over all of it. Ledgers of hebb 0.1 have "<digit of kind>:<hash>"; both are one
// key.
std::string timed_key(const Payload& payload, TimeMs at, std::string_view hash);
// The key that hebb 0.1 gave to an event that has such a one now; else nothing.
std::optional<std::string> key_of_0_1(std::string_view key);
// Of the one recalibration that counts at a time. What begins so is no key of any other event.
inline constexpr std::string_view kRecalibrateKey = "recalibrate/";
std::string recalibration_key(TimeMs at);

std::string encode_payload(const Payload& payload);  // JSON; a vector goes beside it, not into it
Payload decode_payload(std::string_view kind, std::string_view json, std::vector<float> vector);

}  // namespace hebb
