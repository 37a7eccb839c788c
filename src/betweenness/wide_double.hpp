// Path counts beyond the range of double.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace kohypar {

/// A non-negative number mantissa * 2^(512 exponent), the mantissa 0 or in [2^-256, 2^256). Scaling is by
/// powers of two, so that every operation rounds as the same one on doubles would if their range were
/// unlimited.
struct WideDouble {
  double mantissa = 0;
  std::int64_t exponent = 0;

  WideDouble() = default;
  KOKKOS_INLINE_FUNCTION explicit WideDouble(double value) : WideDouble(value, 0) {}
  KOKKOS_INLINE_FUNCTION WideDouble(double value, std::int64_t scale) : mantissa(value), exponent(scale) {
    if (mantissa >= 0x1p256) {
      mantissa *= 0x1p-512;
      ++exponent;
    } else if (mantissa < 0x1p-256 && mantissa > 0) {
      mantissa *= 0x1p512;
      --exponent;
    }
  }

  KOKKOS_INLINE_FUNCTION WideDouble& operator+=(const WideDouble& other) {
    if (other.mantissa == 0) return *this;
    if (mantissa == 0) return *this = other;
    const WideDouble high = exponent >= other.exponent ? *this : other;
    const WideDouble low = exponent >= other.exponent ? other : *this;
    // Two steps apart, the lower one is less than half of the last bit of the higher one.
    const std::int64_t steps = high.exponent - low.exponent;
    const double addend = steps == 0 ? low.mantissa : steps == 1 ? low.mantissa * 0x1p-512 : 0;
    return *this = WideDouble(high.mantissa + addend, high.exponent);
  }
};

KOKKOS_INLINE_FUNCTION WideDouble operator*(const WideDouble& a, const WideDouble& b) {
  return {a.mantissa * b.mantissa, a.exponent + b.exponent};
}

KOKKOS_INLINE_FUNCTION WideDouble operator/(double a, const WideDouble& b) {
  return {a / b.mantissa, -b.exponent};
}

/// The nearest double; infinity or a subnormal number where the range ends.
KOKKOS_INLINE_FUNCTION double to_double(const WideDouble& number) {
  double value = number.mantissa;
  for (std::int64_t i = number.exponent; i > 0 && value < 0x1p1000; --i) value *= 0x1p512;
  for (std::int64_t i = number.exponent; i < 0 && value > 0; ++i) value *= 0x1p-512;
  return value;
}

KOKKOS_INLINE_FUNCTION double to_double(double number) {
  return number;
}

/// Whether a path count leaves the range in which 1 / count has all its bits.
KOKKOS_INLINE_FUNCTION bool leaves_range(double count) {
  return count > 0x1p1000;
}

KOKKOS_INLINE_FUNCTION bool leaves_range(const WideDouble&) {
  return false;
}

}  // namespace kohypar
