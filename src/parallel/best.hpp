// A reduction to the best of what threads found.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Kokkos reducer: the best T by T::better_than, a strict order; T() is worse than all else.
template <class T>
struct BestOf {
  using reducer = BestOf;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  KOKKOS_FUNCTION explicit BestOf(T& result) : result_(result) {}
  KOKKOS_FUNCTION void join(T& into, const T& from) const {
    if (from.better_than(into)) into = from;
  }
  KOKKOS_FUNCTION void init(T& value) const { value = T(); }
  KOKKOS_FUNCTION T& reference() const { return result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&result_); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  T& result_;
};

}  // namespace kohypar
