# The first and the last test of a run: MODE=before makes the folder for temporary files that all others use
# (TMPDIR) and notes which files the source tree has; MODE=after fails if either has anything new.
cmake_minimum_required(VERSION 3.25)

# Not in the build tree: names of sockets are at most 107 bytes long.
function(files_of_source result)
  file(GLOB_RECURSE files LIST_DIRECTORIES true RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/*" "${SOURCE_DIR}/.*")
  list(FILTER files EXCLUDE REGEX "^(\\.git|build|build-[^/]*|\\.cache)(/|$)")
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

set(list "${BINARY_DIR}/source-before-tests.txt")
files_of_source(files)
if(MODE STREQUAL "before")
  file(REMOVE_RECURSE "${TEMPORARY}")
  file(MAKE_DIRECTORY "${TEMPORARY}")
  list(JOIN files "\n" text)
  file(WRITE "${list}" "${text}")
  return()
endif()

file(GLOB left RELATIVE "${TEMPORARY}" "${TEMPORARY}/*" "${TEMPORARY}/.*")
list(REMOVE_ITEM left "." "..")
file(STRINGS "${list}" before)
list(REMOVE_ITEM files ${before})
file(REMOVE_RECURSE "${TEMPORARY}")
if(left OR files)
  list(JOIN left "\n  " left)
  list(JOIN files "\n  " files)
  message(FATAL_ERROR "tests left temporary files:\n  ${left}\nand files in the source tree:\n  ${files}")
endif()
