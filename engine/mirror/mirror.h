// The mirror: the fold of the ledger up to a position, as rows that people read with SQL: the
// tables `mirror`, `node`, `edge`, `edge_type`, `ranking`, `claim` and `policy`. It is an output,
// never the truth, and can be made anew at any time: of a graph nothing is loaded from it. Two
// things are read here because they are kept nowhere else in that form: the words of nodes, and
// which claims there are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/fold/state.h"
#include "engine/mirror/mirror_rows.h"
#include "sql/database.h"

namespace hebb {

inline constexpr std::size_t kProblemsKept = 100;  // of those that a verification finds

class Mirror {
 public:
  explicit Mirror(sql::Database& db) : db_(db), keys_(db) {}

  // The position of the last event that was folded in; 0: none, or it was folded by other rules
  // than these.
  std::int64_t position() const;
  // Writes what changed, and the ranking at state.facts().ranked_at(); touched rows only, in key
  // order. Preconditions: inside a write transaction, state folded up to `position`.
  void write(State& state, std::int64_t position);
  void renew_index_of_words();  // which is made from the rows of nodes
  // To be called before another state is written: it may number nodes and types in another way.
  void forget_keys() { keys_.forget(); }

  NodeContent content(std::string_view id) const;
  // The ids and names of nodes with one of these as id or name, letters in any case.
  std::vector<std::pair<std::string, std::string>> named(
      const std::vector<std::string>& names) const;
  // The ids of nodes of a project, letters in any case.
  std::vector<std::string> ids_by_project(std::string_view project) const;
  std::vector<ClaimRow> claims() const;
  std::int64_t claims_total() const;  // as Claims::total()
  // Writes the claims that have changed and sets position(). Preconditions: inside a write
  // transaction; no event up to `position` changes anything else that is not mirrored yet.
  void write_claims(Claims& claims, std::int64_t position);

  // Adds a line for each row that differs from those of a state and of claims that were folded from
  // the first event up to position(), up to kProblemsKept. Writes them to scratch tables: takes
  // about the memory that the tables have on disk.
  void compare(State& state, const Claims& claims, std::vector<std::string>& problems);

 private:
  void write_whole(State& state);

  sql::Database& db_;
  // They hold at this position only: another process that moves it on may have reused keys.
  RowKeys keys_;
  std::int64_t keys_as_of_ = 0;
  std::optional<std::int64_t> data_version_;  // a rebuild by others leaves the position as it was
};

}  // namespace hebb
