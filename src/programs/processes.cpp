#include "programs/processes.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace kohypar::programs {

#ifdef KOHYPAR_WITH_MPI
namespace {

/// By the variables that launchers set: Open MPI, those that speak PMI or PMIx, Slurm, Cray's.
bool is_launched() {
  constexpr const char* variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK",     "PMIX_RANK",
                                       "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "PALS_RANKID"};
  return std::any_of(std::begin(variables), std::end(variables),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace
#endif

Processes::Processes([[maybe_unused]] bool wanted) {
#ifdef KOHYPAR_WITH_MPI
  if (wanted || is_launched()) session_.emplace();
#endif
}

std::string Processes::library() const {
#ifdef KOHYPAR_WITH_MPI
  return session_ ? MpiSession::library_version() : "";
#else
  return "";
#endif
}

std::vector<std::uint64_t> Processes::gather(std::uint64_t value) const {
  std::vector<std::uint64_t> values(static_cast<std::size_t>(size()), value);
  if (several() == nullptr) return values;
  const std::vector<std::size_t> bytes(values.size(), sizeof value);
  several()
      ->all_gather(reinterpret_cast<const std::byte*>(&value), reinterpret_cast<std::byte*>(values.data()),
                   bytes)
      ->wait();
  return values;
}

void Processes::agree(const std::function<void()>& work) const {
  if (several() == nullptr) return work();
  std::optional<Error> error;
  try {
    work();
  } catch (const Error& thrown) {
    error = thrown;
  }
  const std::vector<std::uint64_t> codes = gather(static_cast<std::uint64_t>(error ? error->exit_code() : 0));
  const auto first = std::find_if(codes.begin(), codes.end(), [](std::uint64_t c) { return c != 0; });
  if (first == codes.end()) return;
  if (first - codes.begin() == rank()) throw *error;
  throw Error(static_cast<ErrorKind>(*first), "");
}

void Processes::end_all([[maybe_unused]] int exit_code) const {
#ifdef KOHYPAR_WITH_MPI
  if (several() != nullptr) MpiSession::abort(exit_code);
#endif
}

}  // namespace kohypar::programs
