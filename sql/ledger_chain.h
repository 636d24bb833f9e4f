// Each row of the ledger carries a checksum of itself and of the row before, so that a row that was
// damaged, changed, removed or moved is told from one that was appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sql/database.h"

namespace hebb::sql {

// XXH3 (64 bits) over the checksum of the row before (0 before the first) and the columns, each
// with its type and its length. Stored; do not change.
class RowChecksum {
 public:
  explicit RowChecksum(std::int64_t before);
  RowChecksum& integer(std::int64_t value);
  RowChecksum& text(std::string_view value);
  RowChecksum& blob(std::span<const std::byte> value);
  RowChecksum& null();
  RowChecksum& column(const Statement& row, int column);  // whatever it holds
  std::int64_t value() const;

 private:
  void put(char type, const void* bytes, std::size_t size);
  std::string text_;
};

// Of a row of Query::ledger_rows.
std::int64_t row_checksum(const Statement& row, std::int64_t before);
inline constexpr int kPositionColumn = 0, kChecksumColumn = 7;

// Gives every row of the ledger its checksum, whatever it had. Part of a migration. O(ledger).
void chain_ledger(Database& db);

}  // namespace hebb::sql
