// Each row of the ledger has a checksum of itself and of the row before, which shows whether a row
// was damaged, changed, removed or moved.
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
  explicit RowChecksum(std::int64_t before) { integer(before); }
  RowChecksum& integer(std::int64_t value) { return put('i', &value, sizeof value); }
  RowChecksum& text(std::string_view value) { return put('t', value.data(), value.size()); }
  RowChecksum& blob(std::span<const std::byte> value) {
    return put('b', value.data(), value.size());
  }
  RowChecksum& null() { return put('n', "", 0); }
  RowChecksum& column(const Statement& row, int column);  // of any type
  std::int64_t value() const;

 private:
  RowChecksum& put(char type, const void* bytes, std::size_t size);
  std::string text_;
};

// The checksum of a row of Query::ledger_rows; `before`: the checksum of the row before.
std::int64_t row_checksum(const Statement& row, std::int64_t before);
inline constexpr int kPositionColumn = 0, kChecksumColumn = 7;

// Sets the checksum of every row of the ledger anew. Part of a migration. O(ledger).
void chain_ledger(Database& db);

}  // namespace hebb::sql
