// What betweenness centrality on several processes needs of a message-passing library. The library itself is
// independent of MPI; the program kohypar-bc brings an implementation on it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace kohypar {

/// Messages under way. Their buffers are the communicator's until wait() returns, or the destructor.
class Transfer {
 public:
  virtual ~Transfer() = default;
  virtual void wait() = 0;
};

/// A group of processes that call the same members in the same order. Counts are bytes.
class Communicator {
 public:
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// The processes of the same color as a group, in the order of their keys.
  [[nodiscard]] virtual std::unique_ptr<Communicator> split(int color, int key) const = 0;

  /// Starts to send one piece to every process and to receive one from each, in the order of ranks; both
  /// buffers hold their pieces one after the other. Several transfers may be under way.
  [[nodiscard]] virtual std::unique_ptr<Transfer> all_to_all(
      const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
      std::span<const std::size_t> receive_bytes) const = 0;

  /// Starts to send the same piece to every process; receives as all_to_all does.
  [[nodiscard]] virtual std::unique_ptr<Transfer> all_gather(
      const std::byte* send, std::byte* receive, std::span<const std::size_t> receive_bytes) const = 0;

  /// Whether buffers may lie where the execution space has its memory.
  [[nodiscard]] virtual bool takes_device_memory() const = 0;
};

}  // namespace kohypar
