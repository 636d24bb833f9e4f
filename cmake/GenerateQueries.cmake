# cmake -D SQL_DIR=… -D OUT_DIR=… -P GenerateQueries.cmake
# Writes OUT_DIR/queries.h, queries.cc and server_queries.h; each only when its content changes, so that editing a query
# rebuilds one file and only adding one rebuilds what includes the header.
cmake_minimum_required(VERSION 3.25)

function(read_literal path out)
  file(READ "${path}" text)
  if(ARGN STREQUAL "WITHOUT_COMMENTS")
    # SQLite keeps the text of a schema in each database and parses it whenever one is opened.
    string(REGEX REPLACE "[ ]*--[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  endif()
  string(FIND "${text}" ")~hebb~\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${path} holds the delimiter of its own raw string: )~hebb~\"")
  endif()
  set(${out} "R\"~hebb~(${text})~hebb~\"" PARENT_SCOPE)
endfunction()

file(GLOB queries "${SQL_DIR}/queries/*.sql")
file(GLOB migrations "${SQL_DIR}/migrations/*.sql")
list(SORT queries)
list(SORT migrations)

set(enumerators "")
set(entries "")
list(LENGTH queries query_count)
foreach(path IN LISTS queries)
  get_filename_component(name "${path}" NAME_WE)
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "${path}: a query's name becomes an enumerator; use [a-z][a-z0-9_]*")
  endif()
  read_literal("${path}" literal)
  string(APPEND enumerators "  ${name},\n")
  string(APPEND entries "    {\"${name}\", ${literal}},\n")
endforeach()

# The schema itself is version 1; 002_name.sql leads from 1 to 2, and so on without gaps.
set(steps "")
set(version 1)
foreach(path IN LISTS migrations)
  get_filename_component(name "${path}" NAME_WE)
  math(EXPR version "${version} + 1")
  if(NOT name MATCHES "^([0-9][0-9][0-9])_([a-z0-9_]+)$")
    message(FATAL_ERROR "${path}: a migration is named NNN_name.sql")
  endif()
  set(label "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "^0+" "" number "${CMAKE_MATCH_1}")
  if(NOT number EQUAL version)
    message(FATAL_ERROR "${path}: the migration after version ${number} is missing or out of order; expected ${version}")
  endif()
  read_literal("${path}" literal WITHOUT_COMMENTS)
  string(APPEND steps "    {${version}, \"${label}\", ${literal}},\n")
endforeach()

read_literal("${SQL_DIR}/schema.sql" schema WITHOUT_COMMENTS)

# Constants: the statements for a PostgreSQL server, and for its copies.
file(GLOB texts "${SQL_DIR}/server/*.sql")
list(SORT texts)
set(constants "")
foreach(path IN LISTS texts)
  get_filename_component(name "${path}" NAME_WE)
  read_literal("${path}" literal)
  string(APPEND constants "inline constexpr const char* ${name} =\n    ${literal};\n")
endforeach()
set(server "// Generated from sql/server/*.sql by cmake/GenerateQueries.cmake.
#pragma once

namespace hebb::sql::server {

${constants}
}  // namespace hebb::sql::server
")

set(header "// Generated from sql/*.sql by cmake/GenerateQueries.cmake: every SQL text of hebb.
#pragma once

#include <span>
#include <string_view>

namespace hebb::sql {

enum class Query {
${enumerators}};

inline constexpr int kQueryCount = ${query_count};

struct Migration {
  int version;  // that the database has after it
  std::string_view name;
  std::string_view sql;
};

std::string_view text(Query query);
std::string_view name(Query query);
std::string_view schema_sql();
std::span<const Migration> migrations();  // in order of version, from 2

}  // namespace hebb::sql
")

set(source "// Generated from sql/*.sql by cmake/GenerateQueries.cmake.
#include \"sql/queries.h\"

#include <cstddef>
#include <vector>

namespace hebb::sql {
namespace {

struct Entry {
  std::string_view name;
  std::string_view text;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
${entries}  };
  return all;
}

}  // namespace

std::string_view text(Query query) { return entries().at(static_cast<std::size_t>(query)).text; }

std::string_view name(Query query) { return entries().at(static_cast<std::size_t>(query)).name; }

std::string_view schema_sql() {
  return ${schema};
}

std::span<const Migration> migrations() {
  static const std::vector<Migration> all{
${steps}  };
  return all;
}

}  // namespace hebb::sql
")

foreach(part IN ITEMS header source server)
  if(part STREQUAL "header")
    set(target "${OUT_DIR}/queries.h")
  elseif(part STREQUAL "server")
    set(target "${OUT_DIR}/server_queries.h")
  else()
    set(target "${OUT_DIR}/queries.cc")
  endif()
  set(before "")
  if(EXISTS "${target}")
    file(READ "${target}" before)
  endif()
  if(NOT before STREQUAL "${${part}}")
    file(WRITE "${target}" "${${part}}")
  endif()
endforeach()
