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

// The successes from one opening to the next.
class Span {
 public:
  explicit Span(std::set<std::int64_t>& repeated) : repeated_(repeated) {}

  void add(const Event& success) {
    if (!is_closing(success)) {
      if (closings_.empty()) {
        ++others_;  // the closing is still to come
      } else {
        repeated_.insert(closings_.back());
        closings_.pop_back();
      }
      done_ = true;
    } else if (!is_dated(success)) {
      undated_.push_back(success.position);
    } else if (others_ > 0) {
      repeated_.insert(success.position);
      --others_;
    } else {
      closings_.push_back(success.position);
      done_ = true;
    }
  }
  // An undated closing says no more than that the task is closed.
  void end() {
    for (std::size_t i = done_ ? 0 : 1; i < undated_.size(); ++i) repeated_.insert(undated_[i]);
    closings_.clear();
    undated_.clear();
    others_ = 0;
    done_ = false;
  }

 private:
  std::set<std::int64_t>& repeated_;
  std::vector<std::int64_t> closings_;  // dated, that repeat nothing so far
  std::vector<std::int64_t> undated_;
  std::size_t others_ = 0;  // other outcomes that no closing repeats so far
  bool done_ = false;       // by more than an undated closing
};

}  // namespace

std::string closing_keys(std::string_view task) {
  return event_key(OutcomeSignal{}, fmt::format("{}{}", task, kClosing));
}

std::string closing_id(std::string_view task, std::string_view when) {
  return fmt::format("{}{}{}", task, kClosing, when);
}

std::string undated_closing_id(std::string_view task, std::string_view when) {
  return fmt::format("{}{}{}{}", task, kClosing, kUndated, when);
}

bool is_closing(const Event& e) {
  return is_success(e) && e.key.starts_with(closing_keys(e.subject));
}

std::set<std::int64_t> repeated_closings(std::span<const Event> events) {
  std::set<std::int64_t> repeated;
  Span span(repeated);
  for (const Event& e : events) {
    if (opens(e)) span.end();
    if (is_success(e)) span.add(e);
  }
  span.end();
  return repeated;
}

}  // namespace hebb
