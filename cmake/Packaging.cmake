# What an installation holds beside the programs and plugins: libsluice, the
# public headers, how CMake (sluice::core) and pkg-config (sluice) find them,
# and the documentation. All of it works from wherever the prefix is moved to.
include(CMakePackageConfigHelpers)

set(SL_INSTALL_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/sluice)
set(SL_INSTALL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
set(SL_INSTALL_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS sl_core EXPORT sluice-targets)
install(DIRECTORY core/include/sluice TYPE INCLUDE
  FILES_MATCHING PATTERN "*.h")

# sluice::core needs the headers and the library, and nothing else.
install(EXPORT sluice-targets NAMESPACE sluice::
  DESTINATION ${SL_INSTALL_CMAKE_DIR})
configure_package_config_file(cmake/sluice-config.cmake.in
  ${PROJECT_BINARY_DIR}/packaging/sluice-config.cmake
  INSTALL_DESTINATION ${SL_INSTALL_CMAKE_DIR}
  PATH_VARS SL_INSTALL_PLUGIN_DIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/packaging/sluice-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/packaging/sluice-config.cmake
  ${PROJECT_BINARY_DIR}/packaging/sluice-config-version.cmake
  DESTINATION ${SL_INSTALL_CMAKE_DIR})

# The way from the .pc file up to the prefix.
file(RELATIVE_PATH SL_PC_TO_PREFIX /prefix/${SL_INSTALL_PC_DIR} /prefix)
string(REGEX REPLACE "/$" "" SL_PC_TO_PREFIX ${SL_PC_TO_PREFIX})
configure_file(cmake/sluice.pc.in
  ${PROJECT_BINARY_DIR}/packaging/sluice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/packaging/sluice.pc
  DESTINATION ${SL_INSTALL_PC_DIR})

# As in the tree, so that the pages' links hold. The trace of router.conf is
# there if the build could generate it.
install(FILES README.md HACKING.md CHANGELOG.md LICENSE TYPE DOC)
install(DIRECTORY docs TYPE DOC)
install(DIRECTORY ci/templates DESTINATION ${CMAKE_INSTALL_DOCDIR}/ci)
install(DIRECTORY plugins TYPE DOC FILES_MATCHING PATTERN "*.md")
install(FILES examples/router.conf DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES examples/router-trace.txt OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY examples/embed examples/energy examples/nat-capture
  examples/out-of-tree-stage
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples USE_SOURCE_PERMISSIONS
  PATTERN build EXCLUDE PATTERN "*.so" EXCLUDE PATTERN "*.pcapng" EXCLUDE
  PATTERN .gitignore EXCLUDE)
