// Maximum flows between terminals that take in more and more vertices.
#pragma once

#include <cstdint>
#include <kohypar/types.hpp>
#include <utility>
#include <vector>

namespace kohypar {

/// A network with a maximum flow between two sets of terminals, to which vertices are added from time to
/// time; then the flow goes on from where it was. Augmenting paths by Dinic's algorithm; incremental flows as
/// in FlowCutter (Hamann, Strasser, "Graph Bisection with Pareto Optimization", JEA 23, 2018, Section 4).
/// Vertex 0 is the first source, vertex 1 the first sink.
class FlowNetwork {
 public:
  using Vertex = std::uint32_t;
  enum Side : std::uint8_t { source = 0, sink = 1 };
  static constexpr Side sides[] = {source, sink};
  static constexpr Side opposite(Side side) { return side == source ? sink : source; }

  /// Arcs in both directions, each of its capacity. All capacities of a way from 0 to 1 must not be
  /// unlimited.
  struct Edge {
    Vertex from, to;
    Weight capacity, reverse_capacity;
  };

  /// @param edges fewer than 2^31
  FlowNetwork(Vertex num_vertices, const std::vector<Edge>& edges);

  [[nodiscard]] std::size_t num_arcs() const { return arcs_.size(); }
  [[nodiscard]] Weight flow() const { return flow_; }

  /// Arcs looked at so far.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }

  /// Augments until the flow is a maximum. Returns false, with a network of no further use, where it is
  /// larger than `most` or takes more than `most_visits` since the beginning.
  bool maximize(Weight most, std::uint64_t most_visits);

  /// Of a maximum flow: whether a vertex is reached from the sources, or reaches the sinks, by arcs with
  /// capacity left. All these vertices are one side of a minimum cut.
  [[nodiscard]] bool is_on(Side side, Vertex v) const { return (marks_[v] & reached_mark(side)) != 0; }
  [[nodiscard]] bool is_terminal(Side side, Vertex v) const { return (marks_[v] & terminal_mark(side)) != 0; }

  /// The vertices on a side but those that became terminals of it before it was last pierced.
  [[nodiscard]] const std::vector<Vertex>& reached(Side side) const { return reached_[side]; }

  /// Vertices that have come to a side since this was last called, in the order in which they were found;
  /// some may have left it again.
  std::vector<Vertex> take_new(Side side) { return std::exchange(new_[side], {}); }

  /// Makes terminals of all vertices on a side, and of some that are not and are no terminals of the other.
  /// Those on the other side open new paths; where there are some, sides are unknown until maximize has run.
  void pierce(Side side, const std::vector<Vertex>& vertices);

  /// Calls visit(w) for the other ends of all edges of v.
  template <class Visit>
  void for_each_neighbor(Vertex v, const Visit& visit) const {
    for (std::uint32_t i = offsets_[v]; i < offsets_[v + 1]; ++i) visit(arcs_[i].to);
  }

 private:
  struct Arc {
    Vertex to;
    std::uint32_t reverse;
    Weight capacity;  ///< what is left of it
  };

  static constexpr std::uint8_t reached_mark(Side side) { return static_cast<std::uint8_t>(1 << side); }
  static constexpr std::uint8_t terminal_mark(Side side) { return static_cast<std::uint8_t>(4 << side); }
  bool find_distances();
  void augment_to(Vertex root);
  void push_along_path();
  void reach_afresh(Side side);
  void reach(Side side);
  [[nodiscard]] Vertex tail(std::uint32_t arc) const { return arcs_[arcs_[arc].reverse].to; }

  std::vector<std::uint32_t> offsets_;  // of arcs, by vertex
  std::vector<Arc> arcs_;
  std::vector<std::uint8_t> marks_;
  std::vector<Vertex> roots_[2] = {{0}, {1}};  // last terminals: of no other one can arcs have capacity left
  std::vector<Vertex> reached_[2], new_[2];
  std::vector<std::uint32_t> distance_, next_;  // from sources, and the arc to try next
  std::vector<Vertex> queue_;
  std::vector<std::uint32_t> path_;  // arcs, from the sink on
  Weight flow_ = 0;
  std::uint64_t visits_ = 0;
  bool is_maximum_ = false;
};

}  // namespace kohypar
