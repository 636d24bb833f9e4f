// The rows of a copy that are beside the ledger (dead letters, progress, recall, actions), as the
// server keeps them: JSON objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/database.h"

namespace hebb::postgres {

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

// Tables that a newer program added are passed over.
void put_row(sql::Database& copy, const Row& row);

}  // namespace hebb::postgres
