# cmake -D... -P: installs KoHyPar to a folder under WORK_DIR, then configures, builds and runs the consumer
# project against it. A build with packages unpacked in place must refuse to be installed; its package is then
# checked all the same, with the settings that such a prefix needs.
#
# BUILD_DIR        KoHyPar's build folder, built
# WORK_DIR         made anew
# CONFIGURATION    e.g. Release
# IN_PLACE_PREFIX  KOHYPAR_IN_PLACE_PREFIX of the build, or empty
# ARGUMENTS        for the consumer's configure step, separated by |
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(install
  ${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIGURATION} --prefix ${WORK_DIR}/installed)
string(REPLACE "|" ";" ARGUMENTS "${ARGUMENTS}")
file(REMOVE_RECURSE ${WORK_DIR})

if(IN_PLACE_PREFIX)
  execute_process(COMMAND ${install} RESULT_VARIABLE result ERROR_VARIABLE message)
  if(result EQUAL 0 OR NOT message MATCHES "Not installed: .* in place" OR EXISTS ${WORK_DIR}/installed)
    message(FATAL_ERROR "Installing from packages unpacked in place was not refused: ${result} ${message}")
  endif()
  set(ENV{KOHYPAR_INSTALL_IN_PLACE} ON)
endif()

run(${install})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build ${ARGUMENTS}
  -DCMAKE_BUILD_TYPE=${CONFIGURATION} -DKoHyPar_ROOT=${WORK_DIR}/installed)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIGURATION})
file(GLOB_RECURSE consumer ${WORK_DIR}/build/consumer ${WORK_DIR}/build/consumer.exe)
run(${consumer})
