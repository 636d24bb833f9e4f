#include "capture/trace/learn.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

namespace hebb::capture {
namespace {

constexpr std::size_t kEventBatch =
    4096;  // events per transaction, to let other writers in between

// The length comes first, so that different texts never give the same bytes.
void put(std::string& bytes, std::string_view text) {
  fmt::format_to(std::back_inserter(bytes), "{}:{}", text.size(), text);
}

void put(std::string& bytes, const ToolCall& call) {
  put(bytes, call.trace_id);
  put(bytes, *call.tool);
  // Without the arrival time: if the same output is filtered again, it is the same observation.
  fmt::format_to(std::back_inserter(bytes), "@{};", call.has_ts ? call.start : -1);
}

// A hash that identifies the observation.
XXH128_hash_t observation_hash(std::string_view what, const ToolCall& a, const ToolCall* b) {
  std::string bytes;
  put(bytes, what);
  put(bytes, a);
  if (b != nullptr) put(bytes, *b);
  return XXH3_128bits(bytes.data(), bytes.size());
}

std::string unique_observation(const XXH128_hash_t& hash) {
  return fmt::format("trace:{:016x}{:016x}", hash.high64, hash.low64);
}

// An observation that is to be written, or the first use of a tool; small enough to sort all of a
// trace.
struct PendingObservation {
  TimeMs at = 0;
  bool is_link = false;
  XXH128_hash_t hash{};
  Observation seen;  // for a node only `from` is set
  // The fold's order, so that no event is late.
  bool operator<(const PendingObservation& other) const {
    return std::tie(at, is_link, hash.high64, hash.low64) <
           std::tie(other.at, other.is_link, other.hash.high64, other.hash.low64);
  }
};

class PendingObservations {
 public:
  PendingObservations(Engine& engine, const TimeBounds& bounds)
      : engine_(engine), tools_(engine), bounds_(bounds) {}

  void add_links(const TraceFold& fold) {
    for (const Observation& o : fold.observations(&skipped_)) {
      if (!admits(*o.from) || !admits(*o.to)) {
        ++skipped_;
        continue;
      }
      // Dated by the later end, when both were known to have succeeded.
      pending_.push_back({std::max(ended(*o.from), ended(*o.to)), true,
                          observation_hash(edge_type(o.relation), *o.from, o.to), o});
    }
  }

  // The first use of each tool that has no node, ignoring uses before a gc that removed the tool.
  void add_nodes(const TraceFold& fold) {
    const State& state = engine_.state();
    std::unordered_map<const std::string*, const ToolCall*> first;
    const auto counts = [&](const ToolCall& call) {
      return !tools_.forgotten_since(*call.tool, ended(call));
    };
    for (const ToolCall* call : fold.succeeded()) {
      if (!admits(*call) || state.exists(*call->tool)) continue;
      const auto [found, is_new] = first.emplace(call->tool, call);
      const ToolCall& before = *found->second;
      const bool better =
          counts(*call) != counts(before) ? counts(*call) : ended(*call) < ended(before);
      if (!is_new && better) found->second = call;
    }
    for (const auto& [tool, call] : first) {
      pending_.push_back(
          {ended(*call), false, node_hash(*call), {Relation::follows, call, nullptr}});
    }
  }

  ObservationReport write() {
    std::sort(pending_.begin(), pending_.end());
    for (std::size_t from = 0; from < pending_.size(); from += kEventBatch) {
      const std::size_t until = std::min(from + kEventBatch, pending_.size());
      const State& state = engine_.state();
      std::vector<ToolObservation> batch;
      for (std::size_t i = from; i < until; ++i) batch.push_back(events_of(state, pending_[i]));
      tools_.take(std::move(batch));
    }
    ObservationReport report = tools_.report();
    report.skipped += skipped_;
    return report;
  }

 private:
  TimeMs ended(const ToolCall& call) const {
    return std::clamp(call.end, bounds_.earliest, std::max(bounds_.earliest, bounds_.latest));
  }

  bool admits(const ToolCall& call) {
    const auto [known, is_new] = admitted_.emplace(call.tool, false);
    if (is_new) known->second = tools_.may_be_tool(*call.tool);
    return known->second;
  }

  static XXH128_hash_t node_hash(const ToolCall& call) {
    return observation_hash("node", call, nullptr);
  }
  Event node(const ToolCall& call) const {
    return tool_node(*call.tool, ended(call), unique_observation(node_hash(call)));
  }

  ToolObservation events_of(const State& state, const PendingObservation& pending) const {
    ToolObservation out;
    const Observation& o = pending.seen;
    for (const ToolCall* call : {o.from, o.to}) {
      if (call != nullptr && !state.exists(*call->tool)) out.nodes.push_back(node(*call));
    }
    if (!pending.is_link) return out;
    Link link{.target = *o.to->tool, .type = std::string(edge_type(o.relation)), .properties = {}};
    std::string key = event_key(link, unique_observation(pending.hash));
    out.link = Event{0, pending.at, *o.from->tool, std::move(key), std::move(link)};
    out.link->may_differ = true;  // a future time is set to the time of learning, which may differ
    return out;
  }

  Engine& engine_;
  ToolObservations tools_;
  const TimeBounds bounds_;
  std::unordered_map<const std::string*, bool> admitted_;  // by tool; one text per tool
  std::vector<PendingObservation> pending_;
  std::uint64_t skipped_ = 0;
};

}  // namespace

ObservationReport learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds) {
  PendingObservations pending(engine, bounds);
  pending.add_links(fold);
  pending.add_nodes(fold);
  return pending.write();
}

}  // namespace hebb::capture
