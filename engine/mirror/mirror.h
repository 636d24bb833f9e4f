// The mirror: the fold of the ledger up to a position, as rows that people read with SQL: the
// tables `mirror`, `node`, `node_vector`, `edge`, `edge_type`, `ranking`, `claim` and `policy`. It
// is an output, never the truth, and can be made anew at any time: of a graph nothing is loaded
// from it. Two things are read here because they are kept nowhere else in that form: the words of
// nodes, and which claims there are.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/fold/state.h"
#include "sql/database.h"

namespace hebb {

inline constexpr std::size_t kProblemsKept = 100;  // of those that a verification finds

constexpr std::int64_t kTypesMax = 1 << 16;  // TypeIds have 16 bits
// Only gc removes rows, so a key far above their number is damaged, and must not size an array.
constexpr std::int64_t largest_key(std::size_t nodes) {
  return (std::int64_t{1} << 26) + 64 * static_cast<std::int64_t>(nodes);
}

class Mirror {
 public:
  explicit Mirror(sql::Database& db) : db_(db) {}

  // Of the last event that was folded in; 0: none, or it was folded by other rules than these.
  std::int64_t position() const;
  // Writes what changed, and the ranking at state.stamp(); touched rows only, in key order.
  // Preconditions: inside a write transaction, state folded up to `position`.
  void write(State& state, std::int64_t position);
  void renew_index_of_words();  // which is made from the rows of nodes
  // To be called before another state is written: it may number nodes and types in another way.
  void forget_keys();

  NodeContent content(std::string_view id) const;
  // Of nodes with that id or name, in whatever case its letters are.
  std::vector<std::string> ids_by_name(std::string_view name) const;
  // The seal of the image beside the database (engine/mirror/image.h); empty: none was set.
  std::string image_seal() const;
  void set_image_seal(std::string_view seal);  // precondition: in a write transaction

  std::vector<ClaimRow> claims() const;
  std::int64_t claims_made() const;
  // Writes the claims that have changed and sets position(). Preconditions: inside a write
  // transaction; no event up to `position` changes anything else that is not mirrored yet.
  void write_claims(Claims& claims, std::int64_t position);

  // Adds a line for each row that differs from those of a state folded up to position(), up to
  // kProblemsKept.
  void compare(State& state, std::vector<std::string>& problems);

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
  void write_ranking(State& state);
  void write_position(std::int64_t position);
  void write_node(State& state, graph::NodeId n);
  void write_edge(const State& state, const EdgeKey& key, graph::EdgeId e);
  std::int64_t node_key(const State& state, graph::NodeId n);
  std::int64_t type_key(const State& state, graph::TypeId type);
  std::int64_t put_type(const State& state, graph::TypeId type);
  void put_type_key(graph::TypeId type, std::int64_t key);
  std::optional<std::int64_t> mark(std::string_view name) const;

  sql::Database& db_;
  // Row keys of the nodes and types of the state, looked up when they are first needed. They hold
  // at this mirror position only: another process that moves it on may have reused keys.
  std::int64_t keys_as_of_ = 0;
  std::int64_t data_version_ = 0;        // a rebuild by others leaves the position as it was
  std::vector<std::int64_t> node_keys_;  // by NodeId; 0: not known yet
  std::vector<std::int64_t> type_keys_;  // by TypeId; 0: not known yet
};

}  // namespace hebb
