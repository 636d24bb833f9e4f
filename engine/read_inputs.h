// The inputs that an engine reads, or has read to their end without having reported it yet: each
// has a row in `progress`, and who reads it has its lock.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/inbox/input_locks.h"
#include "engine/storage/storage.h"

namespace hebb {

// content: names the input; reader: which of those that read the same at a time.
class ReadInputs {
 public:
  ReadInputs(Storage& storage, const std::string& database) : storage_(storage), locks_(database) {}

  // False: somebody reads it as that reader, perhaps this very engine.
  bool begin(const std::string& content, const std::string& reader) {
    return locks_.take(content + reader);
  }
  void end(const std::string& content, const std::string& reader) {
    locks_.give_back(content + reader);
  }
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
  // killed before this commit, the same input adds nothing when read again.
  void forget() {
    if (kept_.empty()) return;
    const auto transaction = storage_.begin(Storage::Access::write_lazily);
    for (const auto& [content, reader] : kept_)
      storage_.inbox().set_progress(content, {0, 0, reader});
    transaction->commit();
    for (const auto& [content, reader] : std::exchange(kept_, {})) end(content, reader);
  }

 private:
  Storage& storage_;
  InputLocks locks_;
  std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace hebb
