// The mirror: the fold of the ledger up to a position, as rows that can be read without folding. It
// is never the truth, and can be made anew at any time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/fold/state.h"

namespace hebb {

inline constexpr std::size_t kProblemsKept = 100;  // of those that a verification finds

// Called now and then by work that may take long; done == total at its end.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// A row of the golden path, as `rank --json` and the view golden_path give it.
struct PathRow {
  std::int64_t rank = 0;
  std::string id, name;
  double relative = 0;  // priority divided by the largest of the rows
  reward::Factors factors;
  bool pinned = false;  // above what is not, whatever its priority
  // Up to three reasons for its place, the strongest first (engine/reasons.h). Filled by the mirror
  // and by rank_with_reasons() only.
  std::vector<std::string> reasons = {};
};

// What the stored priorities are as of.
struct PriorityTime {
  TimeMs at = graph::kNever;
  bool recalibrated = false;  // `at` is the last recalibration's; else the latest event's
};

// Which nodes are asked for: of this type, in this state, with a context edge to each of these
// labels and to none of those, of this project, assigned to this one, and not of those types. What
// is empty asks for nothing. Labels and assignees are given by id or name; capital letters make no
// difference.
struct WhichNodes {
  std::string type, state;
  std::vector<std::string> labels, not_labels;
  std::string project, assignee;
  std::vector<std::string> not_types = {};
};

// Which rows of the stored golden path are wanted.
struct PathFilter {
  std::size_t top = 0;
  WhichNodes which;  // but for `state`: these are the OPEN ones
  std::set<std::string, std::less<>> without =
      {};                                      // tasks that are left out, before any is counted
  std::function<void(std::size_t)> took = {};  // see RankQuery
};

class Mirror {
 public:
  virtual ~Mirror() = default;

  virtual std::int64_t position() const = 0;  // of the last event that was folded in; 0: none
  // Fills a fresh state as of position(), without policies. Throws sql::Error with corrupt() for
  // damaged rows. O(nodes + edges).
  virtual void load(State& state, const Progress& progress) = 0;
  // Called instead of load() if the state as of position() came from elsewhere: row keys are then
  // looked up when they are needed.
  virtual void begin_without_load() = 0;
  // Writes what changed, and the priorities at state.stamp(); touched rows only, in key order.
  // Preconditions: inside a write transaction, state folded up to `position`.
  virtual void write(State& state, std::int64_t position) = 0;
  // The same for all rows that differ, and for what is made from them (the index of words).
  virtual void rewrite(State& state, std::int64_t position) = 0;

  virtual NodeContent content(std::string_view id) const = 0;
  // Of nodes with that id or name, in whatever case its letters are.
  virtual std::vector<std::string> ids_by_name(std::string_view name) const = 0;
  virtual PriorityTime priority_time() const = 0;
  // The mirror keeps only the first rows, as many as `mirrored` in the policy. nullopt if these are
  // not enough: rank from the graph then.
  virtual std::optional<std::vector<PathRow>> golden_path(const PathFilter& filter) const = 0;
  // The seal of the image beside the database (engine/mirror/image.h); empty: none was set.
  virtual std::string image_seal() const = 0;
  virtual void set_image_seal(std::string_view seal) = 0;  // precondition: in a write transaction
  // As of the stamp: see engine/fold/blocking.h.
  virtual std::vector<std::string> blocking_cycle() const = 0;

  virtual std::vector<ClaimRow> claims() const = 0;
  // Writes the claims that have changed and sets position(). Preconditions: inside a write
  // transaction; no event up to `position` changes anything else that is not mirrored yet.
  virtual void write_claims(Claims& claims, std::int64_t position) = 0;

  // Adds a line for each row that differs from those of a state folded up to position(), up to
  // kProblemsKept.
  virtual void compare(State& state, std::vector<std::string>& problems) = 0;
};

}  // namespace hebb
