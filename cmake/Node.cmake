# The npm package of node/, in node/ of the build tree, and its tests: the scripts of tests/node-binding, which use the
# packages of tests/node. They are skipped where there is no node, no npm, or no registry to install these from.
if(NOT TARGET libhebb OR NOT TARGET hebb OR HEBB_SANITIZE)  # a sanitizer has to be loaded before node
  return()
endif()

set(hebb_node_tests "${PROJECT_SOURCE_DIR}/tests/node-binding")
# hebb_node_test(NAME SCRIPT FIXTURES …)
function(hebb_node_test name script)
  add_test(NAME "node: ${name}"
           COMMAND "${hebb_node_tests}/run.sh" "${PROJECT_BINARY_DIR}" "$<TARGET_FILE:hebb>"
                   "$<TARGET_FILE:libhebb>" ${script})
  set_tests_properties("node: ${name}" PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 600 COST 50 ENVIRONMENT "TMPDIR=${hebb_test_temporary}" FIXTURES_REQUIRED "${ARGN}")
endfunction()

hebb_node_test("the package is built" build leftovers)
set_tests_properties("node: the package is built" PROPERTIES FIXTURES_SETUP node_package)
file(GLOB hebb_node_scripts CONFIGURE_DEPENDS RELATIVE "${hebb_node_tests}/node" "${hebb_node_tests}/node/*.mjs")
list(REMOVE_ITEM hebb_node_scripts support.mjs)
foreach(script IN LISTS hebb_node_scripts)
  hebb_node_test("${script}" "${script}" leftovers node_package)
endforeach()
