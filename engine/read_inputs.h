// The inputs that an engine reads, or has read to their end without having reported it yet: each
// has a row in `progress`, and who reads it has its lock, so that others can tell a reading that
// goes on from one that was cut short.
//
// It is a lock of an open file (F_OFD_SETLK) on a byte of the database's file, far behind its end:
// it holds between processes, in whatever containers, and between engines of one process, and is
// gone when the process is. Of a ledger on a server, a lock is seen on one machine alone: a reader
// on another is there as long as its row changes once a minute.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/storage/storage.h"

namespace hebb {

// content: names the input; reader: which of those that read the same at a time.
class ReadInputs {
 public:
  explicit ReadInputs(Storage& storage)
      : storage_(storage), machine_(storage.upstream() ? storage.upstream()->id() : "") {}
  ~ReadInputs();
  ReadInputs(const ReadInputs&) = delete;
  ReadInputs& operator=(const ReadInputs&) = delete;

  // The name of a reader of this machine, from 1.
  std::string reader(int number) const {
    return machine_.empty() ? std::to_string(number) : fmt::format("{}/{}", machine_, number);
  }
  // Of a ledger on a server: makes the readings of other machines that are gone those of this one.
  void take_over(const std::string& content);
  // False: somebody reads it as that reader, perhaps this very engine, or on another machine.
  bool begin(const std::string& content, const std::string& reader);
  // Shows other machines that its reader goes on. Throws as require_row() does.
  void renew(const std::string& content, const ReadingProgress& row);
  // Throws sql::Error, busy(), if another machine has taken over. Call it in a write transaction.
  void require_row(const std::string& content, const std::string& reader) const;
  void end(const std::string& content, const std::string& reader);
  // Keeps its row and its lock until forget().
  void keep(const std::string& content, const std::string& reader) {
    kept_.emplace_back(content, reader);
  }
  bool keeps(const std::string& content) const {
    return std::any_of(kept_.begin(), kept_.end(),
                       [&](const auto& kept) { return kept.first == content; });
  }
  bool keeps_any() const { return !kept_.empty(); }

  // Removes the rows of those that are kept. Called once the mirror is on disk: if the process is
  // killed before this commit, the same input adds nothing when read again. So it is a commit of
  // its own, after one of several together, which may fail or stay unknown.
  void forget() {
    if (kept_.empty() || storage_.database().does_together()) return;
    lightly(storage_, [this](bool) {
      sql::Transaction transaction(storage_.database());
      for (const auto& [content, reader] : kept_)
        storage_.inbox().set_progress(content, {0, 0, reader});
      transaction.commit();
    });
    give_back();
  }
  // The locks of those that are kept, whose rows are not there or stay.
  void give_back() {
    for (const auto& [content, reader] : std::exchange(kept_, {})) end(content, reader);
  }

 private:
  bool is_of_this_machine(const std::string& reader) const {
    return machine_.empty() || reader.starts_with(machine_ + "/");
  }
  bool has_row(const std::string& content, const std::string& reader) const;
  bool lock(const std::string& input, short type);

  Storage& storage_;
  int fd_ = -1;  // open until the end: closing it would take away POSIX's locks of this process
  std::set<std::string> held_;
  const std::string machine_;  // the id of the copy; empty: the database is no copy
  std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace hebb
