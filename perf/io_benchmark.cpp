// How fast hypergraph files are read, next to plain std::ifstream readers that check nothing, and to merely
// copying the bytes.
// usage: kohypar_io_benchmark [FOLDER [REPEATS]]   writes 0.8 GB of inputs to FOLDER, default the current
// one, and removes them at the end. Files are in the page cache when read.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>

namespace {

using namespace kohypar;

/// Pins, hyperedge by hyperedge, as a first attempt at a reader would keep them.
struct PlainHypergraph {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> pins;
};

PlainHypergraph plain_snn(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::uint32_t counts[2];
  file.read(reinterpret_cast<char*>(counts), sizeof counts);
  PlainHypergraph h;
  for (std::uint32_t e = 0; e < counts[1]; ++e) {
    std::uint32_t destinations = 0;
    float weight = 0;
    file.read(reinterpret_cast<char*>(&destinations), sizeof destinations);
    h.pins.resize(h.pins.size() + destinations + 1);
    file.read(reinterpret_cast<char*>(h.pins.data() + h.offsets.back()), (destinations + 1) * 4l);
    file.read(reinterpret_cast<char*>(&weight), sizeof weight);
    h.offsets.push_back(h.pins.size());
  }
  return h;
}

PlainHypergraph plain_hgr(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  PlainHypergraph h;
  while (std::getline(file, line)) {
    const char* at = line.c_str();
    char* next = nullptr;
    for (auto pin = std::strtoul(at, &next, 10); next != at; pin = std::strtoul(at, &next, 10)) {
      h.pins.push_back(static_cast<std::uint32_t>(pin - 1));
      at = next;
    }
    h.offsets.push_back(h.pins.size());
  }
  return h;
}

std::uint64_t copy_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  HostArray<char> bytes(std::filesystem::file_size(path));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes.size();
}

/// Wall-clock time, and processor time of all threads, which other work on the machine disturbs less.
struct Seconds {
  double wall = 0;
  double processor = 0;
};

Seconds measured(const std::function<std::uint64_t()>& work, std::uint64_t expected) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  if (work() != expected) throw std::runtime_error("a reader lost something");
  const double processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), processor};
}

/// The median by wall-clock time of some runs after a first one. `work` returns the pins, or bytes, it saw.
Seconds median(int repeats, const std::function<std::uint64_t()>& work, std::uint64_t expected) {
  std::vector<Seconds> runs;
  measured(work, expected);
  for (int run = 0; run < repeats; ++run) runs.push_back(measured(work, expected));
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.wall < b.wall; });
  return runs[runs.size() / 2];
}

void compare(const std::string& path, int repeats, PlainHypergraph (*plain)(const std::string&)) {
  const std::uint64_t bytes = std::filesystem::file_size(path);
  const std::uint64_t pins = read_hypergraph(path).hypergraph.num_pins();
  const auto report = [&](const char* what, Seconds seconds) {
    std::printf("%-18s %-25s %7.3f s %6.0f MB/s, processors %7.3f s\n",
                std::filesystem::path(path).filename().c_str(), what, seconds.wall,
                static_cast<double>(bytes) / seconds.wall * 1e-6, seconds.processor);
  };
  report("read_hypergraph", median(
                                repeats, [&] { return read_hypergraph(path).hypergraph.num_pins(); }, pins));
  report("plain ifstream reader", median(
                                      repeats, [&] { return plain(path).pins.size(); }, pins));
  report("one ifstream::read of all", median(
                                          repeats, [&] { return copy_bytes(path); }, bytes));
}

}  // namespace

int main(int argc, char** argv) try {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const int repeats = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 5;
  const std::string snn = (folder / "io_benchmark.snn").string(),
                    hgr = (folder / "io_benchmark.hgr").string();
  generate_network_file("vgg11", 1, snn);
  HostHypergraph random = generate_network("rand:262144:150", 1);
  random.has_hyperedge_weights = false;  // plain_hgr knows none
  write_hypergraph(random, hgr, Format::hgr);
  compare(snn, repeats, plain_snn);
  compare(hgr, repeats, plain_hgr);
  std::filesystem::remove(snn);
  std::filesystem::remove(hgr);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
