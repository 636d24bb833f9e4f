#include "capture/trace_fold.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <tuple>

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

void TraceFold::add(const TraceEvent& event) {
  ++lines_;
  event.kind == TraceEvent::Kind::start ? start(event) : end(event);
}

void TraceFold::start(const TraceEvent& event) {
  if (by_trace_.contains(event.trace_id)) {
    ++repeated_;
    return;
  }
  if (calls_.size() == kMaxCalls) {
    ++dropped_;
    return;
  }
  ToolCall& call = calls_.emplace_back();
  call.trace_id = event.trace_id;
  call.parent_trace_id = event.parent_trace_id;
  call.tool = intern(event.tool);
  call.start = event.ts;
  call.start_line = lines_;
  by_trace_.emplace(call.trace_id, &call);
}

void TraceFold::end(const TraceEvent& event) {
  const auto found = by_trace_.find(event.trace_id);
  if (found == by_trace_.end() || found->second->ended) {
    ++unmatched_;
    return;
  }
  ToolCall& call = *found->second;
  call.ended = true;
  call.succeeded = event.success;
  call.end = call.start + static_cast<TimeMs>(event.duration_ms);
  call.end_line = lines_;
  ++(event.success ? succeeded_ : failed_);
}

const std::string* TraceFold::intern(std::string_view tool) {
  const auto found = by_tool_.find(tool);
  if (found != by_tool_.end()) return found->second;
  const std::string& text = tools_.emplace_back(tool);
  by_tool_.emplace(text, &text);
  return &text;
}

TraceFold::Counts TraceFold::counts() const {
  Counts counts;
  counts.calls = calls_.size();
  counts.succeeded = succeeded_;
  counts.failed = failed_;
  counts.unfinished = calls_.size() - succeeded_ - failed_;
  counts.unmatched = unmatched_;
  counts.repeated = repeated_;
  counts.dropped = dropped_;
  return counts;
}

std::vector<const ToolCall*> TraceFold::succeeded() const {
  Calls calls;
  for (const ToolCall& call : calls_) {
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
    const auto parent = by_trace_.find(call->parent_trace_id);
    if (parent != by_trace_.end() && parent->second->succeeded) {
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
