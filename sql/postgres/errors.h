// What libpq says went wrong, as an Error: of a statement, of a connection, of making one.
#pragma once

#include <string>
#include <string_view>

#include "sql/postgres/connection.h"

namespace hebb::postgres {

// Of a statement whose result says that it failed.
Error error_of(const pg_result* result, const pg_conn* connection);

// Of a connection that broke, by what libpq says of it.
Error error_of_broken(const pg_conn* connection);

// Of a connection that could not be made. began: the server was to be asked, so that the words of
// conninfo were understood.
Error error_of_connecting(const pg_conn* connection, const std::string& conninfo, bool began);

// The message without each password of conninfo, and without conninfo itself.
std::string without_passwords(std::string message, const std::string& conninfo);

// The lines of one message as one line, without hints, which begin with a tab.
std::string one_line(std::string_view message);

}  // namespace hebb::postgres
