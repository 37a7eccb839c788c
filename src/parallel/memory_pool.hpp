// Reuse of device memory within one run.
#pragma once

#include <algorithm>
#include <bit>
#include <kohypar/types.hpp>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>

#include "parallel/memory_meter.hpp"

namespace kohypar {

/// Device memory that temporary views hand on to each other. Allocating and freeing stop a device and cost up
/// to milliseconds each; a round of refinement would spend most of its time there. Blocks belong to a type;
/// one is free when nobody but the pool holds it. That its last user may still be running on the device does
/// not matter, for the next one runs after it: all work of a run goes to one execution space instance.
class MemoryPool {
 public:
  class Scope;

  /// A view without the fill, from the thread's pool if it has one.
  template <class T>
  static DeviceView<T> allocate(const std::string& label, std::size_t size) {
    if constexpr (PooledTypes::template contains<T>) {
      if (current_ != nullptr && size > 0) return current_->reuse<T>(label, size);
    }
    return DeviceView<T>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), size);
  }

  /// Gives idle blocks of the thread's pool back where so many bytes, not from the pool, would pass its
  /// limit.
  static void make_room(std::uint64_t wanted) {
    if (current_ != nullptr && current_->memory_limit_ != 0) current_->release_idle(wanted);
  }

 private:
  template <class T>
  using Blocks = std::map<std::size_t, std::vector<DeviceView<T>>>;  // by size
  template <class... Types>
  struct Pooled {
    using AllBlocks = std::tuple<Blocks<Types>...>;
    template <class T>
    static constexpr bool contains = (std::is_same_v<T, Types> || ...);
  };
  using PooledTypes = Pooled<std::byte, std::uint32_t, std::uint64_t, std::int64_t, double>;
  using AllBlocks = PooledTypes::AllBlocks;

  // What lies idle is given back where it would come to more than this and half of what is in use.
  static constexpr std::uint64_t idle_bytes = std::uint64_t{1} << 30;

  /// At most an eighth more, so that few sizes have to be kept apart.
  static std::size_t rounded(std::size_t size) {
    constexpr std::size_t smallest = 256;
    if (size <= smallest) return smallest;
    const std::size_t step = std::bit_floor(size) / 8;
    return (size + step - 1) / step * step;
  }

  template <class T>
  DeviceView<T> reuse(const std::string& label, std::size_t size) {
    const std::size_t block_size = rounded(size);
    auto& blocks = std::get<Blocks<T>>(blocks_)[block_size];
    for (const DeviceView<T>& block : blocks)
      if (block.use_count() == 1) return Kokkos::subview(block, std::pair(std::size_t{0}, size));
    release_idle(block_size * sizeof(T));
    blocks.push_back(DeviceView<T>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), block_size));
    return Kokkos::subview(blocks.back(), std::pair(std::size_t{0}, size));
  }

  /// Gives back all idle blocks if another allocation would make too much of them, or go above the limit.
  void release_idle(std::uint64_t wanted) {
    std::uint64_t idle = 0, used = 0;
    for_each_block([&](const auto& block) {
      (block.use_count() == 1 ? idle : used) += block.extent(0) * sizeof(*block.data());
      return false;
    });
    const bool fits = memory_limit_ == 0 || memory_meter::current() + wanted <= memory_limit_;
    if (fits && idle <= idle_bytes + (used + wanted) / 2) return;
    for_each_block([](const auto& block) { return block.use_count() == 1; });
  }

  /// Visits all blocks and drops those for which `drop` returns true.
  template <class Drop>
  void for_each_block(const Drop& drop) {
    std::apply(
        [&](auto&... of_type) {
          const auto visit = [&](auto& by_size) {
            for (auto& [size, blocks] : by_size) std::erase_if(blocks, drop);
          };
          (visit(of_type), ...);
        },
        blocks_);
  }

  inline static thread_local MemoryPool* current_ = nullptr;
  AllBlocks blocks_;
  std::uint64_t memory_limit_ = 0;  ///< of all device memory, the pool included; 0: none
};

/// Makes `uninitialized` and all that builds on it use a pool in this thread, for work on this instance only,
/// until the scope ends. Views live on, without the pool.
class MemoryPool::Scope {
 public:
  explicit Scope(const ExecutionSpace& space, std::uint64_t memory_limit = 0)
      : space_(space), outer_(current_) {
    pool_.memory_limit_ = memory_limit;
    current_ = &pool_;
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    space_.fence("KoHyPar::pool");
    current_ = outer_;
  }

 private:
  ExecutionSpace space_;
  MemoryPool pool_;
  MemoryPool* outer_;
};

}  // namespace kohypar
