// Runs all tests of an executable on every process of an MPI run; fails where any process fails.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "mpi_processes.hpp"

namespace kohypar::test {

namespace {
const programs::MpiSession* running = nullptr;
}

const Communicator& all_processes() {
  return running->processes();
}

}  // namespace kohypar::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const kohypar::programs::MpiSession session;
  kohypar::test::running = &session;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
