// Reductions of what threads found: to the best, or to the sum.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

struct KeepBetter {
  template <class T>
  KOKKOS_FUNCTION void operator()(T& into, const T& from) const {
    if (from.better_than(into)) into = from;
  }
};

struct AddUp {
  template <class T>
  KOKKOS_FUNCTION void operator()(T& into, const T& from) const {
    into += from;
  }
};

/// Kokkos reducer from T().
template <class T, class Join>
struct JoinOf {
  using reducer = JoinOf;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  KOKKOS_FUNCTION explicit JoinOf(T& result) : result_(result) {}
  KOKKOS_FUNCTION void join(T& into, const T& from) const { Join()(into, from); }
  KOKKOS_FUNCTION void init(T& value) const { value = T(); }
  KOKKOS_FUNCTION T& reference() const { return result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&result_); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  T& result_;
};

/// The best T by T::better_than, a strict order; T() is worse than all else.
template <class T>
using BestOf = JoinOf<T, KeepBetter>;

/// The sum by +=.
template <class T>
using SumOf = JoinOf<T, AddUp>;

}  // namespace kohypar
