# Every dependency: an installed package first, else the upstream release pinned by tag.
#
# Defines the target kohypar_kokkos_kernels, for the tests: whatever Kokkos Kernels calls its own, with the compile
# definition KOHYPAR_HAVE_KOKKOS_KERNELS; empty where Kernels are switched off or there are no tests.
include(FetchContent)
include(Versions)
if(KOHYPAR_IN_PLACE_PREFIX)
  include(InPlacePrefix)
endif()

# Headers of a dependency built along with us get no warnings of ours.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25)
  set(kohypar_system SYSTEM)
endif()

FetchContent_Declare(Kokkos
  GIT_REPOSITORY https://github.com/kokkos/kokkos.git GIT_TAG 4.6.01 GIT_SHALLOW TRUE ${kohypar_system}
  FIND_PACKAGE_ARGS ${KOHYPAR_KOKKOS_VERSIONS})
FetchContent_Declare(cxxopts
  GIT_REPOSITORY https://github.com/jarro2783/cxxopts.git GIT_TAG v3.2.1 GIT_SHALLOW TRUE ${kohypar_system}
  FIND_PACKAGE_ARGS ${KOHYPAR_CXXOPTS_VERSION})
FetchContent_MakeAvailable(Kokkos cxxopts)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
if(KOHYPAR_WITH_MPI STREQUAL "AUTO")
  if(NOT KOHYPAR_IN_PLACE_PREFIX)  # whose C library is not the one that an installed MPI was built for
    find_package(MPI COMPONENTS CXX)
  endif()
elseif(KOHYPAR_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

# A preset names the backend it is for; an installed Kokkos may have been built without it.
if(KOHYPAR_BACKEND AND Kokkos_FOUND AND NOT KOHYPAR_BACKEND IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} has ${Kokkos_DEVICES}, but not ${KOHYPAR_BACKEND}. "
    "Point Kokkos_ROOT to one that has it, or set CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to build upstream's.")
endif()

add_library(kohypar_kokkos_kernels INTERFACE)
if(KOHYPAR_ENABLE_KOKKOS_KERNELS AND KOHYPAR_BUILD_TESTS)
  include(KokkosKernels)
endif()

if(KOHYPAR_BUILD_TESTS)
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  FetchContent_Declare(GTest
    GIT_REPOSITORY https://github.com/google/googletest.git GIT_TAG v1.14.0 GIT_SHALLOW TRUE ${kohypar_system}
    FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(GTest)
endif()
