// The items of one input, sorted: first the refused ones in the order of the input, then the events
// by (at, key). Events without a key come last among those of the same time, in the order of the
// input.
//
// Items are held in memory up to a limit; beyond it, their texts are written to a temporary
// database, which SQLite puts where its temporary files go and which vanishes with the process, and
// are parsed again when next() reaches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/input/input.h"
#include "sql/database.h"

namespace hebb {

class SortedItems {
 public:
  SortedItems(const Format& format, ReadOptions options, std::size_t memory_bytes);

  void add(Item item);
  // Call it after the last add(). now: the time of items that have none.
  void sort(TimeMs now);

  // The next one; false: there is no more. O(1), or a read from disk.
  bool next(Item& item);
  // Back to the first item; from then on call next_text(), not next().
  void rewind();
  bool next_text(Item& item);

  std::int64_t items() const { return items_; }
  bool has_keyless() const { return has_keyless_; }  // events that count each time
  bool brings_vectors() const { return brings_vectors_; }
  bool on_disk() const { return disk_.has_value(); }

 private:
  void spill();
  void put(const Item& item);
  bool next_row(Item& item);
  Parsed parsed_row(const Item& item) const;
  Parsed read_again(const Item& item, std::string_view key) const;

  const Format& format_;
  const ReadOptions options_;
  const std::size_t memory_bytes_;
  TimeMs now_ = 0;
  std::int64_t items_ = 0;
  bool has_keyless_ = false, brings_vectors_ = false;
  std::size_t held_bytes_ = 0;
  std::vector<Item> held_;
  std::vector<std::size_t> order_;  // of held_
  std::size_t next_ = 0;            // in order_
  std::optional<sql::Database> disk_;
  sql::Statement* rows_ = nullptr;
};

}  // namespace hebb
