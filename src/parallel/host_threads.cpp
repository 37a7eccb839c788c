#include "parallel/host_threads.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace kohypar {

namespace {

/// The chunks still to do, and the failure that comes first in chunk order.
class ChunkQueue {
 public:
  ChunkQueue(std::size_t num_chunks, const std::function<void(std::size_t)>& work)
      : num_chunks_(num_chunks), work_(work) {}

  /// Chunks are taken in ascending order, so when one fails all smaller ones have been taken and will tell
  /// whether they fail too; later ones need not start.
  void drain() noexcept {
    while (!failed_) {
      const std::size_t chunk = next_.fetch_add(1);
      if (chunk >= num_chunks_) return;
      try {
        work_(chunk);
      } catch (...) {
        record_failure(chunk);
      }
    }
  }

  void rethrow_first_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void record_failure(std::size_t chunk) noexcept {
    const std::lock_guard lock(mutex_);
    if (failure_ && failed_chunk_ < chunk) return;
    failure_ = std::current_exception();
    failed_chunk_ = chunk;
    failed_ = true;
  }

  const std::size_t num_chunks_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::size_t failed_chunk_ = 0;
};

/// Where the system grants no more threads, those at hand do the work.
void start_helpers(std::vector<std::thread>& helpers, std::size_t count, ChunkQueue& queue) {
  helpers.reserve(count);
  try {
    while (helpers.size() < count) helpers.emplace_back([&queue] { queue.drain(); });
  } catch (const std::system_error&) {
  }
}

}  // namespace

void for_each_chunk(const HostThreads& threads, std::size_t num_chunks,
                    const std::function<void(std::size_t)>& work) {
  const unsigned available = threads.count > 0 ? threads.count : std::thread::hardware_concurrency();
  const std::size_t workers = std::min<std::size_t>(std::max(available, 1u), num_chunks);
  ChunkQueue queue(num_chunks, work);
  std::vector<std::thread> helpers;
  if (workers > 1) start_helpers(helpers, workers - 1, queue);
  queue.drain();
  for (std::thread& helper : helpers) helper.join();
  queue.rethrow_first_failure();
}

}  // namespace kohypar
