// The one exception type of the library; its kind is the exit code of the programs.
#pragma once

#include <stdexcept>
#include <string>

namespace kohypar {

/// What went wrong, as the exit code a program ends with.
enum class ErrorKind : int {
  internal = 1,       ///< anything else; a defect of KoHyPar
  usage = 2,          ///< unusable arguments
  input = 3,          ///< an input can't be read, is malformed, or a conversion would lose something
  infeasible = 4,     ///< no valid partition exists, or none was found
  out_of_memory = 5,  ///< need and limit are in the message
  interrupted = 130,  ///< stopped on request
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

}  // namespace kohypar
