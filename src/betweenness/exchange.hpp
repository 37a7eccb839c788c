// Device arrays through a communicator.
#pragma once

#include <kohypar/communicator.hpp>
#include <kohypar/types.hpp>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "parallel/scan.hpp"

namespace kohypar {

using Sizes = std::vector<std::size_t>;

/// Exchanges device arrays within a group: directly where the communicator takes device memory, else through
/// pinned host memory. Counts what the process sends.
class Exchange {
 public:
  Exchange(const ExecutionSpace& space, std::unique_ptr<Communicator> group)
      : space_(space), group_(std::move(group)) {}
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  [[nodiscard]] int rank() const { return group_->rank(); }
  [[nodiscard]] int size() const { return group_->size(); }
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

  /// One number of every process, in the order of ranks.
  [[nodiscard]] std::vector<std::uint64_t> gather(std::uint64_t value);
  [[nodiscard]] std::uint64_t sum(std::uint64_t value);
  /// numbers[i] goes to process i; what comes back came from it.
  [[nodiscard]] Sizes all_to_all(const Sizes& numbers);

  /// Sends send_counts[i] elements to process i, one after the other, and receives receive_counts[i] from it.
  template <class T>
  DeviceView<T> all_to_all(const DeviceView<T>& send, const Sizes& send_counts, const Sizes& receive_counts) {
    const DeviceView<T> received = start_all_to_all(send, send_counts, receive_counts);
    finish();
    return received;
  }

  /// The same, but `send` must stay and what is received may not be used until finish(). While its messages
  /// are under way, the next array is copied to the host, and while that one's are, this one back to the
  /// device.
  template <class T>
  DeviceView<T> start_all_to_all(const DeviceView<T>& send, const Sizes& send_counts,
                                 const Sizes& receive_counts) {
    const DeviceView<T> received = for_receiving<T>(receive_counts);
    start_all_to_all(bytes_of(send), scaled(send_counts, sizeof(T)), bytes_of(received),
                     scaled(receive_counts, sizeof(T)));
    return received;
  }
  void finish();

  /// Sends all elements to every process and receives counts[i] from process i.
  template <class T>
  DeviceView<T> all_gather(const DeviceView<T>& send, const Sizes& counts) {
    const DeviceView<T> received = for_receiving<T>(counts);
    start_all_gather(bytes_of(send), bytes_of(received), scaled(counts, sizeof(T)));
    finish();
    return received;
  }

 private:
  using Bytes = Kokkos::View<std::byte*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
  using PinnedSpace = Kokkos::HostSpace;
#endif
  using PinnedBytes = Kokkos::View<std::byte*, PinnedSpace>;

  /// Pinned memory for one transfer; grows as needed and is used again, by later exchanges too: to pin it
  /// takes longer than to fill it.
  struct Buffers {
    PinnedBytes send, receive;
  };
  /// Of exchanges that are no more; freed when Kokkos ends.
  struct IdleBuffers {
    std::mutex mutex;
    std::vector<Buffers> buffers;
  };
  struct Pending {
    std::unique_ptr<Transfer> transfer;
    Bytes receive;
    PinnedBytes staged;                       ///< what is to be copied there; empty: nothing
    std::size_t own_begin = 0, own_size = 0;  ///< a part of `receive` that is there already, not in `staged`
  };

  template <class T>
  static DeviceView<T> for_receiving(const Sizes& counts) {
    return uninitialized<T>("KoHyPar::exchange::received",
                            std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  }

  template <class T>
  static Bytes bytes_of(const DeviceView<T>& view) {
    return Bytes(reinterpret_cast<std::byte*>(view.data()), view.extent(0) * sizeof(T));
  }

  static Sizes scaled(Sizes counts, std::size_t factor) {
    for (std::size_t& count : counts) count *= factor;
    return counts;
  }

  void start_all_to_all(const Bytes& send, const Sizes& send_bytes, const Bytes& receive,
                        const Sizes& receive_bytes);
  void start_all_gather(const Bytes& send, const Bytes& receive, const Sizes& receive_bytes);

  /// Keeps what start(pointer to what is sent, pointer to where it is received) returns.
  template <class Start>
  void start(const Bytes& send, const Bytes& receive, const Start& start_transfer);
  Buffers& next_buffers();
  static IdleBuffers& idle_buffers();

  ExecutionSpace space_;
  std::unique_ptr<Communicator> group_;
  std::vector<Buffers> buffers_;  ///< of the first pending transfer, the second, ...
  std::vector<Pending> pending_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace kohypar
