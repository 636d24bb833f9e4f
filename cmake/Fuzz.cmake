# tests/fuzz/fuzz_NAME.cc has one LLVMFuzzerTestOneInput; its corpus is tests/fuzz/corpus/NAME. With
# HEBB_FUZZ it becomes a libFuzzer program. In every other build with tests it becomes a test that feeds it the
# corpus once, so that a crash that was mended does not come back.
file(GLOB hebb_fuzz_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.cc")
foreach(source IN LISTS hebb_fuzz_files)
  if(NOT HEBB_FUZZ AND NOT HEBB_TESTS)
    break()
  endif()
  get_filename_component(target "${source}" NAME_WE)
  string(REGEX REPLACE "^fuzz_" "" name "${target}")
  add_executable(${target} "${source}")
  target_link_libraries(${target} PRIVATE hebb_cli ${HEBB_ROOMS} hebb_options)
  if(HEBB_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_corpus.cc")
    add_test(NAME "fuzz: corpus of ${name}"
             COMMAND ${target} "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
  endif()
endforeach()
