# Generates sql/queries.h, sql/queries.cc and sql/server_queries.h in the build tree from sql/schema.sql and the
# files in sql/queries, sql/migrations and sql/server, again whenever one is added, removed or changed.
set(HEBB_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
file(GLOB hebb_sql_texts CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/sql/schema.sql"
  "${PROJECT_SOURCE_DIR}/sql/queries/*.sql"
  "${PROJECT_SOURCE_DIR}/sql/migrations/*.sql"
  "${PROJECT_SOURCE_DIR}/sql/server/*.sql")

# The command depends on this list, so that it also runs when a file was only removed.
set(hebb_sql_list "${PROJECT_BINARY_DIR}/generated/sql/texts.txt")
list(JOIN hebb_sql_texts "\n" hebb_sql_lines)
file(CONFIGURE OUTPUT "${hebb_sql_list}" CONTENT "${hebb_sql_lines}\n" @ONLY)

add_custom_command(
  OUTPUT "${HEBB_GENERATED_DIR}/sql/queries.h" "${HEBB_GENERATED_DIR}/sql/queries.cc"
         "${HEBB_GENERATED_DIR}/sql/server_queries.h"
  COMMAND "${CMAKE_COMMAND}"
          -D "SQL_DIR=${PROJECT_SOURCE_DIR}/sql" -D "OUT_DIR=${HEBB_GENERATED_DIR}/sql"
          -P "${PROJECT_SOURCE_DIR}/cmake/GenerateQueries.cmake"
  DEPENDS ${hebb_sql_texts} "${hebb_sql_list}" "${PROJECT_SOURCE_DIR}/cmake/GenerateQueries.cmake"
  COMMENT "Embedding sql/*.sql"
  VERBATIM)
