// Takes the new events, and the changed rows beside the ledger, from the server into a copy.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sql/database.h"
#include "sql/postgres/server.h"

namespace hebb::postgres {

// The error if the server has no such ledger although the copy has one.
sql::UpstreamError lost_ledger(const Address& address);
// The four requests that read them; an answer has some thousand rows at most.
std::vector<Request> reading(sql::Database& copy, const Address& address);
// The numbers of their answers: the end of the ledger; changed rows, of no node and of nodes;
// events.
inline constexpr std::size_t kHead = 0, kChanges = 1, kNodeChanges = 2, kEvents = 3;
// The last change of rows beside the ledger that the copy has.
std::int64_t last_change(sql::Database& copy);
// Throws if the server, by its answers, has fewer changes than the copy had when it asked.
void require_changes(const Address& address, std::span<const Result> answers, std::int64_t had);
// Whether the answers to these requests hold anything that the copy lacks.
bool brings_something(sql::Database& copy, std::span<const Result> answers);
// Writes the answers into the copy, in its transaction. True if there may be more. Throws
// sql::Error: corrupt() if the copy and the server contradict each other, cannot_open() if there is
// no such ledger.
bool take(sql::Database& copy, const Server& server, std::span<const Result> answers);

// What is wrong with the ledger on the server, or differs from the copy, a line each. Reads all of
// it. Throws Error.
std::vector<std::string> check(sql::Database& copy, Server& server);

}  // namespace hebb::postgres
