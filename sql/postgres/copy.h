// A ledger on a PostgreSQL server, and the copy of it that a machine has: a SQLite database like
// any other, which follows the ledger and through which the machine appends to it. Losing a copy
// loses nothing.
//
// A write transaction of the copy is one of the server, too. It takes the ledger's lock there,
// brings the copy up to date, does in the copy what it does with any database, sends the new events
// and rows, commits on the server, and then commits in the copy. So every decision that depends on
// the ledger (is this event there already? has somebody claimed that task?) depends on all of it.
// If the answer to the commit is lost, the id of the batch shows whether it was committed.
#pragma once

#include "sql/database.h"
#include "sql/postgres/address.h"

namespace hebb::postgres {

// The copy of this machine, made if there is none, with the server as its upstream. create: makes
// the ledger and the schema if they are missing. Throws sql::Error: busy() if the server cannot be
// reached, cannot_open() if there is no such ledger; sql::NewerSchema; NoLibrary.
sql::Database open_copy(const Address& address, bool create, int busy_timeout_ms);

bool has_copy(const Address& address);  // on this machine

}  // namespace hebb::postgres
