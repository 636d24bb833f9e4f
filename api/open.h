// Opening the database of a session, the same for every door: whoever writes makes the database
// that is not there; whoever reads is told how to make it. What cannot be written is read all the
// same where reading is enough.
#pragma once

#include <string>

#include "api/session.h"

namespace hebb::api {

// Whether there is anything at that path.
bool has_database(const std::string& path);
// `options.create` and `options.read_only` are set here. Throws Problem: no_database, read_only;
// and as the constructor of Engine. read_only: told whether it can only be read.
Engine open_engine(Access access, EngineOptions options, bool* read_only = nullptr);
// Its tables without the graph. Throws likewise.
sql::Database open_tables(Access access, EngineOptions options);

}  // namespace hebb::api
