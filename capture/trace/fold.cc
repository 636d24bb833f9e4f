#include "capture/trace/fold.h"

#include <algorithm>
#include <deque>
#include <memory_resource>
#include <queue>
#include <set>
#include <unordered_map>

#include <xxhash.h>

#include "graph/id_index.h"

namespace hebb::capture {
namespace {

using Calls = std::vector<const ToolCall*>;

struct Instant {
  TimeMs ms;
  std::uint64_t line;
  auto operator<=>(const Instant&) const = default;
};
Instant start_of(const ToolCall& c) { return {c.start, c.start_line}; }
Instant end_of(const ToolCall& c) { return {c.end, c.end_line}; }

std::uint32_t id_hash(std::string_view trace_id) {
  return static_cast<std::uint32_t>(XXH3_64bits(trace_id.data(), trace_id.size()));
}

// Precondition: `calls` are in order of start.
void add_follows(const Calls& calls, std::vector<Observation>& out) {
  for (const ToolCall* call : calls) {
    const auto next = std::partition_point(calls.begin(), calls.end(), [&](const ToolCall* other) {
      return start_of(*other) < end_of(*call);
    });
    if (next != calls.end()) out.push_back({Relation::follows, call, *next});
  }
}

// Iterates the calls by start, with the set of calls that still run.
void add_overlaps(const Calls& calls, std::size_t bound, std::vector<Observation>& out,
                  std::uint64_t& left_out) {
  const auto add = [&](const ToolCall* from, const ToolCall* to) {
    if (out.size() < bound) {
      out.push_back({Relation::co_occurs, from, to});
    } else {
      ++left_out;
    }
  };
  using Running = std::pair<Instant, std::size_t>;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> by_end;
  std::set<std::size_t> running;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ToolCall* call = calls[i];
    while (!by_end.empty() && by_end.top().first < start_of(*call)) {
      running.erase(by_end.top().second);
      by_end.pop();
    }
    std::size_t pairs = 0;
    for (auto other = running.rbegin(); other != running.rend(); ++other) {
      if (++pairs > TraceFold::kMaxOverlaps) break;
      add(calls[*other], call);
      if (calls[*other]->tool != call->tool) add(call, calls[*other]);
    }
    running.insert(i);
    by_end.emplace(end_of(*call), i);
  }
}

}  // namespace

std::string_view edge_type(Relation relation) {
  switch (relation) {
    case Relation::follows:
      return "FOLLOWS";
    case Relation::co_occurs:
      return "CO_OCCURS";
    case Relation::contains:
      break;
  }
  return "CONTAINS";
}

// All data of the fold is in one arena, so that a call needs no allocation of its own.
struct TraceFold::Impl {
  explicit Impl(const Bounds& of_run) : bounds(of_run) {}
  bool has_room(const TraceEvent& event) const;
  void start(const TraceEvent& event, TimeMs arrived);
  void end(const TraceEvent& event, TimeMs arrived);
  TimeMs end_time(const ToolCall& call, const TraceEvent& event, TimeMs arrived);
  ToolCall* find(std::string_view trace_id);
  std::string_view copy(std::string_view text);
  const std::string* intern(std::string_view tool);

  const Bounds bounds;
  std::pmr::monotonic_buffer_resource arena;
  std::pmr::deque<ToolCall> calls{&arena};  // elements never move
  std::vector<std::uint32_t> hashes;        // of their trace ids
  graph::IdIndex by_trace;                  // indices of calls
  std::deque<std::string> tools;
  std::unordered_map<std::string_view, const std::string*> by_tool;
  std::size_t id_bytes = 0;
  std::uint64_t lines = 0;
  TimeMs latest_named = 0;  // the latest time in any line so far
  std::uint64_t succeeded = 0, failed = 0, unmatched = 0, repeated = 0, dropped = 0;
};

TraceFold::TraceFold() : TraceFold(Bounds{}) {}
TraceFold::TraceFold(const Bounds& bounds) : impl_(std::make_unique<Impl>(bounds)) {}
TraceFold::~TraceFold() = default;
TraceFold::TraceFold(TraceFold&&) noexcept = default;
TraceFold& TraceFold::operator=(TraceFold&&) noexcept = default;

void TraceFold::add(const TraceEvent& event, TimeMs arrived) {
  ++impl_->lines;
  event.kind == TraceEvent::Kind::start ? impl_->start(event, arrived) : impl_->end(event, arrived);
}

bool TraceFold::Impl::has_room(const TraceEvent& event) const {
  const std::size_t tool = by_tool.contains(event.tool) ? 0 : event.tool.size();
  return calls.size() < bounds.calls &&
         id_bytes + event.trace_id.size() + event.parent_trace_id.size() + tool <= bounds.id_bytes;
}

void TraceFold::Impl::start(const TraceEvent& event, TimeMs arrived) {
  // Uses no memory, because a program may repeat an id for ever.
  if (find(event.trace_id) != nullptr) {
    ++repeated;
    return;
  }
  if (!has_room(event)) {
    ++dropped;
    return;
  }
  ToolCall& call = calls.emplace_back();
  call.trace_id = copy(event.trace_id);
  hashes.push_back(id_hash(event.trace_id));
  by_trace.insert(static_cast<std::uint32_t>(calls.size() - 1),
                  [this](std::uint32_t id) { return hashes[id]; });
  call.parent_trace_id = copy(event.parent_trace_id);
  call.tool = intern(event.tool);
  call.has_ts = event.ts.has_value();
  call.start = event.ts.value_or(arrived);
  if (call.has_ts) latest_named = std::max(latest_named, call.start);
  call.start_line = lines;
}

void TraceFold::Impl::end(const TraceEvent& event, TimeMs arrived) {
  ToolCall* call = find(event.trace_id);
  if (call == nullptr || call->ended) {
    ++unmatched;
    return;
  }
  call->ended = true;
  call->succeeded = event.success;
  call->end = end_time(*call, event, arrived);
  call->end_line = lines;
  ++(event.success ? succeeded : failed);
}

TimeMs TraceFold::Impl::end_time(const ToolCall& call, const TraceEvent& event, TimeMs arrived) {
  if (!event.duration_ms) return std::max(call.start, call.has_ts ? latest_named : arrived);
  const TimeMs end = call.start + static_cast<TimeMs>(*event.duration_ms);
  if (call.has_ts) latest_named = std::max(latest_named, end);
  return end;
}

ToolCall* TraceFold::Impl::find(std::string_view trace_id) {
  const auto found = by_trace.find(
      id_hash(trace_id), [&](std::uint32_t call) { return calls[call].trace_id == trace_id; });
  return found ? &calls[*found] : nullptr;
}

std::string_view TraceFold::Impl::copy(std::string_view text) {
  if (text.empty()) return {};
  id_bytes += text.size();
  auto* place = static_cast<char*>(arena.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), place);
  return {place, text.size()};
}

const std::string* TraceFold::Impl::intern(std::string_view tool) {
  const auto found = by_tool.find(tool);
  if (found != by_tool.end()) return found->second;
  id_bytes += tool.size();
  const std::string& text = tools.emplace_back(tool);
  by_tool.emplace(text, &text);
  return &text;
}

TraceFold::Counts TraceFold::counts() const {
  Counts counts;
  counts.calls = impl_->calls.size();
  counts.succeeded = impl_->succeeded;
  counts.failed = impl_->failed;
  counts.unfinished = counts.calls - counts.succeeded - counts.failed;
  counts.unmatched = impl_->unmatched;
  counts.repeated = impl_->repeated;
  counts.dropped = impl_->dropped;
  return counts;
}

std::vector<const ToolCall*> TraceFold::succeeded() const {
  Calls calls;
  for (const ToolCall& call : impl_->calls) {
    if (call.succeeded) calls.push_back(&call);
  }
  const auto earlier = [](const ToolCall* a, const ToolCall* b) {
    return start_of(*a) < start_of(*b);
  };
  // Lines mostly come in this order already.
  if (!std::is_sorted(calls.begin(), calls.end(), earlier)) {
    std::sort(calls.begin(), calls.end(), earlier);
  }
  return calls;
}

std::vector<std::string_view> TraceFold::tools_called() const {
  std::unordered_map<const std::string*, std::uint64_t> first;
  for (const ToolCall& call : impl_->calls) {
    if (!call.succeeded) continue;
    const auto [known, is_new] = first.emplace(call.tool, call.end_line);
    if (!is_new) known->second = std::min(known->second, call.end_line);
  }
  std::vector<std::pair<std::uint64_t, std::string_view>> in_order;
  for (const auto& [tool, line] : first) in_order.emplace_back(line, *tool);
  std::sort(in_order.begin(), in_order.end());
  std::vector<std::string_view> tools;
  for (const auto& [line, tool] : in_order) tools.push_back(tool);
  return tools;
}

std::vector<Observation> TraceFold::observations(std::uint64_t* left_out) const {
  std::vector<Observation> out;
  std::uint64_t past_bound = 0;
  std::unordered_map<std::string_view, Calls> siblings;
  for (const ToolCall* call : succeeded()) {
    siblings[call->parent_trace_id].push_back(call);
    if (call->parent_trace_id.empty()) continue;
    const ToolCall* parent = impl_->find(call->parent_trace_id);
    if (parent != nullptr && parent->succeeded) {
      out.push_back({Relation::contains, parent, call});
    }
  }
  for (const auto& [parent, calls] : siblings) add_follows(calls, out);
  for (const auto& [parent, calls] : siblings) {
    add_overlaps(calls, impl_->bounds.observations, out, past_bound);
  }
  if (left_out != nullptr) *left_out = past_bound;
  return out;
}

}  // namespace hebb::capture
