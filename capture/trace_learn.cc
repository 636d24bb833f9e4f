#include "capture/trace_learn.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace hebb::capture {
namespace {

constexpr std::size_t kBatch = 4096;  // events a transaction: others get their turn in between

// Lengths first, so that no two pairs of texts give the same bytes.
void put(std::string& bytes, std::string_view text) {
  fmt::format_to(std::back_inserter(bytes), "{}:{}", text.size(), text);
}

void put(std::string& bytes, const ToolCall& call) {
  put(bytes, call.trace_id);
  put(bytes, *call.tool);
  fmt::format_to(std::back_inserter(bytes), "@{};", call.start);
}

// "trace:" and 128 bits over what makes the observation this one and no other.
std::string unique_part(std::string_view what, const ToolCall& a, const ToolCall* b) {
  std::string bytes;
  put(bytes, what);
  put(bytes, a);
  if (b != nullptr) put(bytes, *b);
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("trace:{:016x}{:016x}", hash.high64, hash.low64);
}

bool is_tool(const State& state, graph::NodeId n) {
  const auto& graph = state.graph();
  return graph.nodes().deleted_at[n] == graph::kNever &&
         graph.node_types().name(graph.nodes().type[n]) == kToolType;
}

class Events {
 public:
  Events(const State& state, const TimeBounds& bounds) : state_(state), bounds_(bounds) {}

  // Whether the call's tool may be linked; a new one gets its node.
  bool admit(const ToolCall& call) {
    const auto [known, is_new] = admitted_.emplace(call.tool, true);
    if (!is_new) return known->second;
    if (*call.tool == kFrontier) {
      known->second = false;
    } else if (const auto node = state_.find(*call.tool)) {
      known->second = is_tool(state_, *node);
    } else {
      NodeUpsert upsert;
      upsert.type = kToolType;
      add(call.start, *call.tool, std::move(upsert), unique_part("node", call, nullptr));
    }
    return known->second;
  }

  void link(const Observation& o) {
    Link link;
    link.target = *o.to->tool;
    link.type = edge_type(o.relation);
    // Known to be true once both have succeeded.
    add(std::max(o.from->end, o.to->end), *o.from->tool, std::move(link),
        unique_part(edge_type(o.relation), *o.from, o.to));
  }

  std::vector<Event> take() {
    std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      const bool a_links = std::holds_alternative<Link>(a.payload);
      const bool b_links = std::holds_alternative<Link>(b.payload);
      return std::tie(a_links, a.at, a.key) < std::tie(b_links, b.at, b.key);
    });
    return std::move(events_);
  }

 private:
  void add(TimeMs at, const std::string& subject, Payload payload, const std::string& unique) {
    Event& e = events_.emplace_back();
    e.at = std::clamp(at, bounds_.earliest, std::max(bounds_.earliest, bounds_.latest));
    e.subject = subject;
    e.key = event_key(payload, unique);
    e.payload = std::move(payload);
  }

  const State& state_;
  const TimeBounds bounds_;
  std::unordered_map<const std::string*, bool> admitted_;  // the fold interns tools
  std::vector<Event> events_;
};

}  // namespace

std::vector<Event> trace_events(const TraceFold& fold, const State& state, const TimeBounds& bounds,
                                std::uint64_t& skipped) {
  Events events(state, bounds);
  for (const ToolCall* call : fold.succeeded()) events.admit(*call);
  for (const Observation& o : fold.observations()) {
    if (events.admit(*o.from) && events.admit(*o.to)) {
      events.link(o);
    } else {
      ++skipped;
    }
  }
  return events.take();
}

Learned learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds) {
  Learned learned;
  auto events = trace_events(fold, engine.state(), bounds, learned.skipped);
  for (std::size_t from = 0; from < events.size(); from += kBatch) {
    const std::size_t until = std::min(from + kBatch, events.size());
    std::vector<Event> batch(
        std::make_move_iterator(events.begin() + static_cast<std::ptrdiff_t>(from)),
        std::make_move_iterator(events.begin() + static_cast<std::ptrdiff_t>(until)));
    std::vector<bool> is_node;
    for (const Event& e : batch) is_node.push_back(std::holds_alternative<NodeUpsert>(e.payload));
    const auto applied = engine.append(std::move(batch));
    for (std::size_t i = 0; i < applied.size(); ++i) {
      if (applied[i] == Applied::duplicate) {
        ++learned.duplicates;
      } else {
        ++(is_node[i] ? learned.nodes : learned.links);
      }
    }
  }
  return learned;
}

}  // namespace hebb::capture
