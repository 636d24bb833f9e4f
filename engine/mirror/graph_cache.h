// The graph cache, a file beside the database: a state's columns as they lie in memory, mapped
// privately. Opening reads almost nothing, pages are read when they are touched, and changes stay
// in private copies. It is never the truth: one that is damaged, or of another ledger or version,
// is not used, and deleting it loses nothing.
//
// Opening checks what would lead out of the file: owner, length, header, table of sections and
// meta data. That the arrays hold what was written is checked by `hebb verify` alone, as SQLite
// does with the pages of a database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/fold/state.h"

namespace hebb {

// The ledger up to a position: the checksum of the row there depends on all rows before it.
struct LedgerPrefix {
  std::int64_t position = 0, checksum = 0;
};

// Beside the database; empty for one that is no file, and where another user owns the database than
// the one that this process acts for: the bytes of a graph cache lead into memory, so nobody reads
// one that another user could have written.
std::string graph_cache_path(const std::string& database);

// Why a graph cache is not used; empty: there is none.
struct NoGraphCache {
  std::string why;
};

class GraphCache {
 public:
  // Checks the owner, who must be the user that this process acts for, header, table of sections
  // and meta data. O(1).
  static std::variant<GraphCache, NoGraphCache> open(const std::string& path);
  bool is_whole() const;  // whether the sections have their checksums; O(size)
  const LedgerPrefix& ledger() const { return ledger_; }  // that it was folded from
  // Loads all but the policies into an empty state, which keeps the mapping. False, and the state
  // must not be used: the content is not of this format, although header and version are.
  [[nodiscard]] bool load(State& state) const;

 private:
  GraphCache() = default;
  struct Mapping;
  std::shared_ptr<Mapping> mapping_;
  LedgerPrefix ledger_;
};

// Writes a graph cache to a new file PATH-new, which only its owner may read, syncs it and renames
// it to PATH. A file PATH-new of a killed process is removed, and never written to. False, and
// nothing has changed: another process is writing one, or this one could not be written (a full
// disk, for example). O(nodes + edges). The state keeps its values; its indexes may become larger.
bool write_graph_cache(const std::string& path, State& state, const LedgerPrefix& ledger);

}  // namespace hebb
