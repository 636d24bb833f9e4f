# cmake --install: the program with its man page and completions; libhebb, the C interface, with hebb.h; libhebb-cxx,
# one shared library of the rooms up to engine/, with its headers under include/hebb (so that <engine/engine.h> is
# found). The CMake package hebb has the targets hebb::hebb and hebb::cxx, pkg-config hebb.pc and hebb-cxx.pc. None of
# the public headers needs another library's headers.
include(CMakePackageConfigHelpers)

set(hebb_objects "")
set(hebb_libraries "")
foreach(room IN ITEMS hebb_secrets hebb_graph hebb_reward hebb_sql hebb_engine)
  list(APPEND hebb_objects $<TARGET_OBJECTS:${room}>)
  get_target_property(libraries ${room} LINK_LIBRARIES)
  list(APPEND hebb_libraries ${libraries})
endforeach()
list(FILTER hebb_libraries EXCLUDE REGEX "^hebb_")
list(REMOVE_DUPLICATES hebb_libraries)

# hebb_shared_library(TARGET NAME EXPORT): the target's library is libNAME.so, and exports what cmake/libNAME.map says.
function(hebb_shared_library target name export)
  set(map "${PROJECT_SOURCE_DIR}/cmake/lib${name}.map")
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} EXPORT_NAME ${export} LINKER_LANGUAGE CXX LINK_DEPENDS "${map}"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
  install(TARGETS ${target} EXPORT hebbTargets)
endfunction()

add_library(libhebb SHARED $<TARGET_OBJECTS:hebb_c>)
target_link_libraries(libhebb PRIVATE hebb_api hebb_options)
target_include_directories(libhebb INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
hebb_shared_library(libhebb hebb hebb)
install(FILES "${PROJECT_SOURCE_DIR}/c/hebb.h" TYPE INCLUDE)

add_library(libhebb_cxx SHARED ${hebb_objects})
target_link_libraries(libhebb_cxx PRIVATE ${hebb_libraries} hebb_options)
target_compile_features(libhebb_cxx INTERFACE cxx_std_20)
target_include_directories(libhebb_cxx INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/hebb>)
hebb_shared_library(libhebb_cxx hebb-cxx cxx)

if(TARGET hebb)
  install(TARGETS hebb)
  include(InstallTexts)
endif()
install(EXPORT hebbTargets NAMESPACE hebb:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hebb)

# Public headers are those that these include, directly or not; no others are installed.
install(CODE "set(HEBB_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
set(HEBB_GENERATED_DIR \"${HEBB_GENERATED_DIR}\")
set(HEBB_INCLUDE_DIR \"${CMAKE_INSTALL_INCLUDEDIR}/hebb\")
set(HEBB_PUBLIC_HEADERS engine/engine.h engine/look/look.h graph/algorithms.h)")
install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake")

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/hebbConfig.cmake" @ONLY
     CONTENT "include(\"\${CMAKE_CURRENT_LIST_DIR}/hebbTargets.cmake\")\n")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hebbConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/hebbConfig.cmake" "${PROJECT_BINARY_DIR}/hebbConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hebb)

# The prefix is found from where the file lies, so an installed tree can be moved.
file(RELATIVE_PATH hebb_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" hebb_prefix "${hebb_prefix}")
set(hebb_names hebb hebb-cxx)
set(hebb_languages "C" "C++20")
set(hebb_header_folders "." "hebb")
foreach(name language headers IN ZIP_LISTS hebb_names hebb_languages hebb_header_folders)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/hebb.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(HEBB_TESTS)
  add_test(NAME "install: other projects find and use hebb"
           COMMAND "${CMAKE_COMMAND}" -D "BUILD_DIR=${PROJECT_BINARY_DIR}"
                   -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}" -D "LIBDIR=${CMAKE_INSTALL_LIBDIR}"
                   -D "CXX=${CMAKE_CXX_COMPILER}" -D "WORK_DIR=${PROJECT_BINARY_DIR}/install-test"
                   -P "${PROJECT_SOURCE_DIR}/tests/install/run.cmake")
endif()
