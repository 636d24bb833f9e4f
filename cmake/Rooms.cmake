# Rooms that wait for the network, a browser or people; they are most of the code, and -O1 compiles them faster.
set(hebb_around "capture|skill|api|serve|cli")

# hebb_room(NAME ROOMS … LIBRARIES …): library hebb_NAME of NAME/*.cc.
set(HEBB_ROOMS "")

function(hebb_room name)
  cmake_parse_arguments(arg "" "" "ROOMS;LIBRARIES;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${name}/*.cc")
  add_library(hebb_${name} STATIC ${sources} ${arg_SOURCES})
  target_include_directories(hebb_${name} PUBLIC "${PROJECT_SOURCE_DIR}" "${HEBB_GENERATED_DIR}")
  target_compile_definitions(hebb_${name} PRIVATE HEBB_VERSION="${PROJECT_VERSION}")
  target_link_libraries(hebb_${name} PUBLIC ${arg_LIBRARIES} PRIVATE hebb_options)
  if(name MATCHES "^(${hebb_around})$")
    target_compile_options(hebb_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(name STREQUAL "engine")
    hebb_precompile_own(hebb_${name} <simdjson.h>)
  elseif("fmt::fmt" IN_LIST arg_LIBRARIES)
    hebb_precompile(hebb_${name})
  endif()
  foreach(room IN LISTS arg_ROOMS)
    target_link_libraries(hebb_${name} PUBLIC hebb_${room})
  endforeach()
  set(HEBB_ROOMS ${HEBB_ROOMS} hebb_${name} PARENT_SCOPE)
endfunction()

hebb_room(secrets LIBRARIES library::tomlplusplus nlohmann_json::nlohmann_json fmt::fmt
          library::utf8proc SOURCES "${HEBB_RULES_SOURCE}")
hebb_room(graph LIBRARIES Boost::headers Eigen3::Eigen library::xxhash)
hebb_room(reward ROOMS graph LIBRARIES Eigen3::Eigen library::tomlplusplus fmt::fmt
          library::utf8proc SOURCES "${HEBB_PRESETS_SOURCE}")
hebb_room(sql LIBRARIES library::sqlite3 library::xxhash nlohmann_json::nlohmann_json fmt::fmt
                        library::utf8proc ${CMAKE_DL_LIBS}
          SOURCES "${HEBB_GENERATED_DIR}/sql/queries.h" "${HEBB_GENERATED_DIR}/sql/queries.cc"
                  "${HEBB_GENERATED_DIR}/sql/server_queries.h")
hebb_room(engine ROOMS sql reward graph secrets
          LIBRARIES simdjson::simdjson nlohmann_json::nlohmann_json fmt::fmt library::pugixml
                    library::xxhash Eigen3::Eigen Threads::Threads library::tomlplusplus
          SOURCES "${HEBB_TRACKERS_SOURCE}")
# By themselves, so that the others of their batch do not read Boost.Beast and OpenSSL with them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/capture/net/peer.cc"
                            "${PROJECT_SOURCE_DIR}/capture/net/openssl.cc"
                            "${PROJECT_SOURCE_DIR}/serve/connection.cc"
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
hebb_room(capture ROOMS engine
          LIBRARIES Boost::headers nlohmann_json::nlohmann_json fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
hebb_room(skill ROOMS capture LIBRARIES nlohmann_json::nlohmann_json fmt::fmt)
hebb_room(api ROOMS skill capture engine
          LIBRARIES nlohmann_json::nlohmann_json fmt::fmt library::utf8proc)
hebb_room(c ROOMS api LIBRARIES nlohmann_json::nlohmann_json fmt::fmt)
hebb_room(serve ROOMS api
          LIBRARIES Boost::headers nlohmann_json::nlohmann_json fmt::fmt library::z Threads::Threads
          SOURCES "${hebb_page_source}")

# The program is a library and a main(), so that fuzzers can call what main() calls.
file(GLOB_RECURSE hebb_cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cc")
set(hebb_entry "${PROJECT_SOURCE_DIR}/cli/entry.cc")
list(REMOVE_ITEM hebb_cli_sources "${hebb_entry}")
add_library(hebb_cli STATIC ${hebb_cli_sources} "${hebb_commit_source}")
add_dependencies(hebb_cli hebb_commit)
target_compile_definitions(hebb_cli PRIVATE HEBB_VERSION="${PROJECT_VERSION}")
target_include_directories(hebb_cli PUBLIC "${PROJECT_SOURCE_DIR}" "${HEBB_GENERATED_DIR}")
target_link_libraries(hebb_cli PUBLIC ${HEBB_ROOMS} CLI11::CLI11 fmt::fmt library::utf8proc
                                      nlohmann_json::nlohmann_json
                               PRIVATE hebb_options)
# Every file of cli/ includes it, and it takes longer to compile than the rest of the file.
hebb_precompile_own(hebb_cli <CLI/CLI.hpp>)
# Few large batches: CLI11 has inline and virtual functions, which each batch compiles again.
set_target_properties(hebb_cli PROPERTIES UNITY_BUILD_BATCH_SIZE 24)
add_executable(hebb "${hebb_entry}")
target_link_libraries(hebb PRIVATE hebb_cli hebb_options)
set_target_properties(hebb PROPERTIES HEBB_ARCHIVES "${HEBB_ARCHIVES}")
