// The layers below an engine, for tests and for rooms that need more than engine.h gives: its
// storage, its folded state, and the database, in which such rooms keep tables of their own.
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
// Call it after a rollback of a transaction that others had begun, and in which the engine wrote:
// the engine drops the state that it holds.
void drop_rolled_back(Engine& engine);
sql::Database& tables_of(Engine& engine);

}  // namespace hebb
