// Values of a statement's parameters and columns, in their order: those of an absent optional are
// NULL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sql/database.h"

namespace hebb::capture {

template <class... Values>
sql::Statement& bind_values(sql::Statement& statement, const Values&... values) {
  int parameter = 0;
  return (statement.bind(++parameter, values), ...);
}

inline void read_column(const sql::Statement& row, int column, std::string& to) {
  to = row.text(column);
}
inline void read_column(const sql::Statement& row, int column, std::int64_t& to) {
  to = row.integer(column);
}
inline void read_column(const sql::Statement& row, int column, double& to) {
  to = row.real(column);
}
inline void read_column(const sql::Statement& row, int column, bool& to) {
  to = row.integer(column) != 0;
}
template <class T>
void read_column(const sql::Statement& row, int column, std::optional<T>& to) {
  to.reset();
  if (!row.is_null(column)) read_column(row, column, to.emplace());
}

template <class... To>
void read_columns(const sql::Statement& row, To&... to) {
  int column = 0;
  (read_column(row, column++, to), ...);
}

}  // namespace hebb::capture
