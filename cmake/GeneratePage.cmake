# cmake -D PAGE_DIR=… -D OUT=… -P GeneratePage.cmake
# Writes OUT: the files of PAGE_DIR, byte for byte, as string literals.
cmake_minimum_required(VERSION 3.25)

file(GLOB files "${PAGE_DIR}/*")
list(SORT files)
set(entries "")
foreach(path IN LISTS files)
  get_filename_component(name "${path}" NAME)
  file(SHA256 "${path}" hash)
  string(SUBSTRING "${hash}" 0 20 hash)
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
  file(SIZE "${path}" size)
  string(APPEND entries "    {\"${name}\", \"${hash}\", {\"${literal}\", ${size}}},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from serve/page/built/ by cmake/GeneratePage.cmake.
#include \"serve/message.h\"

namespace hebb::serve {

std::span<const PageFile> page_files() {
  static constexpr PageFile kFiles[] = {
${entries}  };
  return kFiles;
}

}  // namespace hebb::serve
")
