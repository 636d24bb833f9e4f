// Whether the indexes of the tables `event` and `edge` have the rows of their tables, in order. For
// that SQLite's integrity check looks each row up in each index, at random; here table and index
// are each read once, as they lie.
#pragma once

#include <string_view>
#include <vector>

#include "sql/database.h"

namespace hebb::sql {

// The indexes that do not fit. Precondition: the schema is whole. Throws Error.
std::vector<std::string_view> faulty_indexes(Database& db);

// Makes these anew, and all indexes of the other tables, which costs less than to check them.
// Preconditions: the schema is whole; inside a write transaction. Throws Error, with constraint()
// if rows are the same in what an index has only once.
void mend_indexes(Database& db);

}  // namespace hebb::sql
