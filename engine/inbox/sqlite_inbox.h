// The inbox in the tables `dead_letter` and `progress`.
#pragma once

#include "engine/inbox/inbox.h"
#include "sql/database.h"

namespace hebb {

class SqliteInbox : public Inbox {
 public:
  explicit SqliteInbox(sql::Database& db) : db_(db) {}
  void add_dead_letter(const DeadLetter& letter) override;
  bool set_dead_letter(const DeadLetter& letter) override;
  bool drop_dead_letter(std::int64_t id) override;
  std::optional<std::int64_t> same_dead_letter(const DeadLetter& letter) const override;
  std::vector<DeadLetter> dead_letters_after(std::int64_t id, std::size_t bytes) const override;
  std::int64_t count_dead_letters() const override;
  std::vector<ReadingProgress> progress(std::string_view content) const override;
  void set_progress(std::string_view content, const ReadingProgress& progress) override;

 private:
  sql::Database& db_;
};

}  // namespace hebb
