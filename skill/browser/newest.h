// The newest entries of a log without end. Each keeps its number.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace hebb::skill {

template <class Entry>
class Newest {
 public:
  static constexpr std::size_t kKept = 500;

  void add(Entry entry) {
    if (kept_.size() == kKept) kept_.pop_front();
    kept_.push_back(std::move(entry));
    ++count_;
  }
  std::size_t count() const { return count_; }  // of all entries so far, dropped ones included
  // The entry with this number, from 0; nullptr: it was dropped, or does not exist yet.
  const Entry* find(std::size_t number) const {
    const std::size_t first = count_ - kept_.size();
    return number < first || number >= count_ ? nullptr : &kept_[number - first];
  }
  const std::deque<Entry>& kept() const { return kept_; }  // the oldest first
  std::deque<Entry>& kept() { return kept_; }

 private:
  std::deque<Entry> kept_;
  std::size_t count_ = 0;
};

}  // namespace hebb::skill
