// What is kept of inputs beside the ledger: the items that were refused, and how far an input was
// read whose reading was cut short. Written in the same transactions as the ledger
// (engine/storage/storage.h), so that an item is an event or a dead letter, and never both or
// neither.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace hebb {

using graph::TimeMs;

struct DeadLetter {
  std::int64_t id = 0;
  TimeMs at = 0;
  std::string format, reason, detail, file;
  std::int64_t line = 0;
  std::string text;
  // Of an item that is too long to be kept: how long it was, and the content_hash() of all of it.
  // The hash is empty where the text is whole.
  std::int64_t bytes = 0;
  std::string hash;
};

// How far an input was read whose reading was cut short, or was not said to be done.
struct ReadingProgress {
  std::int64_t items = 0;  // events, in the order in which they are taken; 0: it was not read
  TimeMs now = 0;          // of the first reading; 0: not known
};

// Precondition of all that writes: inside a write transaction.
class Inbox {
 public:
  virtual ~Inbox() = default;
  virtual void add_dead_letter(const DeadLetter& letter) = 0;
  // A new time, reason and detail for the letter of letter.id; false if there is none.
  virtual bool set_dead_letter(const DeadLetter& letter) = 0;
  virtual bool drop_dead_letter(std::int64_t id) = 0;  // false if there is none
  // The id of the newest letter with the same text from the same place.
  virtual std::optional<std::int64_t> same_dead_letter(const DeadLetter& letter) const = 0;
  virtual std::vector<DeadLetter> dead_letters() const = 0;  // by id
  virtual std::int64_t count_dead_letters() const = 0;
  virtual ReadingProgress progress(std::string_view content) const = 0;
  virtual void set_progress(std::string_view content,
                            const ReadingProgress& progress) = 0;  // 0 items: forget
};

}  // namespace hebb
