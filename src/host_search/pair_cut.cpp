#include "host_search/pair_cut.hpp"

#include <algorithm>

#include "host_search/flow_network.hpp"
#include "host_search/share_of.hpp"

namespace kohypar {

namespace {

using Vertex = FlowNetwork::Vertex;
using Side = FlowNetwork::Side;

constexpr Vertex first_node = 2;  // vertices before are the terminals

/// So many times a cut was pierced by one node that opens paths for each further one that it then is at once.
constexpr std::size_t openings_per_node = 16;

class PairCutSearch {
 public:
  PairCutSearch(const HostLevel& level, const HostProblem& problem, const std::vector<PartId>& parts,
                const PartPair& pair, const PairCutEffort& effort)
      : level_(level),
        problem_(problem),
        parts_(parts),
        pair_(pair),
        effort_(effort),
        vertex_of_(level.num_nodes, invalid_id),
        is_seen_(level.num_hyperedges, 0) {}

  PairCut run() {
    choose_nodes();
    list_edges();
    if (cut_ == 0) return {};
    FlowNetwork network(num_vertices_, edges_);
    if (!cut(network)) return {};
    PairCut found{cut_ - network.flow(), {}};
    for (Vertex v = first_node; v < nodes_.size(); ++v) {
      const bool is_on_cut_side = network.is_on(cut_side_, v);
      const auto now = static_cast<std::size_t>(is_on_cut_side ? cut_side_ : opposite(cut_side_));
      if (parts_[nodes_[v]] != pair_.parts[now]) found.moved.push_back(nodes_[v]);
    }
    return found;
  }

 private:
  /// Nodes across a side's cut that may pierce it, those first that lie deepest in its own part.
  struct Candidates {
    std::vector<std::uint8_t> is_listed;  ///< by vertex
    std::vector<std::vector<Vertex>> by_depth;
  };

  static constexpr Side opposite(Side side) { return FlowNetwork::opposite(side); }

  [[nodiscard]] bool is_of(Side side, NodeId n) const { return parts_[n] == pair_.parts[side]; }
  [[nodiscard]] Weight capacity(Side side) const { return problem_.capacity(pair_.parts[side]); }
  [[nodiscard]] Weight total() const { return pair_.sizes[0] + pair_.sizes[1]; }
  [[nodiscard]] bool is_node(Vertex v) const { return v < nodes_.size(); }

  template <class Visit>
  void for_each_pin(HyperedgeId e, const Visit& visit) const {
    for (PinOffset i = level_.hyperedge_offsets(e); i < level_.hyperedge_offsets(e + 1); ++i)
      visit(level_.pins(i));
  }
  template <class Visit>
  void for_each_hyperedge(NodeId n, const Visit& visit) const {
    for (PinOffset at = level_.node_offsets(n); at < level_.node_offsets(n + 1); ++at)
      visit(level_.incident(at));
  }

  /// Breadth first from the cut into both parts.
  void choose_nodes() {
    nodes_.assign(first_node, invalid_id);
    hops_.assign(first_node, 0);
    for (const Side side : FlowNetwork::sides) {
      room_[side] = most_leaving(side);
      terminal_sizes_[side] = pair_.sizes[side];
    }
    for (const HyperedgeId e : pair_.hyperedges) {
      bool has[2] = {false, false};
      for_each_pin(e, [&](NodeId n) {
        for (const Side side : FlowNetwork::sides) has[side] |= is_of(side, n);
      });
      if (has[0] && has[1]) for_each_pin(e, [&](NodeId n) { choose(n, 1); });
    }
    Vertex v = first_node;
    for (int hops = 2; hops <= effort_.hops; ++hops)
      for (const auto end = static_cast<Vertex>(nodes_.size()); v < end; ++v)
        for_each_hyperedge(nodes_[v], [&](HyperedgeId e) {
          if (std::exchange(is_seen_[e], 1) == 0) for_each_pin(e, [&](NodeId n) { choose(n, hops); });
        });
  }

  /// How much size may leave a side.
  [[nodiscard]] Weight most_leaving(Side side) const {
    const Weight most = capacity(opposite(side));
    const Weight share = share_of(total(), most, most + capacity(side));
    const Weight room = std::max<Weight>(0, most - share);
    const Weight extra = room > total() / effort_.rooms ? total() : effort_.rooms * room;
    return share + extra - pair_.sizes[opposite(side)];
  }

  void choose(NodeId n, int hops) {
    if (vertex_of_[n] != invalid_id || problem_.is_terminal(n)) return;
    for (const Side side : FlowNetwork::sides) {
      if (!is_of(side, n) || level_.node_sizes(n) > room_[side]) continue;
      room_[side] -= level_.node_sizes(n);
      terminal_sizes_[side] -= level_.node_sizes(n);
      vertex_of_[n] = static_cast<Vertex>(nodes_.size());
      nodes_.push_back(n);
      hops_.push_back(hops);
    }
  }

  void list_edges() {
    std::fill(is_seen_.begin(), is_seen_.end(), 0);
    num_vertices_ = static_cast<Vertex>(nodes_.size());
    for (Vertex v = first_node; v < nodes_.size(); ++v)
      for_each_hyperedge(nodes_[v], [&](HyperedgeId e) {
        if (std::exchange(is_seen_[e], 1) == 0) list_edges_of(e);
      });
  }

  void list_edges_of(HyperedgeId e) {
    bool has[2] = {false, false}, has_terminal[2] = {false, false};
    pins_.clear();
    for_each_pin(e, [&](NodeId n) {
      for (const Side side : FlowNetwork::sides) {
        if (!is_of(side, n)) continue;
        has[side] = true;
        if (vertex_of_[n] == invalid_id) {
          has_terminal[side] = true;
        } else {
          pins_.push_back(vertex_of_[n]);
        }
      }
    });
    if (has_terminal[0] && has_terminal[1]) return;  // cut whatever happens
    const Weight weight = level_.hyperedge_weights(e);
    if (has[0] && has[1]) cut_ += weight;
    for (const Side side : FlowNetwork::sides)
      if (has_terminal[side]) pins_.push_back(static_cast<Vertex>(side));
    if (pins_.size() < 2 || weight == 0) return;
    if (pins_.size() == 2) {
      edges_.push_back({pins_[0], pins_[1], weight, weight});
      return;
    }
    const Vertex in = num_vertices_++, out = num_vertices_++;
    edges_.push_back({in, out, weight, 0});
    for (const Vertex pin : pins_) {
      edges_.push_back({pin, in, unlimited, 0});
      edges_.push_back({out, pin, unlimited, 0});
    }
  }

  /// Whether there is one smaller than before.
  bool cut(FlowNetwork& network) {
    Weight of_terminals[2] = {0, 0};  // that are no longer listed as reached
    for (Candidates& candidates : candidates_) candidates.is_listed.assign(nodes_.size(), 0);
    const std::uint64_t most_visits = effort_.visits_per_arc * network.num_arcs();
    while (network.maximize(cut_ - 1, most_visits)) {
      Weight sizes[2];
      for (const Side side : FlowNetwork::sides) {
        sizes[side] = of_terminals[side];
        for (const Vertex v : network.reached(side)) sizes[side] += size_of(v);
      }
      if (fits(sizes)) return true;
      const Side side = sizes[0] <= sizes[1] ? FlowNetwork::source : FlowNetwork::sink;
      const std::vector<Vertex> more = piercing_nodes(network, side);
      of_terminals[side] = sizes[side];
      Weight least = sizes[side];
      for (const Vertex v : more) least += size_of(v);
      if (more.empty() || least > capacity(side)) return false;
      network.pierce(side, more);
    }
    return false;
  }

  [[nodiscard]] Weight size_of(Vertex v) const {
    if (v < first_node) return terminal_sizes_[v];
    return is_node(v) ? level_.node_sizes(nodes_[v]) : 0;
  }

  /// Whether one of both cuts keeps both parts within their capacities: that which leaves more room.
  bool fits(const Weight (&sizes)[2]) {
    Weight most = -1;
    for (const Side side : FlowNetwork::sides) {
      const Weight room =
          std::min(capacity(side) - sizes[side], capacity(opposite(side)) - (total() - sizes[side]));
      if (room <= most) continue;
      most = room;
      cut_side_ = side;
    }
    return most >= 0;
  }

  /// None if there are no more.
  std::vector<Vertex> piercing_nodes(FlowNetwork& network, Side side) {
    list_candidates(network, side);
    std::vector<Vertex> opening;  // paths
    const std::size_t most = 1 + num_openings_ / openings_per_node;
    for (std::vector<Vertex>& list : candidates_[side].by_depth) {
      std::erase_if(list, [&](Vertex v) { return !may_pierce(network, side, v); });
      for (const Vertex v : list) {
        if (!network.is_on(opposite(side), v)) return {v};
        if (opening.size() < most) opening.push_back(v);
      }
    }
    for (Vertex v = first_node; v < nodes_.size() && opening.empty(); ++v)  // where nothing is connected
      if (may_pierce(network, side, v)) opening.push_back(v);
    num_openings_ += 1;
    return opening;
  }

  /// No node that it returned false for may do so later, once the side is pierced.
  [[nodiscard]] static bool may_pierce(const FlowNetwork& network, Side side, Vertex v) {
    return !network.is_on(side, v) && !network.is_terminal(opposite(side), v);
  }

  /// Nodes next to what has come to a side, or beyond a hyperedge that is now cut.
  void list_candidates(FlowNetwork& network, Side side) {
    const auto list = [&](Vertex v) {
      if (is_node(v)) list_candidate(side, v);
    };
    for (const Vertex v : network.take_new(side))
      network.for_each_neighbor(v, [&](Vertex w) {
        list(w);
        if (!is_node(v) && !is_node(w)) network.for_each_neighbor(w, list);
      });
  }

  void list_candidate(Side side, Vertex v) {
    if (v < first_node || std::exchange(candidates_[side].is_listed[v], 1) != 0) return;
    const int depth = is_of(side, nodes_[v]) ? hops_[v] : -hops_[v];
    const auto place = static_cast<std::size_t>(effort_.hops - depth);
    auto& by_depth = candidates_[side].by_depth;
    by_depth.resize(std::max(by_depth.size(), place + 1));
    by_depth[place].push_back(v);
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const std::vector<PartId>& parts_;
  const PartPair& pair_;
  const PairCutEffort& effort_;
  std::vector<Vertex> vertex_of_;      // by node
  std::vector<std::uint8_t> is_seen_;  // by hyperedge
  std::vector<NodeId> nodes_;          // by vertex
  std::vector<int> hops_;              // likewise
  Weight room_[2] = {0, 0}, terminal_sizes_[2] = {0, 0};
  std::vector<FlowNetwork::Edge> edges_;
  std::vector<Vertex> pins_;
  Vertex num_vertices_ = 0;
  Weight cut_ = 0;  // before, of hyperedges that may be cut or not
  Candidates candidates_[2];
  std::size_t num_openings_ = 0;
  Side cut_side_ = FlowNetwork::source;
};

}  // namespace

PairCut find_pair_cut(const HostLevel& level, const HostProblem& problem, const std::vector<PartId>& parts,
                      const PartPair& pair, const PairCutEffort& effort) {
  return PairCutSearch(level, problem, parts, pair, effort).run();
}

}  // namespace kohypar
