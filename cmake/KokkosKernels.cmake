# Fills the target kohypar_kokkos_kernels.
#
# From upstream only the graph component is built, without explicit instantiations and BLAS: seconds, not hours.
set(KokkosKernels_ENABLE_ALL_COMPONENTS OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_COMPONENT_GRAPH ON CACHE BOOL "")
set(KokkosKernels_ADD_DEFAULT_ETI OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_BLAS OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_LAPACK OFF CACHE BOOL "")

# Asked for without a version: some packages of it have no version file.
FetchContent_Declare(KokkosKernels
  GIT_REPOSITORY https://github.com/kokkos/kokkos-kernels.git GIT_TAG 4.6.01 GIT_SHALLOW TRUE ${kohypar_system}
  GIT_SUBMODULES ""
  FIND_PACKAGE_ARGS)
FetchContent_MakeAvailable(KokkosKernels)

# Upstream's name first; Trilinos, and so Debian, uses the second.
foreach(name IN ITEMS Kokkos::kokkoskernels KokkosKernels::all_libs)
  if(TARGET ${name})
    target_link_libraries(kohypar_kokkos_kernels INTERFACE ${name})
    target_compile_definitions(kohypar_kokkos_kernels INTERFACE KOHYPAR_HAVE_KOKKOS_KERNELS)
    return()
  endif()
endforeach()
message(FATAL_ERROR "The Kokkos Kernels in ${KokkosKernels_DIR} define no target that is known here.")
