#include "fuzz/fuzz_targets.hpp"

#include <algorithm>
#include <kohypar/error.hpp>
#include <optional>
#include <stdexcept>

#include "io/edge_list.hpp"
#include "io/input_file.hpp"

namespace kohypar::test {

namespace {

/// One thread, so that a fuzzer's runs are cheap and repeatable; the small chunks cut every few lines.
constexpr HostThreads whole{.count = 1}, in_pieces{.count = 1, .chunk = 5};

/// What a reader made of some bytes: a value, or the message of an Error(input).
template <class T>
struct Outcome {
  std::optional<T> value;
  std::string message;
};

template <class Read>
auto outcome_of(const Read& read) -> Outcome<decltype(read())> {
  try {
    return {read(), ""};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw std::logic_error(error.what());
    return {std::nullopt, error.what()};
  }
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

bool equal(const HostHypergraph& a, const HostHypergraph& b) {
  return a.num_nodes == b.num_nodes && a.hyperedge_offsets == b.hyperedge_offsets && a.pins == b.pins &&
         a.source_counts == b.source_counts && a.hyperedge_weights == b.hyperedge_weights &&
         a.node_sizes == b.node_sizes && a.weight_exponent == b.weight_exponent;
}

void check_hypergraph_reader(std::string_view bytes, Format format, const ReadOptions& options) {
  const auto read = [&](const HostThreads& threads) {
    return outcome_of([&] {
      return parse_hypergraph({.bytes = bytes, .name = "FILE", .threads = threads}, format, options);
    });
  };
  const auto once = read(whole), again = read(in_pieces);
  require(once.message == again.message, "the message depends on chunks");
  if (!once.value || !again.value) return;
  const HostHypergraph& h = once.value->hypergraph;
  require(equal(h, again.value->hypergraph), "the hypergraph depends on chunks");
  require(once.value->warnings == again.value->warnings, "the warnings depend on chunks");
  require(outcome_of([&] { return validate(h, "FILE"), 0; }).message.empty(), "the hypergraph is invalid");
  for (const Format target : {Format::hgr, Format::snn, Format::axh, Format::mtx, Format::graph})
    conversion_losses(h, target);
}

void check_hgr(std::string_view bytes) {
  check_hypergraph_reader(bytes, Format::hgr, {});
  check_hypergraph_reader(bytes, Format::hgr, {.first_pin_is_source = true});
}
void check_snn(std::string_view bytes) {
  check_hypergraph_reader(bytes, Format::snn, {});
}
void check_axh(std::string_view bytes) {
  check_hypergraph_reader(bytes, Format::axh, {});
}
void check_mtx(std::string_view bytes) {
  check_hypergraph_reader(bytes, Format::mtx, {});
  check_hypergraph_reader(bytes, Format::mtx, {.net_model = NetModel::column});
}
void check_graph(std::string_view bytes) {
  check_hypergraph_reader(bytes, Format::graph, {});
}

/// @param parse takes an Input
template <class Parse>
void check_lines_reader(std::string_view bytes, const Parse& parse) {
  const auto read = [&](const HostThreads& threads) {
    return outcome_of([&] { return parse(Input{.bytes = bytes, .name = "FILE", .threads = threads}); });
  };
  const auto once = read(whole), again = read(in_pieces);
  require(once.message == again.message && once.value == again.value, "the result depends on chunks");
}

void check_partition(std::string_view bytes) {
  check_lines_reader(bytes, [](const Input& input) { return parse_partition(input, 4); });
}
void check_fixed(std::string_view bytes) {
  check_lines_reader(bytes, [](const Input& input) { return parse_fixed(input, 4, 3); });
}
void check_capacities(std::string_view bytes) {
  check_lines_reader(bytes, [](const Input& input) { return parse_capacities(input, 4); });
}

bool equal(const EdgeList& a, const EdgeList& b) {
  const auto same = [](const Edge& x, const Edge& y) { return x.from == y.from && x.to == y.to; };
  return a.num_vertices == b.num_vertices && a.labels == b.labels &&
         std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), same);
}

template <class Read>
void check_edge_reader(std::string_view bytes, const Read& read_edges_of) {
  const auto read = [&](const HostThreads& threads) {
    return outcome_of(
        [&] { return read_edges_of(Input{.bytes = bytes, .name = "FILE", .threads = threads}); });
  };
  const auto once = read(whole), again = read(in_pieces);
  require(once.message == again.message, "the message depends on chunks");
  if (!once.value || !again.value) return;
  require(equal(*once.value, *again.value), "the edges depend on chunks");
  for (const Edge& edge : once.value->edges)
    require(std::max(edge.from, edge.to) < once.value->num_vertices, "an edge's end is no vertex");
}

void check_edges(std::string_view bytes) {
  check_edge_reader(bytes, [](const Input& input) { return read_edge_list(input); });
  check_edge_reader(bytes, [](const Input& input) { return read_mtx_edges(input, true); });
}

void check_gzip(std::string_view bytes) {
  outcome_of([&] { return inflate_gzip(bytes, "FILE"); });
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> targets = {{"hgr", check_hgr},     {"snn", check_snn},
                                                  {"axh", check_axh},     {"mtx", check_mtx},
                                                  {"graph", check_graph}, {"partition", check_partition},
                                                  {"fixed", check_fixed}, {"capacities", check_capacities},
                                                  {"edges", check_edges}, {"gzip", check_gzip}};
  return targets;
}

}  // namespace kohypar::test
