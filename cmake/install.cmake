# The library, its headers, and how CMake and pkg-config users find them.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/srgw)
# srgw.pc finds the prefix from where it lies, so that the tree may be moved.
file(RELATIVE_PATH SRGW_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SRGW_PC_PREFIX ${SRGW_PC_PREFIX})

install(TARGETS srgw EXPORT srgwTargets FILE_SET HEADERS)
install(EXPORT srgwTargets NAMESPACE srgw:: DESTINATION ${package_dir})
if(TARGET srgw_mpi)
  install(TARGETS srgw_mpi EXPORT srgwMpiTargets FILE_SET HEADERS)
  install(EXPORT srgwMpiTargets NAMESPACE srgw:: DESTINATION ${package_dir})
endif()

configure_package_config_file(cmake/srgwConfig.cmake.in srgwConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(srgwConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/srgwConfig.cmake ${PROJECT_BINARY_DIR}/srgwConfigVersion.cmake
  DESTINATION ${package_dir})

if(SRGW_BUNDLE_LICENCES)
  install(FILES ${SRGW_BUNDLE_LICENCES} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

# A static library passes its own dependencies on to the linker of the caller.
set(SRGW_PC_REQUIRES eigen3)
set(SRGW_PC_LIBS -lsrgw)
if(NOT BUILD_SHARED_LIBS)
  string(APPEND SRGW_PC_REQUIRES ", libhwy, pugixml, zlib")
  string(APPEND SRGW_PC_LIBS " -pthread")
endif()
configure_file(cmake/srgw.pc.in srgw.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/srgw.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
