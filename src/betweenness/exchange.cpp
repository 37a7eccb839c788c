#include "betweenness/exchange.hpp"

#include <algorithm>
#include <iterator>

namespace kohypar {

namespace {

/// Where a process' piece begins.
std::size_t begin_of(const Sizes& sizes, int rank) {
  return std::accumulate(sizes.begin(), sizes.begin() + rank, std::size_t{0});
}

/// Copies all but `own_size` bytes of `whole` from `own_begin` on, to or from a buffer without them.
template <class To, class From>
void copy_others(const ExecutionSpace& space, const To& to, const From& from, std::size_t own_begin,
                 std::size_t own_size) {
  const bool gathers = to.extent(0) < from.extent(0);
  const auto copy = [&](std::size_t begin, std::size_t end, std::size_t short_begin) {
    if (begin == end) return;
    const std::pair long_range(begin, end), short_range(short_begin, short_begin + end - begin);
    Kokkos::deep_copy(space, Kokkos::subview(to, gathers ? short_range : long_range),
                      Kokkos::subview(from, gathers ? long_range : short_range));
  };
  copy(0, own_begin, 0);
  copy(own_begin + own_size, std::max(to.extent(0), from.extent(0)), own_begin);
}

template <class View>
View first_bytes(View& buffer, std::size_t size) {
  if (buffer.extent(0) < size)
    buffer = View(Kokkos::view_alloc("KoHyPar::exchange::buffer", Kokkos::WithoutInitializing),
                  std::max(size, 2 * buffer.extent(0)));
  return Kokkos::subview(buffer, std::pair(std::size_t{0}, size));
}

}  // namespace

template <class Start>
void Exchange::start(const Bytes& send, const Bytes& receive, const Start& start_transfer) {
  if (group_->takes_device_memory()) {
    space_.fence("KoHyPar::exchange::before");
    pending_.push_back({start_transfer(send.data(), receive.data()), receive, {}});
    return;
  }
  Buffers& buffers = next_buffers();
  const PinnedBytes from = first_bytes(buffers.send, send.extent(0));
  const PinnedBytes to = first_bytes(buffers.receive, receive.extent(0));
  Kokkos::deep_copy(space_, from, send);
  space_.fence("KoHyPar::exchange::staged");
  pending_.push_back({start_transfer(from.data(), to.data()), receive, to});
}

Exchange::IdleBuffers& Exchange::idle_buffers() {
  static IdleBuffers idle;
  static const bool is_registered = [] {
    Kokkos::push_finalize_hook([] { idle.buffers.clear(); });
    return true;
  }();
  static_cast<void>(is_registered);
  return idle;
}

Exchange::~Exchange() {
  pending_.clear();
  IdleBuffers& idle = idle_buffers();
  const std::lock_guard lock(idle.mutex);
  std::move(buffers_.begin(), buffers_.end(), std::back_inserter(idle.buffers));
}

Exchange::Buffers& Exchange::next_buffers() {
  if (buffers_.size() > pending_.size()) return buffers_[pending_.size()];
  IdleBuffers& idle = idle_buffers();
  const std::lock_guard lock(idle.mutex);
  if (idle.buffers.empty()) idle.buffers.emplace_back();
  buffers_.push_back(std::move(idle.buffers.back()));
  idle.buffers.pop_back();
  return buffers_[pending_.size()];
}

void Exchange::finish() {
  for (Pending& pending : pending_) {
    pending.transfer->wait();
    if (pending.staged.extent(0) > 0)
      copy_others(space_, pending.receive, pending.staged, pending.own_begin, pending.own_size);
  }
  pending_.clear();
  space_.fence("KoHyPar::exchange::finished");  // the buffers are used again
}

void Exchange::start_all_to_all(const Bytes& send, const Sizes& send_bytes, const Bytes& receive,
                                const Sizes& receive_bytes) {
  const auto self = static_cast<std::size_t>(rank());
  const std::size_t own = send_bytes[self];
  bytes_sent_ += send.extent(0) - own;
  if (group_->takes_device_memory() && size() > 1) {
    space_.fence("KoHyPar::exchange::before");
    pending_.push_back(
        {group_->all_to_all(send.data(), send_bytes, receive.data(), receive_bytes), receive, {}});
    return;
  }
  // What the process keeps goes no way through the host.
  const std::size_t own_begin = begin_of(receive_bytes, rank());
  const std::size_t own_sent = begin_of(send_bytes, rank());
  Kokkos::deep_copy(space_, Kokkos::subview(receive, std::pair(own_begin, own_begin + own)),
                    Kokkos::subview(send, std::pair(own_sent, own_sent + own)));
  if (size() == 1) return;
  Buffers& buffers = next_buffers();
  const PinnedBytes from = first_bytes(buffers.send, send.extent(0) - own);
  const PinnedBytes to = first_bytes(buffers.receive, receive.extent(0) - own);
  copy_others(space_, from, send, own_sent, own);
  space_.fence("KoHyPar::exchange::staged");
  Sizes sent = send_bytes, received = receive_bytes;
  sent[self] = received[self] = 0;
  pending_.push_back(
      {group_->all_to_all(from.data(), sent, to.data(), received), receive, to, own_begin, own});
}

void Exchange::start_all_gather(const Bytes& send, const Bytes& receive, const Sizes& receive_bytes) {
  bytes_sent_ += send.extent(0) * static_cast<std::size_t>(size() - 1);
  start(send, receive,
        [&](const std::byte* from, std::byte* to) { return group_->all_gather(from, to, receive_bytes); });
}

std::vector<std::uint64_t> Exchange::gather(std::uint64_t value) {
  std::vector<std::uint64_t> values(static_cast<std::size_t>(size()));
  const Sizes bytes(values.size(), sizeof value);
  group_
      ->all_gather(reinterpret_cast<const std::byte*>(&value), reinterpret_cast<std::byte*>(values.data()),
                   bytes)
      ->wait();
  bytes_sent_ += sizeof value * (values.size() - 1);
  return values;
}

Sizes Exchange::all_to_all(const Sizes& numbers) {
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  Sizes received(numbers.size());
  const Sizes bytes(numbers.size(), sizeof(std::size_t));
  group_
      ->all_to_all(reinterpret_cast<const std::byte*>(numbers.data()), bytes,
                   reinterpret_cast<std::byte*>(received.data()), bytes)
      ->wait();
  bytes_sent_ += sizeof(std::size_t) * (numbers.size() - 1);
  return received;
}

std::uint64_t Exchange::sum(std::uint64_t value) {
  const std::vector<std::uint64_t> values = gather(value);
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace kohypar
