# The commit for `hebb --version`: -D HEBB_COMMIT=…, else that of git, else that of the source archive, else none.
#
# Included, it makes the target hebb_commit, which looks with each build and writes generated/commit.cc only when the
# commit has changed: then one file is compiled. Run as a script, it does that work.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  if(NOT COMMIT)
    # Not that of another repository, which the source was unpacked in.
    execute_process(COMMAND git rev-parse --show-toplevel HEAD WORKING_DIRECTORY "${SOURCE_DIR}"
                    OUTPUT_VARIABLE lines ERROR_QUIET)
    file(REAL_PATH "${SOURCE_DIR}" root)
    if(lines MATCHES "^([^\n]*)\n([0-9a-f]+)\n$" AND CMAKE_MATCH_1 STREQUAL root)
      set(COMMIT "${CMAKE_MATCH_2}")
    else()
      file(READ "${SOURCE_DIR}/cmake/commit.txt" COMMIT)
    endif()
  endif()
  string(REGEX MATCH "^[0-9a-f]+" COMMIT "${COMMIT}")
  string(SUBSTRING "${COMMIT}" 0 8 COMMIT)
  file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT
"#include \"cli/version.h\"

const char* hebb::cli::built_commit() { return \"@COMMIT@\"; }
")
  return()
endif()

set(HEBB_COMMIT "" CACHE STRING "The commit that `hebb --version` names, where git cannot tell")
set(hebb_commit_source "${PROJECT_BINARY_DIR}/generated/commit.cc")
add_custom_target(hebb_commit
  COMMAND "${CMAKE_COMMAND}" -D "COMMIT=${HEBB_COMMIT}" -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
          -D "OUT=${hebb_commit_source}" -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${hebb_commit_source}" COMMENT "" VERBATIM)
set_source_files_properties("${hebb_commit_source}" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
