// A second implementation of the semantics, as simple as possible: maps and loops only.
//
// Written from docs/ranking.md and from nothing else; shares no code with reward/ or engine/, so
// that the two can be compared. Events are applied in the order of their times; everything is read
// afresh at a given instant. Slow on purpose.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hebb::naive {

using Ms = std::int64_t;  // epoch milliseconds, UTC

inline constexpr double kMinute = 60e3;
inline constexpr double kHour = 3600e3;
inline constexpr double kDay = 86400e3;
inline const std::string kFrontier = "frontier";

inline double elapsed(Ms from, Ms to) { return to > from ? static_cast<double>(to - from) : 0; }

// The constants by the names that policy settings have; switches are 0 or 1.
class Rules {
 public:
  static Rules learned();
  static Rules seed();
  double operator[](const std::string& key) const;  // a "type.NAME.FIELD" not there: "other.FIELD"
  void set(const std::string& key, double value);   // a type named first starts as "other"
  double of(const std::string& type, const std::string& field) const;
  std::optional<int> label_priority(const std::string& label) const;
  bool is_evidence(std::string context_type) const;  // "context.NAME.evidence", in whatever case
  bool is_no_work(std::string node_type) const;      // "node.NAME.work" is 0, in whatever case

 private:
  std::map<std::string, double> values_;
};

struct Node {
  std::string type, state;
  std::optional<Ms> created, updated, reopened, outcome, completed, deleted;
  std::vector<float> vector;
  // Its own outcomes, as of `tried`.
  double successes = 0, failures = 0;
  std::optional<Ms> tried;
  std::optional<Ms> duration;  // of the last success, before the first one of the last failure
  int failing = 0;             // failures since its last success, or since its state was set
  // What people say.
  std::optional<int> priority;
  std::optional<Ms> due, snoozed, estimate;
  bool pinned = false;
};

struct EdgeKey {
  std::string source, target, type;
  auto operator<=>(const EdgeKey&) const = default;
};

struct Edge {
  double w = 0;
  Ms t = 0;
  double gained = 0;  // on the UTC day of t
};

enum class Outcome { success, partial, failure };

struct Focus {
  std::vector<double> vector;
  std::optional<Ms> anchor, completed_at;  // of the task completed last
  std::vector<std::string> completed;      // those that order_proximity looks at
  std::set<std::string> contexts;          // of the task completed last
};

struct Factors {
  double priority, base, semantic, structural;
  double recency, age, time_proximity, order_proximity, context_overlap, reward, attention,
      success_rate, failure_penalty;
  double urgency, unblocks, duration, waiting;
  int tier;
  double test_failures;  // of a test: the more, the sooner among equal priorities
};

struct Model {
  Model();  // holds the frontier

  Rules rules = Rules::learned();
  std::map<std::string, Node> nodes;
  std::map<EdgeKey, Edge> edges;

  // --- events; what names an unknown node is left to the caller to refuse -----------------------
  void upsert(Ms at, const std::string& id, std::optional<std::string> type,
              std::optional<std::string> state, std::vector<float> vector = {});
  void remove(Ms at, const std::string& id);
  void forget(const std::string& id);  // as if nobody had ever spoken of it
  void change_state(Ms at, const std::string& id, const std::string& state);
  void link(Ms at, const EdgeKey& key, double x);        // what sleeps wakes to it
  void strengthen(Ms at, const EdgeKey& key, double x);  // creates or reinforces
  void unlink(const EdgeKey& key);
  void scale(Ms at, const EdgeKey& key, double m);  // nothing, if there is no such edge
  void pivot(Ms at, const std::string& target, double weight);
  // What is not given is looked up.
  void outcome(Ms at, const std::string& task, Outcome kind, double score,
               std::optional<std::set<std::string>> related = std::nullopt,
               std::optional<std::set<std::string>> contexts = std::nullopt,
               std::optional<Ms> took = std::nullopt);

  // --- reading -----------------------------------------------------------------------------------
  // When weights are looked at, unless that is after the time asked for; absent: then.
  std::optional<Ms> stamp;
  Ms stamp_of(Ms now) const { return std::min(stamp.value_or(now), now); }
  bool exists(const std::string& id) const;
  bool is_open(const std::string& id) const;
  bool is_test(const std::string& id) const;
  bool is_unfinished(const std::string& id) const;
  bool may_be_unfinished(const std::string& id) const;  // or it is unknown
  double effective(const EdgeKey& key, Ms now) const;
  bool dormant(const EdgeKey& key, Ms now) const;
  bool counts(const EdgeKey& key, Ms now) const;  // not dormant, and both ends exist
  std::set<std::string> contexts(const std::string& task, Ms now) const;
  std::set<std::string> evidence_contexts(const std::string& task, Ms now) const;
  bool was_given_context(const std::string& task, const std::string& context) const;
  std::vector<std::string> related(const std::string& task, Ms now) const;
  std::set<std::string> parts(const std::string& id) const;
  std::set<std::string> tree(const std::string& id) const;
  std::set<std::string> blockers(const std::string& id, Ms now) const;
  bool is_snoozed(const std::string& id, Ms now) const;
  bool holds_parts(const std::string& id, Ms now) const;
  bool is_candidate(const std::string& id, Ms now) const;
  std::vector<std::string> completed_last() const;  // all of them, latest first
  Focus focus(Ms now) const;
  std::optional<Ms> own_activity(const std::string& id, Ms now) const;  // not from others
  std::optional<Ms> last_activity(const std::string& id, Ms now) const;
  Factors factors(const Focus& focus, const std::string& id, Ms now) const;
  std::vector<std::string> ranking(const Focus& focus, Ms now) const;

 private:
  // What waits for it.
  struct Awaited {
    double how_many = 0, urgency = 0;
    int presses = 0;   // of any of them
    int priority = 4;  // the most urgent of theirs
  };
  // 0: not; 1: no time is left; 2: and it is P0
  std::optional<Ms> last_failure(const std::string& id) const;
  int presses(std::optional<int> priority, std::optional<double> slack, std::optional<Ms> activity,
              Ms now) const;
  double faded(const EdgeKey& key, Ms now, double half_life_ms) const;
  bool is_evidence(const std::string& context) const;
  double left_of_focus(const Focus& focus, Ms now) const;
  std::pair<double, double> outcomes_of(const std::set<std::string>& contexts, Ms now) const;
  double attention(double successes) const;
  double of_labels(double successes, double failures) const;
  std::optional<double> known_days(const Node& node) const;
  std::optional<double> days_of_labels(const std::set<std::string>& contexts) const;
  std::optional<double> usual_days() const;  // of all tasks of which it is known
  double days_it_takes(const std::string& id, Ms now) const;
  std::optional<double> filed_between(const std::string& a, const std::string& b) const;
  double order_proximity(const Focus& focus, const std::string& id, double failures, Ms now) const;
  double semantic(const Focus& focus, const Node& node) const;
  double rate(double prior, double successes, double failures) const;
  double general_rate(Ms now) const;
  Factors factors_of_test(const std::string& id, Ms now) const;
  std::optional<int> given_priority(const std::string& id) const;
  std::optional<double> slack(const std::string& id, Ms now) const;  // days
  double urgency(std::optional<int> priority, std::optional<double> slack) const;
  Awaited awaited(const std::string& id, Ms now) const;
  int tier(const std::string& id, const Awaited& awaited, Ms now) const;
  void fade(Node& node, Ms at) const;  // its own outcomes
};

}  // namespace hebb::naive
