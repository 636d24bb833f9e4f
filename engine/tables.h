// What is below an engine, for tests and for rooms that need more of it than engine.h gives: its
// storage, its state with what that was folded from, and the database, beside whose tables such
// rooms keep tables of their own.
#pragma once

#include "sql/database.h"

namespace hebb {

class Engine;
class Folded;
class Storage;
struct EngineOptions;

// The database that an Engine would open, of the newest schema, without the graph. Throws
// sql::Error (NotOurs, and unwritable() where `read_only` may help), sql::NewerSchema.
sql::Database open_database(const EngineOptions& options);

Storage& storage_of(Engine& engine);
Folded& folded_of(Engine& engine);
// After a transaction that others had begun, and in which the engine wrote, was rolled back: what
// the engine holds of it goes.
void drop_rolled_back(Engine& engine);
sql::Database& tables_of(Engine& engine);

}  // namespace hebb
