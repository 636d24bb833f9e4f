// Values of a statement's parameters and columns, in their order: those of an absent optional are
// NULL.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "sql/database.h"

namespace hebb::capture {

template <class... Values>
sql::Statement& bind_values(sql::Statement& statement, const Values&... values) {
  int parameter = 0;
  return (statement.bind(++parameter, values), ...);
}

template <class T>
void read_column(const sql::Statement& row, int column, T& to) {
  if constexpr (std::is_same_v<T, std::string>) {
    to = row.text(column);
  } else if constexpr (std::is_same_v<T, double>) {
    to = row.real(column);
  } else {
    to = static_cast<T>(row.integer(column));
  }
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
