#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <stdexcept>

namespace kohypar::test {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "kohypar-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::filesystem::remove_all(path_);
}

void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
}

std::string TemporaryFolder::read(const std::string& name) const {
  std::ifstream file(path_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> TemporaryFolder::files() const {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename());
  return names;
}

namespace {

constexpr auto time_limit = std::chrono::minutes(2);

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  void close_writer() { ::close(ends[1]); }
  ~Pipe() { ::close(ends[0]); }
};

/// Between fork and exec: only what is safe there.
[[noreturn]] void become_program(const TemporaryFolder& folder, std::vector<char*>& argv,
                                 const RunOptions& options, const Pipe& out, const Pipe& err) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  if (options.address_space > 0) {
    const rlimit limit{options.address_space, options.address_space};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ::dup2(out.ends[1], STDOUT_FILENO);
  ::dup2(err.ends[1], STDERR_FILENO);
  if (::chdir(folder.path().c_str()) == 0) ::execv(argv[0], argv.data());
  ::_exit(127);
}

/// Appends what is there to read. False at the end of the stream.
bool read_available(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
  if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
  return size > 0;
}

/// Reads both outputs up to their ends, and sends the signal asked for on the way.
void follow(pid_t child, const Pipe& out, const Pipe& err, const RunOptions& options, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  bool pending = options.signal != 0;
  std::array<pollfd, 2> streams = {{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::array<std::string*, 2> texts = {&outcome.out, &outcome.err};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    ::poll(streams.data(), streams.size(), 5);
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (streams[i].fd >= 0 && streams[i].revents != 0 && !read_available(streams[i].fd, *texts[i]))
        streams[i].fd = -1;
    if (pending && options.when(outcome.err)) {
      ::kill(child, options.signal);
      pending = false;
    }
    if (std::chrono::steady_clock::now() - start > time_limit) ::kill(child, SIGKILL);
  }
}

}  // namespace

Outcome run_kohypar(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
                    const RunOptions& options) {
  std::vector<std::string> words = {KOHYPAR_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(folder, words, options);
}

Outcome run_program(const TemporaryFolder& folder, std::vector<std::string> words,
                    const RunOptions& options) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  Pipe out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("can't fork");
  if (child == 0) become_program(folder, argv, options, out, err);
  out.close_writer();
  err.close_writer();
  Outcome outcome;
  follow(child, out, err, options, outcome);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace kohypar::test
