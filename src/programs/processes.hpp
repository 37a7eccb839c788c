// The processes that a program runs as: by MPI where KoHyPar was built with it, else one.
#pragma once

#include <cstdint>
#include <functional>
#include <kohypar/communicator.hpp>
#include <kohypar/error.hpp>
#include <optional>
#include <string>
#include <vector>

#ifdef KOHYPAR_WITH_MPI
#include "programs/mpi_communicator.hpp"
#endif

namespace kohypar::programs {

class Processes {
 public:
  /// @param wanted the user asked for several; else MPI, whose start takes half a second, starts only if a
  /// launcher of parallel programs has started this one
  explicit Processes(bool wanted);

  [[nodiscard]] int size() const { return all() == nullptr ? 1 : all()->size(); }
  [[nodiscard]] int rank() const { return all() == nullptr ? 0 : all()->rank(); }
  /// Nullptr if there is but one.
  [[nodiscard]] const Communicator* several() const { return size() == 1 ? nullptr : all(); }
  /// The MPI library's version; empty without MPI.
  [[nodiscard]] std::string library() const;

  /// A number of every process, in the order of ranks.
  std::vector<std::uint64_t> gather(std::uint64_t value) const;

  /// Does work that every process does alike, and may fail at: throws on every process if it throws on any,
  /// but only the first of those has a message.
  void agree(const std::function<void()>& work) const;

  /// Ends all processes if there are several.
  void end_all(int exit_code) const;

 private:
#ifdef KOHYPAR_WITH_MPI
  [[nodiscard]] const Communicator* all() const {
    return session_ ? &session_->processes() : nullptr;
  }
  std::optional<MpiSession> session_;
#else
  [[nodiscard]] const Communicator* all() const {
    return nullptr;
  }
#endif
};

}  // namespace kohypar::programs
