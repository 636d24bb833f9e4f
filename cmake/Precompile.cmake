# Optional precompiled headers, which save a third of the time of a clean build. Off unless a preset turns them
# on, so that ordinary builds and the clang preset compile every file with its own includes only.
option(HEBB_PCH "Precompile the standard headers (g++ only)" OFF)

# The JSON header declares std::quoted, which a call of an own quoted() with a std::string would find as well.
set(hebb_pch_headers
  <algorithm> <array> <cmath> <cstdint> <deque> <functional> <map> <memory> <optional> <set> <span>
  <stdexcept> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector>
  <nlohmann/json.hpp>)

if(HEBB_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(HEBB_PCH_USED ON)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/empty.cc" CONTENT "" @ONLY)
  add_library(hebb_pch OBJECT "${PROJECT_BINARY_DIR}/generated/empty.cc")
  target_precompile_headers(hebb_pch PRIVATE ${hebb_pch_headers} <fmt/format.h>)
  target_link_libraries(hebb_pch PRIVATE fmt::fmt nlohmann_json::nlohmann_json hebb_options)
else()
  set(HEBB_PCH_USED OFF)
endif()

# For a target that links fmt::fmt.
function(hebb_precompile target)
  if(HEBB_PCH_USED)
    target_precompile_headers(${target} REUSE_FROM hebb_pch)
  endif()
endfunction()

# For a target that includes further large headers in most of its files.
function(hebb_precompile_own target)
  if(HEBB_PCH_USED)
    target_precompile_headers(${target} PRIVATE ${hebb_pch_headers} <fmt/format.h> ${ARGN})
  endif()
endfunction()
