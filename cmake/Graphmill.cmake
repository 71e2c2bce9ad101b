# Everything the folders' CMakeLists share: packages, warnings, the precompiled
# header, and one function for each kind of target.

option(GRAPHMILL_ASSERTIONS "Keep asserts in optimized builds" OFF)
set(GRAPHMILL_SANITIZERS "" CACHE STRING "Comma-separated -fsanitize= list")

find_package(LLVM REQUIRED CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
find_package(fmt REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_program(CCACHE ccache)
if(CCACHE)
  # Without leave, ccache keeps nothing that a precompiled header went into.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR})
# The kernel cache tells builds of the compiler apart by it.
add_link_options(-Wl,--build-id)
if(LLD)
  add_link_options(-fuse-ld=${LLD})
endif()

add_library(graphmill_flags INTERFACE)
target_include_directories(graphmill_flags INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}>
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/fx/include> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/fx/include>
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/runtime/include>)
target_include_directories(graphmill_flags SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
separate_arguments(GRAPHMILL_LLVM_DEFS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(graphmill_flags INTERFACE -Wall -Wextra -Wno-unused-parameter -Werror
  $<$<COMPILE_LANGUAGE:CXX>:${GRAPHMILL_LLVM_DEFS}>)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(graphmill_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
# The precompiled header is what its sources make it, not when: ccache finds it again, and a
# package that is installed while a build runs doesn't end it.
target_compile_options(graphmill_flags INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
if(GRAPHMILL_ASSERTIONS)
  target_compile_options(graphmill_flags INTERFACE -UNDEBUG
    $<$<COMPILE_LANGUAGE:CXX>:-include${CMAKE_CURRENT_LIST_DIR}/Assertions.h>)
endif()
if(GRAPHMILL_SANITIZERS)
  add_compile_options(-fsanitize=${GRAPHMILL_SANITIZERS} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GRAPHMILL_SANITIZERS})
endif()
# Shared MLIR and LLVM link fast and lie in memory once; a program with GRAPHMILL_STATIC_LLVM set
# has them inside and starts fast.
include(StaticLLVM)
add_library(graphmill_llvm_shared INTERFACE)
target_link_libraries(graphmill_llvm_shared INTERFACE MLIR LLVM)
set(static_llvm $<BOOL:$<TARGET_PROPERTY:GRAPHMILL_STATIC_LLVM>>)
target_link_libraries(graphmill_flags INTERFACE
  $<IF:${static_llvm},graphmill_llvm_static,graphmill_llvm_shared> fmt::fmt)

# One precompiled header for everything that speaks MLIR.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp.in "")
configure_file(${CMAKE_BINARY_DIR}/pch.cpp.in ${CMAKE_BINARY_DIR}/pch.cpp COPYONLY)
add_library(graphmill_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(graphmill_pch PUBLIC graphmill_flags)
target_precompile_headers(graphmill_pch PUBLIC ${CMAKE_SOURCE_DIR}/cmake/Precompiled.h)

# graphmill_library(NAME [NO_PCH] SOURCES file... [LINK target...])
function(graphmill_library name)
  cmake_parse_arguments(ARG "NO_PCH" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC graphmill_flags ${ARG_LINK})
  if(NOT ARG_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM graphmill_pch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# graphmill_tool(NAME SOURCES file... [LINK target...])
function(graphmill_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE graphmill_flags ${ARG_LINK})
  # Programs would be -fPIE, with which clang refuses the -fPIC precompiled header.
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM graphmill_pch)
endfunction()

# graphmill_unittests(NAME SOURCES file... [LINK target...]): one GoogleTest binary a folder.
function(graphmill_unittests name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE graphmill_flags GTest::gtest GTest::gtest_main ${ARG_LINK})
  # Programs would be -fPIE, with which clang refuses the -fPIC precompiled header.
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM graphmill_pch)
  set_property(GLOBAL APPEND PROPERTY GRAPHMILL_TESTS ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# graphmill_tablegen(TARGET TD_FILE GEN FILE=-flag[,-flag]...): what mlir-tblgen makes of one file.
function(graphmill_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  cmake_parse_arguments(ARG "" "" "GEN" ${ARGN})
  foreach(gen ${ARG_GEN})
    string(FIND "${gen}" "=" split)
    string(SUBSTRING "${gen}" 0 ${split} file)
    math(EXPR split "${split} + 1")
    string(SUBSTRING "${gen}" ${split} -1 flags)
    string(REPLACE "," ";" flags "${flags}")
    mlir_tablegen(${file} ${flags} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  endforeach()
  add_public_tablegen_target(${target})
endfunction()

# graphmill_op_table(FILE TD_FILE -flag): what our own tblgen makes of the op records.
function(graphmill_op_table file td flag)
  file(GLOB records CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fx/Aten/*.td ${CMAKE_SOURCE_DIR}/fx/IR/*.td)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${file}
    COMMAND graphmill-tblgen ${flag} -I ${CMAKE_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS}
      ${CMAKE_SOURCE_DIR}/fx/Aten/${td} -o ${file}
    DEPENDS graphmill-tblgen ${records})
endfunction()
