#include "sql/ledger_chain.h"

#include <limits>

#include <xxhash.h>

namespace hebb::sql {

RowChecksum& RowChecksum::put(char type, const void* bytes, std::size_t size) {
  const auto length = static_cast<std::uint64_t>(size);
  text_ += type;
  text_.append(reinterpret_cast<const char*>(&length), sizeof length);
  text_.append(static_cast<const char*>(bytes), size);
  return *this;
}

RowChecksum& RowChecksum::column(const Statement& row, int column) {
  switch (row.type(column)) {
    case Statement::Type::integer:
      return integer(row.integer(column));
    case Statement::Type::text:
      return text(row.text(column));
    case Statement::Type::blob:
      return blob(row.blob(column));
    case Statement::Type::null:
      return null();
    case Statement::Type::real:
      break;  // no column of the ledger is real: the row is damaged
  }
  const double value = row.real(column);
  return put('r', &value, sizeof value);
}

std::int64_t RowChecksum::value() const {
  return static_cast<std::int64_t>(XXH3_64bits(text_.data(), text_.size()));
}

std::int64_t row_checksum(const Statement& row, std::int64_t before) {
  RowChecksum checksum(before);
  for (int i = 0; i < kChecksumColumn; ++i) checksum.column(row, i);
  return checksum.value();
}

void chain_ledger(Database& db) {
  auto& rows = db.query(Query::ledger_rows);
  const Reset reset(rows);
  rows.bind(1, std::numeric_limits<std::int64_t>::min());
  rows.bind(2, std::numeric_limits<std::int64_t>::max());
  std::int64_t checksum = 0;
  while (rows.step()) {
    checksum = row_checksum(rows, checksum);
    db.query(Query::set_checksum).bind(1, rows.integer(kPositionColumn)).bind(2, checksum).run();
  }
}

}  // namespace hebb::sql
