#include "capture/trace_fold.h"

#include <algorithm>
#include <deque>
#include <memory_resource>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>

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

// `calls` in order of start.
void add_follows(const Calls& calls, std::vector<Observation>& out) {
  for (const ToolCall* call : calls) {
    const auto next = std::partition_point(calls.begin(), calls.end(), [&](const ToolCall* other) {
      return start_of(*other) < end_of(*call);
    });
    if (next != calls.end()) out.push_back({Relation::follows, call, *next});
  }
}

// A sweep over the starts that keeps the calls still running, by start and by end.
void add_overlaps(const Calls& calls, std::vector<Observation>& out) {
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
      out.push_back({Relation::co_occurs, calls[*other], call});
      if (calls[*other]->tool != call->tool) {
        out.push_back({Relation::co_occurs, call, calls[*other]});
      }
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

// One arena for all that lives as long as the fold: a call costs no allocation of its own.
struct TraceFold::Impl {
  void start(const TraceEvent& event);
  void end(const TraceEvent& event);
  std::string_view copy(std::string_view text);
  const std::string* intern(std::string_view tool);

  std::pmr::monotonic_buffer_resource arena;
  std::pmr::deque<ToolCall> calls{&arena};  // elements never move
  std::pmr::unordered_map<std::string_view, ToolCall*> by_trace{&arena};
  std::deque<std::string> tools;
  std::unordered_map<std::string_view, const std::string*> by_tool;
  std::uint64_t lines = 0;
  std::uint64_t succeeded = 0, failed = 0, unmatched = 0, repeated = 0, dropped = 0;
};

TraceFold::TraceFold() : impl_(std::make_unique<Impl>()) {}
TraceFold::~TraceFold() = default;
TraceFold::TraceFold(TraceFold&&) noexcept = default;
TraceFold& TraceFold::operator=(TraceFold&&) noexcept = default;

void TraceFold::add(const TraceEvent& event) {
  ++impl_->lines;
  event.kind == TraceEvent::Kind::start ? impl_->start(event) : impl_->end(event);
}

void TraceFold::Impl::start(const TraceEvent& event) {
  if (calls.size() == kMaxCalls) {
    ++(by_trace.contains(event.trace_id) ? repeated : dropped);
    return;
  }
  const std::string_view id = copy(event.trace_id);
  const auto [slot, is_new] = by_trace.try_emplace(id, nullptr);
  if (!is_new) {
    ++repeated;
    return;
  }
  ToolCall& call = calls.emplace_back();
  slot->second = &call;
  call.trace_id = id;
  call.parent_trace_id = copy(event.parent_trace_id);
  call.tool = intern(event.tool);
  call.start = event.ts;
  call.start_line = lines;
}

void TraceFold::Impl::end(const TraceEvent& event) {
  const auto found = by_trace.find(event.trace_id);
  if (found == by_trace.end() || found->second->ended) {
    ++unmatched;
    return;
  }
  ToolCall& call = *found->second;
  call.ended = true;
  call.succeeded = event.success;
  call.end = call.start + static_cast<TimeMs>(event.duration_ms);
  call.end_line = lines;
  ++(event.success ? succeeded : failed);
}

std::string_view TraceFold::Impl::copy(std::string_view text) {
  if (text.empty()) return {};
  auto* place = static_cast<char*>(arena.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), place);
  return {place, text.size()};
}

const std::string* TraceFold::Impl::intern(std::string_view tool) {
  const auto found = by_tool.find(tool);
  if (found != by_tool.end()) return found->second;
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
  std::sort(calls.begin(), calls.end(),
            [](const ToolCall* a, const ToolCall* b) { return start_of(*a) < start_of(*b); });
  return calls;
}

std::vector<Observation> TraceFold::observations() const {
  std::vector<Observation> out;
  std::unordered_map<std::string_view, Calls> siblings;
  for (const ToolCall* call : succeeded()) {
    siblings[call->parent_trace_id].push_back(call);
    if (call->parent_trace_id.empty()) continue;
    const auto parent = impl_->by_trace.find(call->parent_trace_id);
    if (parent != impl_->by_trace.end() && parent->second->succeeded) {
      out.push_back({Relation::contains, parent->second, call});
    }
  }
  for (const auto& [parent, calls] : siblings) {
    add_follows(calls, out);
    add_overlaps(calls, out);
  }
  const auto order = [](const Observation& o) {
    return std::tuple(o.relation, start_of(*o.from), start_of(*o.to));
  };
  std::sort(out.begin(), out.end(),
            [&](const Observation& a, const Observation& b) { return order(a) < order(b); });
  return out;
}

}  // namespace hebb::capture
