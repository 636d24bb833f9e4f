// The data that a copy and its server send each other: events, and rows of tables beside the ledger
// (dead letters, recall, actions), which the server stores as JSON objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sql/database.h"
#include "sql/postgres/connection.h"

namespace hebb::postgres {

// The last event of a ledger.
struct End {
  std::int64_t position = 0, checksum = 0;
  bool operator==(const End&) const = default;
};
End end_of(sql::Database& copy);

// --- rows beside the ledger ----------------------------------------------------------------------

struct Row {
  std::string table;
  std::string key;    // the primary key, a JSON array
  std::string value;  // a JSON object; empty: there is no such row
};

// Notes from now on which rows this connection changes. Not within a transaction.
void watch_rows(sql::Database& copy);
// The rows that were changed since the last call, as they are now.
std::vector<Row> changed_rows(sql::Database& copy);
void forget_changed_rows(sql::Database& copy);

// Writes or removes a row. Ignores a table that only an older or newer program has.
void put_row(sql::Database& copy, const Row& row);

// --- what a copy has that its server has not -----------------------------------------------------

// Events and rows of one call of hebb.append(), column by column.
struct Part {
  using Texts = std::vector<std::optional<std::string>>;
  End base, end;
  std::vector<std::int64_t> at, checksum;
  Texts kind, subject, key, payload, vector;
  Texts table, row, value;
  std::size_t bytes = 0;

  bool empty() const { return at.empty() && table.empty(); }
};

// The next events after `base`, some thousand at most.
Part events_after(sql::Database& copy, const End& base);
// All events after `base`, and the rows that this connection changed.
std::vector<Part> parts_after(sql::Database& copy, const End& base);
// A request that appends a part; it appends nothing, and answers NULL, if the ledger on the server
// does not end at `part.base`.
Request append_request(const Part& part, const std::string& ledger, const Uuid& batch);

}  // namespace hebb::postgres
