// Makes an Error from what libpq reports for a failed statement, connection or attempt to connect.
#pragma once

#include <string>
#include <string_view>

#include "sql/postgres/connection.h"

namespace hebb::postgres {

// The error of a failed statement.
Error error_of(const pg_result* result, const pg_conn* connection);

// The error of a connection that broke.
Error error_of_broken(const pg_conn* connection);

// The error of a connection that could not be made. began: libpq understood conninfo and tried to
// reach the server.
Error error_of_connecting(const pg_conn* connection, const std::string& conninfo, bool began);

// The message without each password of conninfo, and without conninfo itself.
std::string without_passwords(std::string message, const std::string& conninfo);

// The lines of one message as one line, without hints, which begin with a tab.
std::string one_line(std::string_view message);

}  // namespace hebb::postgres
