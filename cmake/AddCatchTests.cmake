# Run after a test program is linked: writes CTEST_FILE with one add_test for each of its test cases, and one for
# all cases of a file that need a browser.
# Catch2's own script splits a test name at a semicolon into two names that match no test, and a run without
# tests counts as passed. This script keeps names whole, and --warn NoTests makes a run without tests fail. A
# test that prints "hebb-test-skipped:" counts as skipped.
cmake_minimum_required(VERSION 3.25)

# names_of(VARIABLE [TAGS]): sets VARIABLE to the names of the test cases with these tags, all by default. A list
# would be split at a semicolon of a name and not at one between brackets, so they stand in it by other names.
function(names_of result)
  execute_process(COMMAND "${TEST_EXECUTABLE}" --list-test-names-only ${ARGN}
                  OUTPUT_VARIABLE names ERROR_VARIABLE error RESULT_VARIABLE count)
  if(NOT count MATCHES "^[0-9]+$")  # Catch2 returns the number of test cases
    message(FATAL_ERROR "${TEST_EXECUTABLE} lists no test cases (${count})\n${error}")
  endif()
  string(REPLACE ";" "<semicolon>" names "${names}")
  string(REPLACE "[" "<open>" names "${names}")
  string(REPLACE "]" "<close>" names "${names}")
  string(REGEX REPLACE "\n+" ";" names "${names}")
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

names_of(names)
list(REMOVE_ITEM names "")
if(NOT names)
  message(FATAL_ERROR "${TEST_EXECUTABLE} lists no test cases")
endif()
# One test of ctest for all of a file that need a browser, which is started once for them.
set(browser_files "")
file(GLOB files "${SOURCE_FOLDER}/test_*.cc")
foreach(file IN LISTS files)
  get_filename_component(file "${file}" NAME_WE)
  names_of(of_file "[browser]~[node][#${file}]" --filenames-as-tags)
  list(REMOVE_ITEM of_file "")
  if(of_file)
    list(APPEND browser_files "${file}")
    list(REMOVE_ITEM names ${of_file})
  endif()
endforeach()
names_of(with_browser "[browser]")
if(FOLDER MATCHES "^(docs|fault|fuzz|golden|property)$")
  set(slow "${names}")
else()
  names_of(slow "[browser],[node],[slow]")
endif()

# A property that fails reports its case without shrinking it, which can take longer than a test may.
set(environment "TMPDIR=${TEMPORARY}")
if(FOLDER STREQUAL property)
  string(APPEND environment ";RC_PARAMS=noshrink=1")
endif()
set(script "")
# add(NAME ARGUMENT MORE): with MORE properties of the test.
function(add name argument)
  list(JOIN ARGN " " more)
  set(test "[==[${FOLDER}: ${name}]==]")
  string(APPEND script
         "add_test(${test} [==[${TEST_EXECUTABLE}]==] [==[${argument}]==] --filenames-as-tags --warn NoTests)\n"
         "set_tests_properties(${test} PROPERTIES ${more} TIMEOUT 600 FIXTURES_REQUIRED leftovers ENVIRONMENT [==[${environment}]==] SKIP_REGULAR_EXPRESSION hebb-test-skipped: WORKING_DIRECTORY [==[${WORKING_DIR}]==])\n")
  set(script "${script}" PARENT_SCOPE)
endfunction()

# The longest tests begin first. Two browsers run at once, each under its own lock: more are too much for a small
# machine. A digit of a hash of the name decides which lock a test takes: the one that divides their time best.
function(browser_lock result name)
  string(MD5 hash "${name}")
  string(SUBSTRING "${hash}" 9 1 digit)
  if(digit MATCHES "[0-7]")
    set(${result} RESOURCE_LOCK browser-1 COST 100 PARENT_SCOPE)
  else()
    set(${result} RESOURCE_LOCK browser-2 COST 100 PARENT_SCOPE)
  endif()
endfunction()
foreach(file IN LISTS browser_files)
  browser_lock(alone "${file}")
  add("in a browser: ${file}" "[browser]~[node][#${file}]" ${alone})
endforeach()
foreach(listed IN LISTS names)
  string(REPLACE "<semicolon>" ";" name "${listed}")
  string(REPLACE "<open>" "[" name "${name}")
  string(REPLACE "<close>" "]" name "${name}")
  set(spec "${name}")
  foreach(special IN ITEMS "\\" "," "[" "]" "\"")
    string(REPLACE "${special}" "\\${special}" spec "${spec}")
  endforeach()
  if(listed IN_LIST with_browser)
    browser_lock(alone "${name}")
    add("${name}" "${spec}" ${alone})
  elseif(listed IN_LIST slow)
    add("${name}" "${spec}" COST 50)
  else()
    add("${name}" "${spec}" LABELS quick)
  endif()
endforeach()
file(WRITE "${CTEST_FILE}" "${script}")
