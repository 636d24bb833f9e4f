# Run after a test program is linked: writes CTEST_FILE with one add_test for each of its test cases.
# Catch2's own script splits a test name at a semicolon into two names that match no test, and a run without
# tests counts as passed. This script keeps names whole, and --warn NoTests makes a run without tests fail. A
# test that prints "hebb-test-skipped:" counts as skipped.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${TEST_EXECUTABLE}" --list-test-names-only
                OUTPUT_VARIABLE names ERROR_VARIABLE error RESULT_VARIABLE count)
if(NOT count MATCHES "^[1-9][0-9]*$")  # Catch2 returns the number of test cases
  message(FATAL_ERROR "${TEST_EXECUTABLE} lists no test cases (${count})\n${error}")
endif()

set(script "")
while(names MATCHES "^([^\n]*)\n")
  set(name "${CMAKE_MATCH_1}")
  string(LENGTH "${name}" length)
  math(EXPR length "${length} + 1")
  string(SUBSTRING "${names}" ${length} -1 names)
  if(name STREQUAL "")
    continue()
  endif()
  set(spec "${name}")
  foreach(special IN ITEMS "\\" "," "[" "]" "\"")
    string(REPLACE "${special}" "\\${special}" spec "${spec}")
  endforeach()
  # Tests with a browser run alone: it needs both cores of a small machine to keep the time limits of its steps.
  set(alone "")
  if(FOLDER STREQUAL "skill" OR name MATCHES "in a browser")
    set(alone "RUN_SERIAL ON ")
  endif()
  set(test "[==[${FOLDER}: ${name}]==]")
  string(APPEND script
         "add_test(${test} [==[${TEST_EXECUTABLE}]==] [==[${spec}]==] --warn NoTests)\n"
         "set_tests_properties(${test} PROPERTIES ${alone}TIMEOUT 600 FIXTURES_REQUIRED leftovers ENVIRONMENT [==[TMPDIR=${TEMPORARY}]==] SKIP_REGULAR_EXPRESSION hebb-test-skipped: WORKING_DIRECTORY [==[${WORKING_DIR}]==])\n")
endwhile()
file(WRITE "${CTEST_FILE}" "${script}")
