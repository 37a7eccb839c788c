#include "betweenness/exchange.hpp"

#include <algorithm>

namespace kohypar {

namespace {

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
  if (buffers_.size() == pending_.size()) buffers_.emplace_back();
  Buffers& buffers = buffers_[pending_.size()];
  const PinnedBytes from = first_bytes(buffers.send, send.extent(0));
  const PinnedBytes to = first_bytes(buffers.receive, receive.extent(0));
  Kokkos::deep_copy(space_, from, send);
  space_.fence("KoHyPar::exchange::staged");
  pending_.push_back({start_transfer(from.data(), to.data()), receive, to});
}

void Exchange::finish() {
  for (Pending& pending : pending_) {
    pending.transfer->wait();
    if (pending.staged.extent(0) > 0) Kokkos::deep_copy(space_, pending.receive, pending.staged);
  }
  pending_.clear();
  space_.fence("KoHyPar::exchange::finished");  // the buffers are used again
}

void Exchange::start_all_to_all(const Bytes& send, const Sizes& send_bytes, const Bytes& receive,
                                const Sizes& receive_bytes) {
  bytes_sent_ += send.extent(0) - send_bytes[static_cast<std::size_t>(rank())];
  start(send, receive, [&](const std::byte* from, std::byte* to) {
    return group_->all_to_all(from, send_bytes, to, receive_bytes);
  });
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

std::uint64_t Exchange::sum(std::uint64_t value) {
  const std::vector<std::uint64_t> values = gather(value);
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace kohypar
