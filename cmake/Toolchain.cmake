# The language level, the warnings, the sanitizers, and settings that make builds on a small machine quick. They
# are properties of hebb_options, which every target of the project links privately.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(HEBB_CCACHE ccache)
if(HEBB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache needs the first setting to work with precompiled headers. It does not see that one of hebb's own headers in
  # them has changed, as long as the precompiled header of before is there.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      "CCACHE_EXTRAFILES=${PROJECT_SOURCE_DIR}/cmake/include/nlohmann/json.hpp" "${HEBB_CCACHE}")
endif()

add_library(hebb_options INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(hebb_options INTERFACE $<$<BOOL:${HEBB_PCH}>:-fpch-preprocess>)  # for ccache
endif()
# Position-independent code everywhere, so that the program, the tests and libhebb share their objects.
target_compile_options(hebb_options INTERFACE -fPIC)
# No fused multiply-add (-ffp-contract=off), so that a fold gives the same bits on every machine.
target_compile_options(hebb_options INTERFACE -Wall -Wextra -Wconversion -ffp-contract=off)

if(HEBB_SANITIZE)
  target_compile_options(hebb_options INTERFACE
    -fsanitize=${HEBB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hebb_options INTERFACE -fsanitize=${HEBB_SANITIZE})
  if(HEBB_SANITIZE MATCHES "thread")
    # ThreadSanitizer does not know fences, and g++ warns of those in Asio, which locks a mutex besides.
    target_compile_definitions(hebb_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms of g++ 12: in <regex>, and where a std::string of known length is copied.
    target_compile_options(hebb_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds
                                                  -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
if(HEBB_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEBB_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++-14")
  endif()
  # -fsanitize=function cannot be compiled into a coroutine by clang before version 17 ("Cannot represent a
  # difference across sections", https://github.com/llvm/llvm-project/issues/49689).
  target_compile_options(hebb_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(hebb_options INTERFACE -fsanitize=address,undefined)
endif()

find_program(HEBB_MOLD mold)
find_program(HEBB_LLD ld.lld)
if(HEBB_MOLD)
  target_link_options(hebb_options INTERFACE -fuse-ld=mold)
elseif(HEBB_LLD)
  target_link_options(hebb_options INTERFACE -fuse-ld=lld)
endif()
