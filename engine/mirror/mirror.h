// The mirror: the fold of the ledger up to a position, as rows for whoever wants to read it without
// folding. It is never the truth, and can be made anew at any time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fold/state.h"

namespace hebb {

// Told now and then by work that may take long; done == total at its end.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// A row of the golden path, as `rank --json` and the view golden_path give it.
struct PathRow {
  std::int64_t rank = 0;
  std::string id, name;
  double relative = 0;  // to the first
  reward::Factors factors;
  // What moves it most, the strongest first, at most three (engine/reasons.h). Given by the mirror
  // and by rank_with_reasons(), and by nobody else.
  std::vector<std::string> reasons = {};
};

// What the stored priorities are as of.
struct PriorityTime {
  TimeMs at = graph::kNever;
  bool recalibrated = false;  // at the last recalibration; else the latest event
};

// What is asked of the stored golden path.
struct PathFilter {
  std::size_t top = 0;
  std::string type, label;  // as in RankQuery
};

class Mirror {
 public:
  virtual ~Mirror() = default;

  virtual std::int64_t position() const = 0;  // of the last event taken in; 0: none
  // A fresh state as of position(), policies left out. Throws sql::Error, corrupt(), for rows that
  // no program wrote. O(nodes + edges).
  virtual void load(State& state, const Progress& progress) = 0;
  // A state was loaded from elsewhere, as of position(): what it needs of the rows is looked up as
  // it is needed.
  virtual void begin_without_load() = 0;
  // Writes what changed, and the priorities at state.stamp(); touched rows only, in key order.
  // Preconditions: inside a write transaction, state folded up to `position`.
  virtual void write(State& state, std::int64_t position) = 0;
  // The same for all of it, what is made from it (the index of words) included.
  virtual void rewrite(State& state, std::int64_t position) = 0;

  virtual NodeContent content(std::string_view id) const = 0;
  virtual std::vector<std::string> ids_by_name(std::string_view name) const = 0;
  virtual PriorityTime priority_time() const = 0;
  // The mirror keeps the first `mirrored` (policy) rows. Nothing, where these do not tell the
  // answer: that is to be ranked from the graph.
  virtual std::optional<std::vector<PathRow>> golden_path(const PathFilter& filter) const = 0;
  // By which an image beside the mirror is known (engine/mirror/image.h); empty: none was set.
  virtual std::string image_seal() const = 0;
  virtual void set_image_seal(std::string_view seal) = 0;  // precondition: in a write transaction
  // As of the stamp: see engine/fold/blocking.h.
  virtual std::vector<std::string> blocking_cycle() const = 0;

  // Adds a line for each row that differs from those of a state folded up to position(), up to a
  // hundred.
  virtual void compare(State& state, std::vector<std::string>& problems) = 0;
};

}  // namespace hebb
