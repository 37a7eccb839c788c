#include "betweenness/traversal.hpp"

#include <algorithm>
#include <kohypar/error.hpp>

#include "betweenness/rows.hpp"
#include "parallel/device_memory.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/memory_pool.hpp"

namespace kohypar {

namespace {

using Profile = std::vector<LevelProfile>;

/// Bytes left for searches of what the limit allows or, without one, of 80 % of the device's memory.
std::uint64_t memory_for_searches(const ExecutionSpace& space, std::uint64_t memory_limit) {
  const std::uint64_t all = memory_limit > 0 ? memory_limit : device_memory_bytes(space) / 5 * 4;
  MemoryPool::make_room(all);
  return all - std::min(all, memory_meter::current());
}

/// As many sources at once as options ask for; or as many as memory seems to allow, but no more than every
/// copy of the graph gets.
int choose_lanes(const ExecutionSpace& space, const Core& core, const Block& block, const Team& team,
                 const BetweennessOptions& options) {
  if (options.sources_at_once < 0 || options.sources_at_once > max_lanes)
    throw Error(ErrorKind::usage, "from 1 to " + std::to_string(max_lanes) + " sources at once are possible");
  if (options.sources_at_once > 0) return options.sources_at_once;
  const std::uint64_t memory = memory_for_searches(space, options.memory_limit);
  const SearchMemory needed = memory_of_searches(block);
  const std::uint64_t fitting = (memory - std::min(memory, needed.fixed)) / needed.per_source;
  const auto replicas = static_cast<std::uint64_t>(team.replicas());
  const std::uint64_t wanted =
      std::min<std::uint64_t>((core.sources.size() + replicas - 1) / replicas, max_lanes);
  std::uint64_t lanes = std::max<std::uint64_t>(1, std::min(fitting, wanted));
  if (team.all() != nullptr)
    for (const std::uint64_t others : team.all()->gather(lanes)) lanes = std::min(lanes, others);
  return static_cast<int>(lanes);
}

/// One copy's searches, batch by batch, again with wider numbers where path counts are large.
class Traversal {
 public:
  Traversal(const ExecutionSpace& space, const Core& core, const Block& block, const Team& team,
            const BetweennessOptions& options, int lanes)
      : space_(space),
        core_(core),
        block_(block),
        team_(team),
        options_(options),
        sweep_options_{options.mapping, options.keep_offsets, options.search_backward, lanes},
        sweep_(space, block, team.grid(), sweep_options_),
        scores_("KoHyPar::betweenness::own_scores", block.num_own()) {}

  /// Scores of the owned vertices from this copy's sources.
  DeviceView<double> run(Profile& profile) {
    const std::span<const TraversalSource> all(core_.sources);
    const auto lanes = static_cast<std::size_t>(sweep_options_.lanes);
    const std::size_t stride = lanes * static_cast<std::size_t>(team_.replicas());
    for (std::size_t first = lanes * static_cast<std::size_t>(team_.replica()); first < all.size();
         first += stride) {
      memory_meter::check(options_.memory_limit);
      if (options_.stop != nullptr && *options_.stop) throw Error(ErrorKind::interrupted, "interrupted");
      if (options_.on_progress) options_.on_progress({first, all.size()});
      const auto batch = all.subspan(first, std::min(lanes, all.size() - first));
      if (!sweep_.add_dependencies(batch, scores_, profile)) add_wide(batch, profile);
    }
    memory_meter::check(options_.memory_limit);
    return scores_;
  }

  [[nodiscard]] std::uint64_t wide_traversals() const { return wide_traversals_; }

 private:
  void add_wide(std::span<const TraversalSource> batch, Profile& profile) {
    sweep_.forget_levels();
    SweepOptions options = sweep_options_;
    options.lanes = std::max(1, options.lanes / 2);  // twice the bytes, half the lanes
    if (!wide_) wide_ = std::make_unique<Sweep<WideDouble>>(space_, block_, team_.grid(), options);
    const auto lanes = static_cast<std::size_t>(options.lanes);
    for (std::size_t done = 0; done < batch.size(); done += lanes)
      wide_->add_dependencies(batch.subspan(done, std::min(lanes, batch.size() - done)), scores_, profile);
    wide_traversals_ += batch.size();
  }

  ExecutionSpace space_;
  const Core& core_;
  const Block& block_;
  const Team& team_;
  const BetweennessOptions& options_;
  SweepOptions sweep_options_;
  Sweep<double> sweep_;
  std::unique_ptr<Sweep<WideDouble>> wide_;
  DeviceView<double> scores_;
  std::uint64_t wide_traversals_ = 0;
};

/// The scores of all blocks of a grid, by core vertex.
DeviceView<double> assemble(const ExecutionSpace& space, Grid& grid, const Block& block,
                            const DeviceView<double>& own, VertexId num_vertices) {
  std::vector<std::size_t> firsts, counts;
  for (int row = 0; row < grid.rows(); ++row)
    for (int column = 0; column < grid.columns(); ++column) {
      const std::size_t first =
          std::size_t{block.size} * static_cast<std::size_t>(column * grid.rows() + row);
      firsts.push_back(std::min<std::size_t>(first, num_vertices));
      counts.push_back(std::min<std::size_t>(firsts.back() + block.size, num_vertices) - firsts.back());
    }
  const auto received = grid.whole().all_gather(own, counts);
  const DeviceView<double> scores("KoHyPar::betweenness::core_scores", num_vertices);
  for (std::size_t i = 0, at = 0; i < counts.size(); at += counts[i++])
    Kokkos::deep_copy(space, Kokkos::subview(scores, std::pair(firsts[i], firsts[i] + counts[i])),
                      Kokkos::subview(received, std::pair(at, at + counts[i])));
  return scores;
}

/// The sum over the copies of the graph, in their order.
void add_copies(const ExecutionSpace& space, Exchange& across, const DeviceView<double>& scores) {
  const std::size_t n = scores.extent(0);
  const auto copies = static_cast<std::size_t>(across.size());
  const auto received = across.all_gather(scores, std::vector<std::size_t>(copies, n));
  Kokkos::parallel_for(
      "KoHyPar::betweenness::add_copies", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t v) {
        double sum = received(v);
        for (std::size_t copy = 1; copy < copies; ++copy) sum += received(copy * n + v);
        scores(v) = sum;
      });
  space.fence("KoHyPar::betweenness::add_copies");
}

void add_profiles(Exchange& all, Profile& profile) {
  const std::vector<std::uint64_t> lengths = all.gather(profile.size());
  profile.resize(*std::max_element(lengths.begin(), lengths.end()));
  for (LevelProfile& level : profile) level.vertices = all.sum(level.vertices);
}

}  // namespace

Team::Team(const ExecutionSpace& space, const Distribution& distribution) : replicas_(distribution.replicas) {
  const Communicator* const processes = distribution.processes;
  const int rows = distribution.rows, columns = distribution.columns, replicas = distribution.replicas;
  const int size = processes == nullptr ? 1 : processes->size();
  if (rows < 1 || columns < 1 || replicas < 1 || std::int64_t{rows} * columns * replicas != size)
    throw Error(ErrorKind::usage, std::to_string(replicas) + " copies of the graph on " +
                                      std::to_string(rows) + " x " + std::to_string(columns) +
                                      " processes each don't fit " + std::to_string(size) +
                                      (size == 1 ? " process" : " processes"));
  if (size == 1) return;
  const int in_copy = rows * columns, place = processes->rank() % in_copy;
  replica_ = processes->rank() / in_copy;
  all_ = std::make_unique<Exchange>(space, processes->split(0, processes->rank()));
  if (replicas > 1) across_ = std::make_unique<Exchange>(space, processes->split(place, replica_));
  if (in_copy > 1) grid_ = std::make_unique<Grid>(space, processes->split(replica_, place), rows, columns);
}

std::vector<std::uint64_t> Team::bytes_sent() const {
  std::uint64_t sent = 0;
  if (grid_) sent += grid_->bytes_sent();
  if (across_) sent += across_->bytes_sent();
  return gather(sent + (all_ ? all_->bytes_sent() : 0));
}

std::vector<std::uint64_t> Team::gather(std::uint64_t value) const {
  return all_ ? all_->gather(value) : std::vector<std::uint64_t>{value};
}

DeviceView<double> traverse(const ExecutionSpace& space, const Core& core, const Team& team,
                            const BetweennessOptions& options, Betweenness& result) {
  const Block block = make_block(space, core, team.grid());
  result.sources_at_once = choose_lanes(space, core, block, team, options);
  DeviceView<double> scores;
  {  // what it takes is free again when scores are put together
    Traversal traversal(space, core, block, team, options, result.sources_at_once);
    scores = traversal.run(result.levels);
    result.wide_traversals = traversal.wide_traversals();
  }
  if (team.grid() != nullptr) scores = assemble(space, *team.grid(), block, scores, core.num_vertices());
  if (team.across() != nullptr) {
    add_copies(space, *team.across(), scores);
    result.wide_traversals = team.across()->sum(result.wide_traversals);
  }
  if (team.all() != nullptr) add_profiles(*team.all(), result.levels);
  return scores;
}

}  // namespace kohypar
