// A database for tests of this room, and a helper that returns the error of a call that must fail.
#pragma once

#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "sql/database.h"

namespace hebb::test {

sql::Error error_of(const auto& action) {
  try {
    action();
  } catch (const sql::Error& error) {
    return error;
  }
  FAIL("no error was thrown");
  throw std::logic_error("unreachable");
}

// As migrate() leaves it.
inline sql::Database with_wal(const std::string& path, int busy_timeout_ms = 5000) {
  sql::Database db(path, sql::Database::Mode::read_write_create, busy_timeout_ms);
  db.use_wal();
  return db;
}

}  // namespace hebb::test
