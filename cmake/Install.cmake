# cmake --install: the library, its headers, the programs, and a package with the target KoHyPar::kohypar.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/KoHyPar)

if(KOHYPAR_IN_PLACE_PREFIX)
  # The variable is for our own test of the package, which goes away with the build folder.
  install(CODE [[
    if("$ENV{KOHYPAR_INSTALL_IN_PLACE}" STREQUAL "")
      message(FATAL_ERROR "Not installed: this build uses the Kokkos under its own build folder, which is for "
        "building and testing in place. Install Kokkos, then build with CMAKE_PREFIX_PATH naming it.")
    endif()]])
endif()

install(TARGETS kohypar EXPORT KoHyParTargets)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES src/io/report.schema.json src/io/betweenness.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/kohypar)
if(TARGET kohypar_program)
  install(TARGETS kohypar_program kohypar_bc_program)
endif()

install(EXPORT KoHyParTargets NAMESPACE KoHyPar:: DESTINATION ${package_dir})
configure_package_config_file(cmake/KoHyParConfig.cmake.in ${PROJECT_BINARY_DIR}/KoHyParConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KoHyParConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KoHyParConfig.cmake ${PROJECT_BINARY_DIR}/KoHyParConfigVersion.cmake
  DESTINATION ${package_dir})
