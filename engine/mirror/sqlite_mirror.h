// The mirror in the tables `mirror`, `node`, `node_vector`, `edge`, `edge_type`, `node_priority`,
// `claim` and `policy`.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/mirror/mirror.h"
#include "sql/database.h"

namespace hebb {

constexpr std::int64_t kTypesMax = 1 << 16;  // TypeIds have 16 bits
// Only gc removes rows, so a key far above their number is damaged, and must not size an array.
constexpr std::int64_t largest_key(std::size_t nodes) {
  return (std::int64_t{1} << 26) + 64 * static_cast<std::int64_t>(nodes);
}

class SqliteMirror : public Mirror {
 public:
  explicit SqliteMirror(sql::Database& db) : db_(db) {}
  std::int64_t position() const override;
  void load(State& state, const Progress& progress) override;
  void begin_without_load() override;
  std::string image_seal() const override;
  void set_image_seal(std::string_view seal) override;
  void write(State& state, std::int64_t position) override;
  void rewrite(State& state, std::int64_t position) override;
  NodeContent content(std::string_view id) const override;
  std::vector<std::string> ids_by_name(std::string_view name) const override;
  PriorityTime priority_time() const override;
  std::optional<std::vector<PathRow>> golden_path(const PathFilter& filter) const override;
  std::vector<std::string> blocking_cycle() const override;
  std::vector<ClaimRow> claims() const override;
  void write_claims(Claims& claims, std::int64_t position) override;
  void compare(State& state, std::vector<std::string>& problems) override;

 private:
  class Comparison;
  // What has to be written and removed for the rows to be those of a state that was folded from the
  // start, and a line for each. Learns the keys of the rows that are of the fold.
  struct Differences {
    std::vector<graph::NodeId> nodes, vectors;
    std::vector<EdgeKey> edges;
    std::vector<std::int64_t> stray_nodes, stray_vectors, stray_types;  // keys
    std::vector<std::array<std::int64_t, 3>> stray_edges;               // source, target, type
  };
  Differences differences(const State& state, std::vector<std::string>& problems);
  void take_differences(State& state);
  void write_policy(const State& state);
  void write_nodes(State& state);
  void write_edges(State& state);
  void drop_nodes(State& state);
  // The rows of node_priority, by key: the numbers in the order of the columns, and the reasons.
  using Priorities = std::map<std::int64_t, std::pair<std::array<double, 13>, std::string>>;
  static constexpr std::string_view kNoReasons{"\0", 1};  // of a row that has NULL
  Priorities load_priorities();
  Priorities priorities_of(State& state);
  void compare_priorities(State& state, std::vector<std::string>& problems);
  void write_priorities(State& state);
  void write_marks(State& state, std::int64_t position);
  void write_node(State& state, graph::NodeId n);
  void write_edge(const State& state, const EdgeKey& key, graph::EdgeId e);
  std::int64_t node_key(const State& state, graph::NodeId n);
  std::int64_t type_key(const State& state, graph::TypeId type);
  std::int64_t put_type(const State& state, graph::TypeId type);
  void put_type_key(graph::TypeId type, std::int64_t key);
  void forget_keys();

  std::optional<std::int64_t> mark(std::string_view name) const;

  sql::Database& db_;
  std::optional<Priorities> priorities_;  // as this wrote them; known while the keys are
  // Row keys of the nodes and types of the state that was loaded or written whole last. They hold
  // at this mirror position only: another process that moves it on may have reused keys.
  std::int64_t keys_as_of_ = 0;
  std::vector<std::int64_t> node_keys_;  // by NodeId; 0: not known yet
  std::vector<std::int64_t> type_keys_;  // by TypeId; 0: not known yet
};

}  // namespace hebb
