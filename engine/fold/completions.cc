#include "engine/fold/completions.h"

#include <vector>

#include <fmt/format.h>

#include "engine/fold/states.h"
#include "reward/evidence.h"

namespace hebb {

namespace {

constexpr std::string_view kClosing = "/closed/";
constexpr std::string_view kUndated = "undated/";

bool is_success(const Event& e) {
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  return outcome && outcome->outcome == OutcomeKind::success;
}

bool is_dated(const Event& closing) {
  const std::string beginning = closing_keys(closing.subject);
  return !std::string_view(closing.key).substr(beginning.size()).starts_with(kUndated);
}

bool opens(const Event& e) {
  if (const auto* change = std::get_if<StateChange>(&e.payload))
    return change->opens && !reward::is_over(change->state);
  const auto* node = std::get_if<NodeUpsert>(&e.payload);
  return node && node->opens && node->state && !reward::is_over(*node->state);
}

}  // namespace

std::string closing_keys(std::string_view task) {
  return event_key(OutcomeSignal{}, fmt::format("{}{}", task, kClosing));
}

std::string closing_id(std::string_view task, std::string_view when, bool is_dated) {
  return fmt::format("{}{}{}{}", task, kClosing, is_dated ? "" : kUndated, when);
}

bool is_closing(const Event& e) {
  return is_success(e) && e.key.starts_with(closing_keys(e.subject));
}

std::set<std::int64_t> repeated_closings(std::span<const Event> events) {
  std::set<std::int64_t> repeated;
  struct {                               // the successes from one opening to the next
    std::vector<std::int64_t> closings;  // dated, that repeat nothing so far
    std::vector<std::int64_t> undated;
    std::size_t others = 0;  // other outcomes that no closing repeats so far
    bool done = false;       // by more than an undated closing
  } span;
  const auto add = [&](const Event& success) {
    if (!is_closing(success)) {
      if (span.closings.empty()) {
        ++span.others;  // the closing is still to come
      } else {
        repeated.insert(span.closings.back());
        span.closings.pop_back();
      }
      span.done = true;
    } else if (!is_dated(success)) {
      span.undated.push_back(success.position);
    } else if (span.others > 0) {
      repeated.insert(success.position);
      --span.others;
    } else {
      span.closings.push_back(success.position);
      span.done = true;
    }
  };
  const auto end = [&] {  // an undated closing says no more than that the task is closed
    if (!span.done && !span.undated.empty()) span.undated.erase(span.undated.begin());
    repeated.insert(span.undated.begin(), span.undated.end());
    span = {};
  };
  for (const Event& e : events) {
    if (opens(e)) end();
    if (is_success(e)) add(e);
  }
  end();
  return repeated;
}

}  // namespace hebb
