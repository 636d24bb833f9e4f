#include "capture/record/queue.h"

#include <utility>

namespace hebb::capture {
namespace {

// The memory of a line: for short lines the object counts more than the bytes.
std::size_t line_bytes(const ObservedLine& line) {
  const std::size_t scanned = line.scanned ? sizeof(LineScanner) + line.scanned->kept_bytes() : 0;
  return sizeof(ObservedLine) + line.text.capacity() + scanned;
}

}  // namespace

void LineQueue::push(ObservedLine line) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = line_bytes(line);
    if (held_ + bytes > bound_) {
      ++lost_;
      ++lost_now_;
      return;
    }
    line.lost_before = std::exchange(lost_now_, 0);
    const bool urgent_before = is_urgent();
    wake = lines_.empty();
    held_ += bytes;
    lines_.push_back(std::move(line));
    wake = wake || is_urgent() != urgent_before;
  }
  if (wake) changed_.notify_one();
}

void LineQueue::count_lost() {
  const std::lock_guard lock(mutex_);
  ++lost_;
  ++lost_now_;
}

void LineQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
}

LineQueue::Batch LineQueue::take(std::chrono::milliseconds idle, std::chrono::milliseconds gather) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, idle, [&] { return closed_ || !lines_.empty(); });
  if (!lines_.empty()) changed_.wait_for(lock, gather, [&] { return is_urgent(); });
  Batch batch;
  batch.lines.swap(lines_);
  batch.closed = closed_;
  held_ = 0;
  return batch;
}

std::size_t LineQueue::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::size_t LineQueue::size() const {
  const std::lock_guard lock(mutex_);
  return lines_.size();
}

void LineTap::feed(std::string_view bytes, LineTime time) noexcept {
  if (failed_) return;
  try {
    split(bytes, time);
  } catch (...) {
    failed_ = true;
    queue_.count_lost();
  }
}

void LineTap::finish(LineTime time) noexcept {
  if (!text_.empty() || scanner_) feed("\n", time);
}

void LineTap::split(std::string_view bytes, LineTime time) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return add(bytes);
    add(bytes.substr(0, end));
    line(time);
    bytes.remove_prefix(end + 1);
  }
}

void LineTap::add(std::string_view bytes) {
  if (!scanner_ && text_.size() + bytes.size() > kWholeBytes) {
    scanner_ = std::make_unique<LineScanner>(kKeptBytes);
    scanner_->feed(text_);
    text_ = std::string();
  }
  if (scanner_) {
    scanner_->feed(bytes);
  } else {
    text_ += bytes;
  }
}

void LineTap::line(LineTime time) {
  ObservedLine observed{.direction = direction_, .time = time};
  if (scanner_) {
    const bool message = scanner_->finish();
    observed.scanned = std::move(scanner_);
    if (message) {
      queue_.push(std::move(observed));
    } else if (observed.scanned->gave_up()) {
      queue_.count_lost();
    }
    return;
  }
  observed.text = std::exchange(text_, {});
  const std::size_t first = observed.text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return;
  const bool may_be_message = observed.text[first] == '{' || observed.text[first] == '[';
  if (may_be_message) queue_.push(std::move(observed));
}

}  // namespace hebb::capture
