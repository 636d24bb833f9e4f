# Makes serve/page_files.cc in the build tree out of the files in serve/page/built/, which are committed: building
# hebb needs no node. They are made from serve/page/ by serve/page/build.sh.
file(GLOB hebb_page_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/serve/page/built/*")
set(hebb_page_source "${PROJECT_BINARY_DIR}/generated/serve/page_files.cc")
add_custom_command(
  OUTPUT "${hebb_page_source}"
  COMMAND "${CMAKE_COMMAND}"
          -D "PAGE_DIR=${PROJECT_SOURCE_DIR}/serve/page/built" -D "OUT=${hebb_page_source}"
          -P "${PROJECT_SOURCE_DIR}/cmake/GeneratePage.cmake"
  DEPENDS ${hebb_page_files} "${PROJECT_SOURCE_DIR}/cmake/GeneratePage.cmake"
  COMMENT "Embedding serve/page/built/*"
  VERBATIM)
