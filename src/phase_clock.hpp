// Wall-clock time by phase, the same names as the profiling regions.
#pragma once

#include <kohypar/partition.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kohypar {

/// Adds up the time of scopes by name. Phases run one after the other on one execution space instance; a
/// scope ends with a fence so that its kernels count for it.
class PhaseClock {
 public:
  explicit PhaseClock(ExecutionSpace space) : space_(std::move(space)) {}

  /// Runs `work` as a phase and returns what it returns.
  template <class Work>
  auto time(const std::string& phase, Work&& work) {
    const Scope scope(*this, phase);
    return std::forward<Work>(work)();
  }

  /// Adds what another clock has measured.
  void add(const PhaseTiming& more) {
    for (PhaseTiming& timing : timings_) {
      if (timing.phase != more.phase) continue;
      timing.seconds += more.seconds;
      timing.calls += more.calls;
      return;
    }
    timings_.push_back(more);
  }

  [[nodiscard]] const std::vector<PhaseTiming>& timings() const { return timings_; }

 private:
  class Scope {
   public:
    Scope(PhaseClock& clock, const std::string& phase) : clock_(clock), phase_(phase) {
      Kokkos::Profiling::pushRegion("KoHyPar::" + phase);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      clock_.space_.fence("KoHyPar::phase_end");
      Kokkos::Profiling::popRegion();
      clock_.add({phase_, timer_.seconds(), 1});
    }

   private:
    PhaseClock& clock_;
    const std::string& phase_;
    Kokkos::Timer timer_;
  };

  ExecutionSpace space_;
  std::vector<PhaseTiming> timings_;
};

}  // namespace kohypar
