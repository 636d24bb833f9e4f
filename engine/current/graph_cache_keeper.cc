#include "engine/current/graph_cache_keeper.h"

#include <algorithm>
#include <limits>

#include "sql/database.h"

namespace hebb {
namespace {

constexpr std::size_t kNoGraphCache = std::numeric_limits<std::size_t>::max();
// How many events are folded on top of a graph cache, at most: nodes and edges / kTailShare, and
// kTailLeast at least.
constexpr std::size_t kTailShare = 64, kTailLeast = 250;

}  // namespace

std::string GraphCacheKeeper::path() const {
  return options_.graph_cache_from == kNoGraphCache ? ""
                                                    : graph_cache_path(storage_.database().path());
}

std::variant<GraphCache, NoGraphCache> GraphCacheKeeper::open() const {
  const std::string at = path();
  if (at.empty()) return NoGraphCache{};
  auto opened = GraphCache::open(at);
  if (const auto* cache = std::get_if<GraphCache>(&opened)) {
    const auto checksum = storage_.ledger().checksum_at(cache->ledger().position);
    if (!checksum || *checksum != cache->ledger().checksum)
      return NoGraphCache{"it is of another ledger"};
  }
  return opened;
}

std::optional<std::int64_t> GraphCacheKeeper::load(State& state, std::int64_t last) {
  const auto opened = open();
  const auto* cache = std::get_if<GraphCache>(&opened);
  if (!cache || cache->ledger().position > last || cache->ledger().position < useful_from_ ||
      !cache->load(state))
    return std::nullopt;
  position_ = cache->ledger().position;
  return position_;
}

bool GraphCacheKeeper::is_due(const State& state, std::int64_t position, Due due) const {
  if (due == Due::always || position_ < useful_from_ || position_ == 0) return true;
  const auto tail = static_cast<std::size_t>(position - position_);
  if (due == Due::when_behind) return tail != 0;
  const auto& g = state.graph();
  return tail > std::max(kTailLeast, (g.num_nodes() + g.num_edges()) / kTailShare);
}

void GraphCacheKeeper::write(State& state, std::int64_t position, Due due) {
  // Another process may have written a graph cache since.
  const auto opened = open();
  const auto* there = std::get_if<GraphCache>(&opened);
  position_ = there && there->ledger().position <= position ? there->ledger().position : 0;
  if (!is_due(state, position, due)) return;
  const auto checksum = storage_.ledger().checksum_at(position);
  if (!checksum) return;
  if (state.drop_nodes_without_event(true)) {
    storage_.mirror().forget_keys();
    state.ranking(state.facts().ranked_at());  // it is part of the graph cache
  }
  cannot_write_ = !write_graph_cache(path(), state, {position, *checksum});
  if (cannot_write_) return;
  position_ = position;
}

void GraphCacheKeeper::write_if_due(State& state, std::int64_t position, Due due) {
  const bool writes = !options_.read_only && !cannot_write_ &&
                      static_cast<std::size_t>(position) >= options_.graph_cache_from &&
                      is_due(state, position, due);
  if (!writes || path().empty()) return;  // as after most events, without a look at the disk
  if (position == storage_.mirror().position()) write(state, position, due);
}

std::string GraphCacheKeeper::fault() const {
  const auto opened = open();
  if (const auto* none = std::get_if<NoGraphCache>(&opened)) return none->why;
  return std::get<GraphCache>(opened).is_whole() ? "" : "it is damaged";
}

}  // namespace hebb
