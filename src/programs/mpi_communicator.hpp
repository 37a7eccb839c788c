// Communicator on MPI; only where KoHyPar was built with MPI.
#pragma once

#include <kohypar/communicator.hpp>
#include <memory>
#include <string>

namespace kohypar::programs {

/// MPI's initialisation and end; all processes of the program.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] const Communicator& processes() const { return *processes_; }
  [[nodiscard]] static std::string library_version();

  /// Ends all processes, whatever they are waiting for.
  [[noreturn]] static void abort(int exit_code);

 private:
  std::unique_ptr<Communicator> processes_;
};

}  // namespace kohypar::programs
