# The test of the installed package: see check_package.cmake.
set(arguments
  -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
  "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}")
foreach(package IN ITEMS Kokkos KokkosKernels)
  # A dependency that was built along with KoHyPar has been installed along with it.
  if(${package}_FOUND AND NOT ${package}_DIR STREQUAL CMAKE_FIND_PACKAGE_REDIRECTS_DIR)
    list(APPEND arguments -D${package}_DIR=${${package}_DIR})
  endif()
endforeach()
if(KOHYPAR_IN_PLACE_PREFIX)
  list(APPEND arguments -DKOHYPAR_IN_PLACE_PREFIX=${KOHYPAR_IN_PLACE_PREFIX}
    -DCMAKE_PROJECT_INCLUDE=${PROJECT_SOURCE_DIR}/cmake/InPlacePrefix.cmake)
endif()
string(REPLACE ";" "|" arguments "${arguments}")

add_test(NAME package_consumer COMMAND ${CMAKE_COMMAND}
  -DBUILD_DIR=${PROJECT_BINARY_DIR} -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/consumer -DCONFIGURATION=$<CONFIG>
  -DIN_PLACE_PREFIX=${KOHYPAR_IN_PLACE_PREFIX} "-DARGUMENTS=${arguments}"
  -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/check_package.cmake)
