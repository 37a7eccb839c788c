# Builds against the packages that scripts/dependencies.sh unpacked under KOHYPAR_IN_PLACE_PREFIX, for building
# and testing in place.
#
# They may be newer than this machine's C library. So programs run with the prefix's own dynamic linker and
# libraries, found by an RPATH (a RUNPATH would not serve the libraries' libraries), and the link step leaves
# symbols of those libraries that this machine's C library lacks to them.
set(kohypar_usr ${KOHYPAR_IN_PLACE_PREFIX}/usr)
list(PREPEND CMAKE_PREFIX_PATH ${kohypar_usr})

file(GLOB kohypar_loader ${kohypar_usr}/lib/*/ld-linux*.so.*)
list(LENGTH kohypar_loader kohypar_loader_count)
if(NOT kohypar_loader_count EQUAL 1)
  message(FATAL_ERROR "${KOHYPAR_IN_PLACE_PREFIX} is incomplete (no dynamic linker): remove it and run "
    "scripts/dependencies.sh again.")
endif()
get_filename_component(kohypar_library_dir ${kohypar_loader} DIRECTORY)
list(PREPEND CMAKE_BUILD_RPATH
  ${kohypar_library_dir} ${kohypar_library_dir}/blas ${kohypar_library_dir}/lapack)
add_link_options(
  -Wl,--allow-shlib-undefined -Wl,--disable-new-dtags -Wl,--dynamic-linker=${kohypar_loader})

# The prefix's libgtest.a wants a newer C++ runtime than this machine's compiler has: built from its sources.
set(FETCHCONTENT_SOURCE_DIR_GTEST ${kohypar_usr}/src/googletest CACHE PATH "" FORCE)

# Kokkos Kernels' package names link files of BLAS and LAPACK, which only come with their development packages.
foreach(name IN ITEMS BLAS::all_libs LAPACK::all_libs)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
