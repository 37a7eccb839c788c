#include "betweenness/exchange.hpp"

#include <algorithm>

#include "parallel/teams.hpp"

namespace kohypar {

namespace {

template <class View>
auto first_bytes(View& buffer, std::size_t size) {
  if (buffer.extent(0) < size)
    buffer = View(Kokkos::view_alloc("KoHyPar::exchange::buffer", Kokkos::WithoutInitializing),
                  std::max(size, 2 * buffer.extent(0)));
  return Kokkos::subview(buffer, std::pair(std::size_t{0}, size));
}

}  // namespace

template <class Work>
void Exchange::with_buffers(const Bytes& send, const Bytes& receive, const Work& work) {
  if (runs_on_host || group_->takes_device_memory()) {
    space_.fence("KoHyPar::exchange::before");
    return work(send.data(), receive.data());
  }
  const auto from = first_bytes(send_buffer_, send.extent(0)),
             to = first_bytes(receive_buffer_, receive.extent(0));
  Kokkos::deep_copy(space_, from, send);
  space_.fence("KoHyPar::exchange::staged");
  work(from.data(), to.data());
  Kokkos::deep_copy(space_, receive, to);
  space_.fence("KoHyPar::exchange::received");  // the buffer is used again
}

void Exchange::all_to_all_bytes(const Bytes& send, const Sizes& send_bytes, const Bytes& receive,
                                const Sizes& receive_bytes) {
  bytes_sent_ += send.extent(0) - send_bytes[static_cast<std::size_t>(rank())];
  with_buffers(send, receive, [&](const std::byte* from, std::byte* to) {
    group_->all_to_all(from, send_bytes, to, receive_bytes);
  });
}

void Exchange::all_gather_bytes(const Bytes& send, const Bytes& receive, const Sizes& receive_bytes) {
  bytes_sent_ += send.extent(0) * static_cast<std::size_t>(size() - 1);
  with_buffers(send, receive,
               [&](const std::byte* from, std::byte* to) { group_->all_gather(from, to, receive_bytes); });
}

std::vector<std::uint64_t> Exchange::gather(std::uint64_t value) {
  std::vector<std::uint64_t> values(static_cast<std::size_t>(size()));
  const Sizes bytes(values.size(), sizeof value);
  group_->all_gather(reinterpret_cast<const std::byte*>(&value), reinterpret_cast<std::byte*>(values.data()),
                     bytes);
  bytes_sent_ += sizeof value * (values.size() - 1);
  return values;
}

std::uint64_t Exchange::sum(std::uint64_t value) {
  const std::vector<std::uint64_t> values = gather(value);
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace kohypar
