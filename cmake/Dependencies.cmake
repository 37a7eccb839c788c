# Every dependency: an installed package first, else the upstream release pinned by tag.
include(FetchContent)

FetchContent_Declare(Kokkos
  GIT_REPOSITORY https://github.com/kokkos/kokkos.git GIT_TAG 4.6.01 GIT_SHALLOW TRUE
  FIND_PACKAGE_ARGS 4.5 NAMES Kokkos)
FetchContent_Declare(cxxopts
  GIT_REPOSITORY https://github.com/jarro2783/cxxopts.git GIT_TAG v3.2.1 GIT_SHALLOW TRUE
  FIND_PACKAGE_ARGS 3.0)
FetchContent_MakeAvailable(Kokkos cxxopts)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

if(KOHYPAR_BUILD_TESTS)
  FetchContent_Declare(GTest
    GIT_REPOSITORY https://github.com/google/googletest.git GIT_TAG v1.14.0 GIT_SHALLOW TRUE
    FIND_PACKAGE_ARGS NAMES GTest)
  FetchContent_MakeAvailable(GTest)
endif()
