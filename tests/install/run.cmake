# Installs the build into a prefix of its own, then builds and runs examples/library against it, once
# through find_package and once through pkg-config, and compares what it prints.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${code}:\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

function(expect_ranking how)
  if(NOT output MATCHES "^1 task-3 1\\.000\n2 task-2 0\\.[0-9]+\n$")
    message(FATAL_ERROR "built with ${how}, the example printed:\n${output}")
  endif()
endfunction()

# Of what is installed as libhebb.so.
function(expect_at_most most what count)
  if(count GREATER most)
    message(FATAL_ERROR "libhebb has ${count} ${what}, and at most ${most} are allowed")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
set(prefix "${WORK_DIR}/prefix")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")

# It holds what is embedded, not the program, and none of the templates of other libraries is for its users.
file(REAL_PATH "${prefix}/${LIBDIR}/libhebb.so" library)
file(SIZE "${library}" bytes)
expect_at_most(4200000 "bytes" ${bytes})
run(nm -D --defined-only "${library}")
string(REGEX MATCHALL "\n" symbols "${output}")
list(LENGTH symbols symbols)
expect_at_most(1700 "exported symbols" ${symbols})

run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE_DIR}/examples/library" -B "${WORK_DIR}/build"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/example")
expect_ranking("find_package")

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
run(pkg-config --cflags --libs hebb)
string(STRIP "${output}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run("${CXX}" -std=c++20 "${SOURCE_DIR}/examples/library/main.cc" -o "${WORK_DIR}/example" ${flags})
set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
run("${WORK_DIR}/example")
expect_ranking("pkg-config")

if(EXISTS "${prefix}/bin/hebb")
  file(STRINGS "${prefix}/share/man/man1/hebb.1" lines REGEX "recalibrate")
  if(NOT lines)
    message(FATAL_ERROR "the man page does not know the command recalibrate")
  endif()
  foreach(text IN ITEMS bash-completion/completions/hebb zsh/site-functions/_hebb
                        fish/vendor_completions.d/hebb.fish)
    file(STRINGS "${prefix}/share/${text}" lines REGEX "hebb __complete")
    if(NOT lines)
      message(FATAL_ERROR "share/${text} does not ask the program")
    endif()
  endforeach()
  run("${prefix}/bin/hebb" --version)
endif()
