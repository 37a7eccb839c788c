# kohypar_warnings(target): what every target of ours is compiled with.
#
# Under nvcc only nvcc's own warnings are errors: the host compiler sees generated code there.
if(Kokkos_ENABLE_CUDA AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(kohypar_werror -Werror=all-warnings)
else()
  set(kohypar_werror -Werror)
endif()

function(kohypar_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow)
  if(KOHYPAR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE ${kohypar_werror})
  endif()
endfunction()
