# Makes sql/queries.h and sql/queries.cc in the build tree out of sql/schema.sql, sql/queries/*.sql and
# sql/migrations/*.sql, and makes them anew when one is added, removed or changed.
set(HEBB_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
file(GLOB hebb_sql_texts CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/sql/schema.sql"
  "${PROJECT_SOURCE_DIR}/sql/queries/*.sql"
  "${PROJECT_SOURCE_DIR}/sql/migrations/*.sql")

# The list changes when a text is added or removed; a removal alone would not make the command run.
set(hebb_sql_list "${PROJECT_BINARY_DIR}/generated/sql/texts.txt")
list(JOIN hebb_sql_texts "\n" hebb_sql_lines)
file(CONFIGURE OUTPUT "${hebb_sql_list}" CONTENT "${hebb_sql_lines}\n" @ONLY)

add_custom_command(
  OUTPUT "${HEBB_GENERATED_DIR}/sql/queries.h" "${HEBB_GENERATED_DIR}/sql/queries.cc"
  COMMAND "${CMAKE_COMMAND}"
          -D "SQL_DIR=${PROJECT_SOURCE_DIR}/sql" -D "OUT_DIR=${HEBB_GENERATED_DIR}/sql"
          -P "${PROJECT_SOURCE_DIR}/cmake/GenerateQueries.cmake"
  DEPENDS ${hebb_sql_texts} "${hebb_sql_list}" "${PROJECT_SOURCE_DIR}/cmake/GenerateQueries.cmake"
  COMMENT "Embedding sql/*.sql"
  VERBATIM)
