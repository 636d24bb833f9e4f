// Dead letters: items of inputs that were refused. Written in the same transactions as the ledger
// (engine/storage/storage.h), so that each item becomes either an event or a dead letter.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "sql/database.h"

namespace hebb {

using graph::TimeMs;

// Format and file of a letter for an outcome whose `--on-outcome` command
// (EngineOptions::outcome_taken) has not succeeded yet: its line is the outcome's position, its
// text the command's input. Written together with the outcome, so that `dead-letters retry` can run
// the command after a crash. Stored; do not rename.
inline constexpr std::string_view kHookPending = "on-outcome";

struct DeadLetter {
  std::int64_t id = 0;
  TimeMs at = 0;
  std::string format, reason, detail, file;
  std::int64_t line = 0;
  std::string text;
  // For an item that is too long to be kept whole: its length, and the content_hash() of all of it.
  // The hash is empty if `text` is the whole item.
  std::int64_t bytes = 0;
  std::string hash;
};

// In the table `dead_letter`. Precondition of all that writes: inside a write transaction.
class Inbox {
 public:
  explicit Inbox(sql::Database& db) : db_(db) {}
  void add_dead_letter(const DeadLetter& letter);
  // Sets time, reason and detail of the letter with letter.id; false if there is none.
  bool set_dead_letter(const DeadLetter& letter);
  bool drop_dead_letter(std::int64_t id);  // false if there is none
  // The newest letter with the same text, format, file and line: sets the letter's id and reason.
  // False if there is none.
  bool find_same(DeadLetter& letter) const;
  // Letters after an id, by id, until their texts have more than so many bytes.
  std::vector<DeadLetter> dead_letters_after(std::int64_t id, std::size_t bytes) const;
  std::vector<DeadLetter> dead_letters() const {  // all
    return dead_letters_after(0, std::numeric_limits<std::size_t>::max());
  }
  std::int64_t count_dead_letters() const;

 private:
  sql::Database& db_;
};

}  // namespace hebb
