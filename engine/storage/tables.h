// The tables of a database, for rooms that keep tables of their own beside the engine's.
#pragma once

#include "sql/database.h"

namespace hebb {

class Engine;
struct EngineOptions;

// The database that an Engine would open, of the newest schema, without the graph. Throws
// sql::Error (NotOurs, and unwritable() where `read_only` may help), sql::NewerSchema.
sql::Database open_database(const EngineOptions& options);

sql::Database& tables_of(Engine& engine);

}  // namespace hebb
