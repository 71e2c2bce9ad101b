# `cmake --install build` puts the programs, libgraphmill.so, the public headers and the CMake
# package there: find_package(graphmill), target graphmill::graphmill (compiling in C++) and
# graphmill::runtime (headers of the C interface).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(graphmill_runtime_headers INTERFACE)
set_target_properties(graphmill_runtime_headers PROPERTIES EXPORT_NAME runtime)
target_include_directories(graphmill_runtime_headers INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS graphmill graphmill-opt RUNTIME)
install(TARGETS graphmill_shared graphmill_runtime_headers EXPORT graphmill-targets LIBRARY)
install(DIRECTORY fx/include/graphmill tools/compiler/include/graphmill runtime/include/graphmill
  ${CMAKE_BINARY_DIR}/fx/include/graphmill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT graphmill-targets NAMESPACE graphmill:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphmill
  FILE graphmillConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/graphmillConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/graphmillConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphmill)
