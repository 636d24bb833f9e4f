# -D HEBB_PORTABLE=FOLDER: the program and the library for any x86-64 Linux with glibc 2.31 or later, in portable/ of
# the build tree. scripts/package, which makes FOLDER, says what is in it.
#
# The objects are those of the other targets. They are linked with the glibc of Debian 11, so that they ask for no newer
# version of a symbol, and with archives of all other libraries. OpenSSL and libpq are loaded when first used.
set(HEBB_PORTABLE "" CACHE PATH "Folder with an old glibc and sources of libraries, to link for older systems with")
if(NOT HEBB_PORTABLE)
  return()
endif()

# Of fmt and simdjson Debian has no archives.
enable_language(C)
add_library(hebb_portable_sources STATIC "${PROJECT_SOURCE_DIR}/cmake/old_glibc.c"
            "${HEBB_PORTABLE}/fmtlib/src/format.cc" "${HEBB_PORTABLE}/simdjson/singleheader/simdjson.cpp")
target_include_directories(hebb_portable_sources PRIVATE "${HEBB_PORTABLE}/fmtlib/include")
target_compile_options(hebb_portable_sources PRIVATE -fPIC -O2 -w)
set_target_properties(hebb_portable_sources PROPERTIES UNITY_BUILD OFF)

# Debian 12's libgcc_eh.a asks glibc 2.35 for the place of an exception's tables, Debian 11's does not.
set(hebb_portable_archives "${HEBB_PORTABLE}/glibc/usr/lib/gcc/x86_64-linux-gnu/10/libgcc_eh.a")
foreach(library IN ITEMS sqlite3 z pugixml xxhash utf8proc)
  if(NOT HEBB_ARCHIVE_${library})
    message(FATAL_ERROR "HEBB_PORTABLE needs an archive of ${library}")
  endif()
  list(APPEND hebb_portable_archives "${HEBB_ARCHIVE_${library}}")
endforeach()

# hebb_portable(TARGET LIBRARIES): links the target with these static libraries and the archives. No more libraries than
# it needs: inline functions of theirs would bring in the rest of them.
function(hebb_portable target)
  set(libraries ${ARGN} hebb_json hebb_toml hebb_portable_sources)
  add_dependencies(${target} ${libraries})
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME hebb EXCLUDE_FROM_ALL ON
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/portable"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/portable")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_options(${target} PRIVATE
    "--sysroot=${HEBB_PORTABLE}/glibc" "-B${HEBB_PORTABLE}/glibc/usr/lib/x86_64-linux-gnu"
    -static-libstdc++ -static-libgcc LINKER:--strip-all)
  target_link_libraries(${target} PRIVATE hebb_options -Wl,--start-group ${libraries} ${hebb_portable_archives}
                                          -Wl,--end-group -lpthread -ldl -lm)
endfunction()

set(hebb_portable_rooms ${HEBB_ROOMS})
list(REMOVE_ITEM hebb_portable_rooms hebb_c)
add_executable(hebb_portable_program "${hebb_entry}")
hebb_portable(hebb_portable_program hebb_cli ${hebb_portable_rooms})

# No name of SQLite or of another library is exported: a process may have its own.
list(REMOVE_ITEM hebb_portable_rooms hebb_serve)
set(hebb_portable_map "${PROJECT_SOURCE_DIR}/cmake/libhebb.map")
add_library(hebb_portable_library SHARED $<TARGET_OBJECTS:hebb_c>)
hebb_portable(hebb_portable_library ${hebb_portable_rooms})
set_target_properties(hebb_portable_library PROPERTIES
  SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX LINK_DEPENDS "${hebb_portable_map}")
target_link_options(hebb_portable_library PRIVATE "LINKER:--version-script=${hebb_portable_map}")

add_custom_target(hebb_portable DEPENDS hebb_portable_program hebb_portable_library)
