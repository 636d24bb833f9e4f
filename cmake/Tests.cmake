# One Catch2 program per folder of tests/ that holds a test_*.cc: tests/graph gives test_graph.
# A folder named as a room links that room alone, so that its tests build while others are broken;
# every other folder links all rooms and may run the program (HEBB_BINARY).

file(GLOB hebb_test_support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cc")
set(hebb_test_main "${PROJECT_SOURCE_DIR}/tests/support/main.cc")
list(REMOVE_ITEM hebb_test_support "${hebb_test_main}")

# Catch2's main takes long to compile, so all test programs share one object.
add_library(hebb_test_main OBJECT "${hebb_test_main}")
target_link_libraries(hebb_test_main PRIVATE Catch2::Catch2 hebb_options)
# An assertion without a try block of its own: a tenth less to compile. An exception in one still fails its test.
target_compile_definitions(hebb_test_main PRIVATE CATCH_CONFIG_FAST_COMPILE)
if(HEBB_PCH_USED)
  add_library(hebb_test_pch OBJECT "${PROJECT_BINARY_DIR}/generated/empty.cc")
  target_precompile_headers(hebb_test_pch PRIVATE ${hebb_pch_headers} <catch2/catch.hpp>)
  target_link_libraries(hebb_test_pch PRIVATE Catch2::Catch2 nlohmann_json::nlohmann_json hebb_options)
  target_compile_definitions(hebb_test_pch PRIVATE CATCH_CONFIG_FAST_COMPILE)
endif()

if(hebb_test_support)
  add_library(hebb_test_support STATIC EXCLUDE_FROM_ALL ${hebb_test_support})
  target_include_directories(hebb_test_support PRIVATE "${PROJECT_SOURCE_DIR}" "${HEBB_GENERATED_DIR}")
  target_compile_definitions(hebb_test_support PRIVATE HEBB_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                       HEBB_BINARY="$<TARGET_FILE:hebb>"
                                                       CATCH_CONFIG_FAST_COMPILE)
  target_link_libraries(hebb_test_support PRIVATE Catch2::Catch2 ${HEBB_ROOMS} hebb_options)
endif()

# Libraries that tests preload into the program.
add_library(hebb_second_sqlite MODULE EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/support/preload/second_sqlite.cc")
target_include_directories(hebb_second_sqlite PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(hebb_second_sqlite PRIVATE SQLite::SQLite3 Threads::Threads hebb_options)

function(hebb_test_folder folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cc")
  set(target test_${folder})
  add_executable(${target} ${sources} $<TARGET_OBJECTS:hebb_test_main>)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" "${HEBB_GENERATED_DIR}")
  target_compile_definitions(${target} PRIVATE HEBB_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CATCH_CONFIG_FAST_COMPILE)
  if(folder MATCHES "^(graph|reward|secrets|sql)$" AND TARGET hebb_${folder})
    target_link_libraries(${target} PRIVATE hebb_${folder})
  elseif(NOT folder STREQUAL "house")
    if(TARGET hebb_test_support)
      target_link_libraries(${target} PRIVATE hebb_test_support)
    endif()
    target_link_libraries(${target} PRIVATE ${HEBB_ROOMS} nlohmann_json::nlohmann_json fmt::fmt)
    if(TARGET hebb)
      target_compile_definitions(${target} PRIVATE HEBB_BINARY="$<TARGET_FILE:hebb>")
      if(NOT folder MATCHES "^(engine|net)$")
        add_dependencies(${target} hebb)
      endif()
      if(folder STREQUAL "net")
        target_link_libraries(${target} PRIVATE OpenSSL::SSL)  # of a server that a test talks to
      endif()
      if(folder STREQUAL "serve")
        target_compile_definitions(${target} PRIVATE HEBB_SECOND_SQLITE="$<TARGET_FILE:hebb_second_sqlite>")
        add_dependencies(${target} hebb_second_sqlite)
      endif()
    endif()
  endif()
  target_link_libraries(${target} PRIVATE Catch2::Catch2 rapidcheck hebb_options)
  if(HEBB_PCH_USED)
    target_precompile_headers(${target} REUSE_FROM hebb_test_pch)
  endif()
  hebb_discover_tests(${target} ${folder})
endfunction()

# Where tests have their temporary files. The last test of a run fails if any is left. A short path: the name of
# a socket, of which Chromium makes one far below it, has at most 107 bytes.
string(MD5 hebb_test_temporary "${PROJECT_BINARY_DIR}")
string(SUBSTRING "${hebb_test_temporary}" 0 4 hebb_test_temporary)
set(hebb_test_temporary "/tmp/hebb-${hebb_test_temporary}")
foreach(mode IN ITEMS before after)
  add_test(NAME "house: what is in the folders ${mode} the tests"
           COMMAND "${CMAKE_COMMAND}" -D MODE=${mode} -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                   -D "BINARY_DIR=${PROJECT_BINARY_DIR}" -D "TEMPORARY=${hebb_test_temporary}"
                   -P "${PROJECT_SOURCE_DIR}/cmake/TestLeftovers.cmake")
endforeach()
set_tests_properties("house: what is in the folders before the tests" PROPERTIES FIXTURES_SETUP leftovers)
set_tests_properties("house: what is in the folders after the tests" PROPERTIES FIXTURES_CLEANUP leftovers)

# Makes each test case a test of ctest. As long as the program is not built, one test stands for all of them.
function(hebb_discover_tests target folder)
  set(tests "${PROJECT_BINARY_DIR}/${target}_tests.cmake")
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${tests}"
    COMMAND "${CMAKE_COMMAND}" -D "TEST_EXECUTABLE=$<TARGET_FILE:${target}>" -D "FOLDER=${folder}"
            -D "SOURCE_FOLDER=${PROJECT_SOURCE_DIR}/tests/${folder}" -D "WORKING_DIR=${PROJECT_BINARY_DIR}" -D "TEMPORARY=${hebb_test_temporary}" -D "CTEST_FILE=${tests}"
            -P "${PROJECT_SOURCE_DIR}/cmake/AddCatchTests.cmake"
    VERBATIM)
  set(chooser "${PROJECT_BINARY_DIR}/${target}_include.cmake")
  file(CONFIGURE OUTPUT "${chooser}" @ONLY CONTENT
"if(EXISTS \"@tests@\")
  include(\"@tests@\")
else()
  add_test(\"@folder@: @target@ is not built\" @target@_is_not_built)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${chooser}")
endfunction()

file(GLOB hebb_test_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/tests"
     "${PROJECT_SOURCE_DIR}/tests/*/test_*.cc")
set(hebb_test_folders ${hebb_test_files})
list(TRANSFORM hebb_test_folders REPLACE "/.*" "")
list(REMOVE_DUPLICATES hebb_test_folders)
foreach(folder IN LISTS hebb_test_folders)
  hebb_test_folder(${folder})
endforeach()

# Shows that a failed check fails its test: these tests pass only if the program that they run fails.
if(TARGET test_house)
  add_test(NAME "house: canary: a failing program fails its test"
           COMMAND test_house "canary: exit code")
  add_test(NAME "house: canary: a name that matches no test case fails"
           COMMAND test_house "canary: no such test case" --warn NoTests)
  set_tests_properties("house: canary: a failing program fails its test"
                       "house: canary: a name that matches no test case fails"
                       PROPERTIES WILL_FAIL ON)
endif()
