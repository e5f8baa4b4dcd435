# How every target is compiled: C++20, warnings are errors, sanitizers by option.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE)
  # What it must overlook to keep files that are compiled with precompiled headers.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

set(STRIDER_HOST_OPTIONS -Wall -Wextra -Werror -fno-math-errno -ffp-contract=off
                         -fvisibility=hidden -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
add_compile_options("$<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${STRIDER_HOST_OPTIONS}>")

if(STRIDER_SANITIZE)
  add_compile_options(-fsanitize=${STRIDER_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${STRIDER_SANITIZE})
  if(STRIDER_SANITIZE MATCHES "address")
    add_compile_definitions(STRIDER_ADDRESS_SANITIZER)
  elseif(STRIDER_SANITIZE MATCHES "thread")
    add_compile_definitions(STRIDER_THREAD_SANITIZER)
    # Between its calls g++ no longer sees that a value was tested before it is released.
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>)
  endif()
endif()

if(STRIDER_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What nearly every file includes is parsed once for a room (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON: in each file).
set(STRIDER_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <memory> <mutex> <optional> <span> <sstream> <string>
  <string_view> <unordered_map> <unordered_set> <utility> <vector>)

# What runs once, or once for a message or a test, is compiled sooner.
set(STRIDER_SELDOM_RUN -O1)

# A library of one room: strider_library(NAME SOURCES ... DEPENDS ... [PUBLIC_INCLUDE dir])
function(strider_library name)
  cmake_parse_arguments(arg "" "PUBLIC_INCLUDE" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  if(arg_PUBLIC_INCLUDE)
    target_include_directories(${name} PUBLIC ${arg_PUBLIC_INCLUDE})
  endif()
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
endfunction()

# A program that opens plug-ins: it exports all of the array library, used by itself or not.
function(strider_opens_plugins name)
  set_target_properties(${name} PROPERTIES
    ENABLE_EXPORTS ON LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,strider_nd")
endfunction()

# A program: strider_program(NAME SOURCE ...); sanitizers find their settings in it.
function(strider_program name)
  add_executable(${name} ${ARGN})
  if(STRIDER_SANITIZE)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/sanitizers/memory.cpp
                                   ${PROJECT_SOURCE_DIR}/tests/sanitizers/suppressions.cpp)
  endif()
endfunction()
