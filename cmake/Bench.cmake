# Each bench/*.cc is one program of its own: bench/bench_start.cc gives bench_start.
file(GLOB hebb_bench_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cc")
foreach(source IN LISTS hebb_bench_files)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  target_compile_definitions(${name} PRIVATE HEBB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TARGET hebb)
    target_compile_definitions(${name} PRIVATE HEBB_BINARY="$<TARGET_FILE:hebb>")
  endif()
  target_link_libraries(${name} PRIVATE ${HEBB_ROOMS} fmt::fmt hebb_options)
endforeach()
# It starts a PostgreSQL server of its own, as tests do.
target_sources(bench_scale PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/cluster.cc"
                                   "${PROJECT_SOURCE_DIR}/tests/support/process.cc")
target_sources(bench_napfd PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/napfd.cc")
target_sources(bench_shards PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/napfd.cc")
target_sources(bench_simulate PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/simulate.cc")
target_sources(bench_week PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/week.cc"
                                  "${PROJECT_SOURCE_DIR}/tests/support/week_schedulers.cc"
                                  "${PROJECT_SOURCE_DIR}/tests/support/week_hebb.cc")
