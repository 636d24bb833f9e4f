# The libraries that hebb uses; all of them are Debian packages (scripts/install-deps).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)  # with 1.74 Beast refuses bodies, and Asio ends a server that lacks memory
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(SQLite3 3.37 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS SSL)  # its headers; the library is loaded when TLS is used
find_package(CLI11 REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
target_include_directories(nlohmann_json::nlohmann_json BEFORE INTERFACE "${PROJECT_SOURCE_DIR}/cmake/include")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/json.cc" @ONLY
     CONTENT "#include <nlohmann/json.hpp>\nHEBB_JSON_TEMPLATES(template)\n")
add_library(hebb_json STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/generated/json.cc")
target_include_directories(hebb_json PRIVATE "${PROJECT_SOURCE_DIR}/cmake/include")
target_link_libraries(hebb_json PRIVATE hebb_options)
target_link_libraries(nlohmann_json::nlohmann_json INTERFACE hebb_json)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(pugixml REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
set_target_properties(PkgConfig::utf8proc PROPERTIES INTERFACE_COMPILE_OPTIONS "")  # they are only for its own build

# Each shared library that a program loads delays its start. So the program is linked with archives of these libraries,
# where there are any; libhebb and the tests use the shared ones. Distributions, which want to replace a library without
# building hebb anew, turn it off.
option(HEBB_ARCHIVES "Link the program with archives of libraries, where there are any" ON)

# library::NAME is TARGET; in a target whose property HEBB_ARCHIVES is set it is ARCHIVE, if that is given and found.
function(hebb_library name target archive)
  add_library(library::${name} INTERFACE IMPORTED)
  if(archive)
    set(target "$<IF:$<BOOL:$<TARGET_PROPERTY:HEBB_ARCHIVES>>,${archive},${target}>")
  endif()
  target_link_libraries(library::${name} INTERFACE "${target}")
endfunction()

foreach(library IN ITEMS sqlite3=SQLite::SQLite3 z=ZLIB::ZLIB pugixml=pugixml::pugixml
                         xxhash=PkgConfig::xxhash utf8proc=PkgConfig::utf8proc)
  string(REPLACE "=" ";" library "${library}")
  list(GET library 0 name)
  list(GET library 1 target)
  find_library(HEBB_ARCHIVE_${name} lib${name}.a)
  mark_as_advanced(HEBB_ARCHIVE_${name})
  hebb_library(${name} ${target} "${HEBB_ARCHIVE_${name}}")
endforeach()

# toml++ is headers; its shared library has them compiled. The program compiles them itself.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/toml.cc" @ONLY
     CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(hebb_toml STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/generated/toml.cc")
target_include_directories(hebb_toml PRIVATE
  $<TARGET_PROPERTY:tomlplusplus::tomlplusplus,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(hebb_toml PRIVATE TOML_HEADER_ONLY=0)
target_compile_options(hebb_toml PRIVATE -fPIC)
hebb_library(tomlplusplus tomlplusplus::tomlplusplus hebb_toml)

if(HEBB_TESTS)
  find_package(Catch2 2.13 REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
