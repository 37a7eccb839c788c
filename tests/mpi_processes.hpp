// The processes of an MPI run of tests.
#pragma once

#include "programs/mpi_communicator.hpp"

namespace kohypar::test {

const Communicator& all_processes();

}  // namespace kohypar::test
