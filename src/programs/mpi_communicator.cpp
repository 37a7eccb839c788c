#include "programs/mpi_communicator.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "parallel/teams.hpp"

namespace kohypar::programs {

namespace {

/// MPI counts with int, so that pieces go in parts of at most this many bytes.
constexpr std::size_t largest_message = std::size_t{1} << 30;

bool takes_cuda_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

class Messages : public Transfer {
 public:
  explicit Messages(MPI_Comm group) : group_(group) {}

  void receive(std::byte* where, std::size_t bytes, int from) {
    for (std::size_t done = 0; done < bytes; done += largest_message)
      MPI_Irecv(where + done, part(bytes - done), MPI_BYTE, from, 0, group_, &requests_.emplace_back());
  }
  void send(const std::byte* what, std::size_t bytes, int to) {
    for (std::size_t done = 0; done < bytes; done += largest_message)
      MPI_Isend(what + done, part(bytes - done), MPI_BYTE, to, 0, group_, &requests_.emplace_back());
  }
  ~Messages() override { wait_for_all(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void wait() override { wait_for_all(); }

 private:
  void wait_for_all() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }
  static int part(std::size_t bytes) { return static_cast<int>(std::min(bytes, largest_message)); }

  MPI_Comm group_;
  std::vector<MPI_Request> requests_;
};

/// Errors end the program, which is MPI's default.
class MpiCommunicator : public Communicator {
 public:
  MpiCommunicator(MPI_Comm group, bool owns) : group_(group), owns_(owns) {
    MPI_Comm_rank(group, &rank_);
    MPI_Comm_size(group, &size_);
  }
  ~MpiCommunicator() override {
    if (owns_) MPI_Comm_free(&group_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  [[nodiscard]] std::unique_ptr<Communicator> split(int color, int key) const override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(group_, color, key, &part);
    return std::make_unique<MpiCommunicator>(part, true);
  }

  [[nodiscard]] std::unique_ptr<Transfer> all_to_all(
      const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
      std::span<const std::size_t> receive_bytes) const override {
    auto messages = start_receiving(receive, receive_bytes);
    for (int i = 0; i < size_; send += send_bytes[static_cast<std::size_t>(i++)])
      messages->send(send, send_bytes[static_cast<std::size_t>(i)], i);
    return messages;
  }

  [[nodiscard]] std::unique_ptr<Transfer> all_gather(
      const std::byte* send, std::byte* receive, std::span<const std::size_t> receive_bytes) const override {
    auto messages = start_receiving(receive, receive_bytes);
    for (int i = 0; i < size_; ++i) messages->send(send, receive_bytes[static_cast<std::size_t>(rank_)], i);
    return messages;
  }

  [[nodiscard]] bool takes_device_memory() const override { return runs_on_host || takes_cuda_memory(); }

 private:
  [[nodiscard]] std::unique_ptr<Messages> start_receiving(std::byte* receive,
                                                          std::span<const std::size_t> bytes) const {
    auto messages = std::make_unique<Messages>(group_);
    for (int i = 0; i < size_; receive += bytes[static_cast<std::size_t>(i++)])
      messages->receive(receive, bytes[static_cast<std::size_t>(i)], i);
    return messages;
  }

  MPI_Comm group_;
  bool owns_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

MpiSession::MpiSession() {
  MPI_Init(nullptr, nullptr);
  processes_ = std::make_unique<MpiCommunicator>(MPI_COMM_WORLD, false);
}

MpiSession::~MpiSession() {
  processes_.reset();
  MPI_Finalize();
}

std::string MpiSession::library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int size = 0;
  MPI_Get_library_version(text, &size);
  const std::string version(text, static_cast<std::size_t>(size));
  return version.substr(0, version.find_first_of(",\n"));
}

void MpiSession::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace kohypar::programs
