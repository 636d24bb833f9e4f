// When the engine reads its graph cache (engine/mirror/graph_cache.h), and when it writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/current/options.h"
#include "engine/mirror/graph_cache.h"
#include "engine/storage/storage.h"

namespace hebb {

class GraphCacheKeeper {
 public:
  // Keeps references to both.
  GraphCacheKeeper(Storage& storage, const EngineOptions& options)
      : storage_(storage), options_(options) {}

  // Loads all but the policies into an empty state, if there is a usable cache, and returns its
  // position, which is not after `last`. nullopt, and the state must not be used: there is none.
  std::optional<std::int64_t> load(State& state, std::int64_t last);
  // A cache from before this position is of no use: what came after it needs a whole fold.
  void require_from(std::int64_t position) { useful_from_ = position; }
  // Writes the cache if since the last one more events have come than a part of nodes and edges
  // (when_old), if any came (when_behind), or always. A failure is no error: nothing needs it.
  // state: folded up to the position.
  enum class Due { when_old, when_behind, always };
  void write_if_due(State& state, std::int64_t position, Due due);
  // Checks the cache in full. What is wrong with it; empty: nothing, or there is none of this
  // version.
  std::string fault() const;

 private:
  std::string path() const;                             // empty: there is to be none
  std::variant<GraphCache, NoGraphCache> open() const;  // only if it is of this ledger
  bool is_due(const State& state, std::int64_t position, Due due) const;
  void write(State& state, std::int64_t position, Due due);

  Storage& storage_;
  const EngineOptions& options_;
  std::int64_t position_ = 0;  // of the cache as last seen; 0: there is none
  std::int64_t useful_from_ = 0;
  bool cannot_write_ = false;  // writing one has failed and is not tried again
};

}  // namespace hebb
