// What comes from the server into a copy: events after those that it has, and rows beside the
// ledger that were changed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sql/postgres/server.h"
#include "sql/database.h"

namespace hebb::postgres {

// The server has no such ledger, and the copy has one.
sql::UpstreamError lost_ledger(const Address& address);
// What asks for it: four requests, in parts of some thousand rows.
std::vector<Request> reading(sql::Database& copy, const Address& address);
// The last change of rows beside the ledger that the copy has.
std::int64_t last_change(sql::Database& copy);
// Throws if the server, by its answers, has fewer changes than the copy had when it asked.
void require_changes(const Address& address, std::span<const Result> answers, std::int64_t had);
// Whether the answers to these hold something that the copy has not.
bool brings_something(sql::Database& copy, std::span<const Result> answers);
// Takes them into the copy, in its transaction. True if there may be more. Throws sql::Error:
// corrupt() if the copy and the server contradict each other, cannot_open() if there is no such
// ledger.
bool take(sql::Database& copy, const Server& server, std::span<const Result> answers);

// What is wrong with the ledger on the server, or differs from the copy, a line each. Reads all of
// it. Throws Error.
std::vector<std::string> check(sql::Database& copy, Server& server);

}  // namespace hebb::postgres
