# The Python package, assembled in BUILD/python: python/hebb with the modules that the list of operations gives and
# libhebb.so.0, and the plugin of pytest. Debian's Python comes first, since Debian's pytest and mypy are for it.
find_program(HEBB_PYTHON python3 HINTS /usr/bin)
# A library with sanitizers cannot be loaded into a Python without.
if(NOT HEBB_PYTHON OR HEBB_SANITIZE)
  return()
endif()

set(hebb_python "${PROJECT_BINARY_DIR}/python")
file(GLOB hebb_python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/hebb/*" "${PROJECT_SOURCE_DIR}/python/*.py")
add_custom_command(
  OUTPUT "${hebb_python}/hebb/operations.py"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${hebb_python}"
  COMMAND "${CMAKE_COMMAND}" -E copy_directory "${PROJECT_SOURCE_DIR}/python/hebb" "${hebb_python}/hebb"
  COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/python/pytest_hebb.py" "${hebb_python}"
  COMMAND hebb api schemas > "${hebb_python}/schemas.json"
  COMMAND "${HEBB_PYTHON}" "${PROJECT_SOURCE_DIR}/python/generate.py" "${hebb_python}/hebb" < "${hebb_python}/schemas.json"
  COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE:libhebb>" "${hebb_python}/hebb/libhebb.so.0"
  DEPENDS hebb ${hebb_python_sources} VERBATIM)
add_custom_target(hebb_python ALL DEPENDS "${hebb_python}/hebb/operations.py" libhebb)

# Each file of tests/python and tests/ci is a test of ctest; one that finds a program missing prints
# "hebb-test-skipped:".
file(GLOB hebb_python_tests CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/tests"
     "${PROJECT_SOURCE_DIR}/tests/python/test_*.py" "${PROJECT_SOURCE_DIR}/tests/ci/test_*.py")
foreach(file IN LISTS hebb_python_tests)
  string(REGEX REPLACE "/test_(.*)\\.py$" ": \\1" name "${file}")
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET file FILENAME file)
  add_test(NAME "${name}" COMMAND "${HEBB_PYTHON}" -m unittest -v "${file}"
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/${folder}")
  set_tests_properties("${name}" PROPERTIES COST 50 TIMEOUT 600 FIXTURES_REQUIRED leftovers
    SKIP_REGULAR_EXPRESSION "hebb-test-skipped:"
    ENVIRONMENT "TMPDIR=${hebb_test_temporary};PYTHONPATH=${hebb_python};PYTHONDONTWRITEBYTECODE=1;HEBB=$<TARGET_FILE:hebb>;HEBB_LIBRARY=$<TARGET_FILE:libhebb>;HEBB_SOURCE=${PROJECT_SOURCE_DIR};HEBB_NODE_PACKAGES=${PROJECT_BINARY_DIR}/node-oracles")
endforeach()
