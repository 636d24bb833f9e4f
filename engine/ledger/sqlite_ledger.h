// The ledger in the table `event`.
#pragma once

#include "engine/ledger/ledger.h"
#include "sql/database.h"

namespace hebb {

class SqliteLedger : public Ledger {
 public:
  explicit SqliteLedger(sql::Database& db) : db_(db) {}
  void on_unreadable(UnreadableSink sink) override { unreadable_ = std::move(sink); }
  bool append(Event& e) override;
  std::int64_t last_position() const override;
  std::optional<std::int64_t> position_of(std::string_view key) const override;
  bool has_keys_in(std::string_view beginning) const override;
  std::optional<Event> event(std::int64_t position) const override;
  void events_after(std::int64_t position, const EventSink& sink) const override;
  void events_until(TimeMs at, const EventSink& sink) const override;
  void events_of_subject(std::string_view subject, const EventSink& sink) const override;
  void events_of_kind(std::string_view kind, const EventSink& sink) const override;
  std::optional<Event> latest_of_kind(
      std::string_view kind, TimeMs until,
      const std::function<bool(std::int64_t position)>& wanted) const override;
  std::int64_t count_outcomes() const override;
  std::optional<std::int64_t> checksum_at(std::int64_t position) const override;
  std::vector<LedgerFault> check(std::int64_t first, std::int64_t last,
                                 const EventSink& sink) const override;
  void mend_checksum(const LedgerFault& fault) override;

 private:
  void each_event(sql::Statement& rows, const EventSink& sink) const;

  sql::Database& db_;
  UnreadableSink unreadable_;
};

}  // namespace hebb
