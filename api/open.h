// Opening the database of a session, the same for every door: what is not there is said with how to
// make it, and what cannot be written is read all the same where reading is enough.
#pragma once

#include <string>

#include "api/session.h"

namespace hebb::api {

// `options.create` and `options.read_only` are set here. Throws Problem: no_database, read_only;
// and as the constructor of Engine. read_only: told whether it can only be read.
Engine open_engine(Access access, EngineOptions options, bool* read_only = nullptr);
// Its tables without the graph. Throws likewise.
sql::Database open_tables(Access access, EngineOptions options);

}  // namespace hebb::api
