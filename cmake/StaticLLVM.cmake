# graphmill_llvm_static: MLIR and LLVM as archives, for the program that people run. It starts in a
# third of the time that it takes with Debian's shared libraries, and needs none of them.

set(GRAPHMILL_LLVM_TARGETS X86 AArch64)

# lld and LLVM's pass builder name every back end and Polly; those that no code is made for are
# given empty bodies.
set(unused ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM unused ${GRAPHMILL_LLVM_TARGETS})
set(GRAPHMILL_UNUSED_BACK_ENDS "")
foreach(target ${unused})
  string(APPEND GRAPHMILL_UNUSED_BACK_ENDS "BACK_END(${target})\n")
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/UnusedBackEnds.cpp.in ${CMAKE_BINARY_DIR}/UnusedBackEnds.cpp @ONLY)

get_property(mlir_libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
string(REPLACE ";" "|" unused "${unused}")
set(llvm_libraries ${LLVM_AVAILABLE_LIBS})
list(FILTER llvm_libraries INCLUDE REGEX "^LLVM.")
list(FILTER llvm_libraries EXCLUDE REGEX "^LLVM(${unused}|BOLT|Exegesis|OptDriver)")
set(archives "")
foreach(library ${mlir_libraries} ${llvm_libraries})
  get_target_property(type ${library} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND archives $<TARGET_FILE:${library}>)
  endif()
endforeach()

add_library(graphmill_llvm_static INTERFACE)
target_sources(graphmill_llvm_static INTERFACE ${CMAKE_BINARY_DIR}/UnusedBackEnds.cpp)
target_link_libraries(graphmill_llvm_static INTERFACE
  -Wl,--start-group ${archives} -Wl,--end-group ZLIB::ZLIB zstd::libzstd_shared)
target_link_options(graphmill_llvm_static INTERFACE -Wl,--gc-sections)
