# kohypar_warnings(target): what every target of ours is compiled with.
function(kohypar_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow)
  if(KOHYPAR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${Kokkos_ENABLE_CUDA}>,-Werror=all-warnings,-Werror>)
  endif()
endfunction()
