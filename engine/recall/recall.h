// Public reads of nodes, and how often each node was asked for.
//
// get counts the node that it opens. search counts the first three that it finds, once a day for
// the same words. Nothing else counts, nor do these where the caller only looks around. Counting is
// a side effect that may fail: a locked, full or read-only database never makes a read fail or wait
// long. Counts are not in the ledger, touch no node and no search index, and a crash of the machine
// may lose the last ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ledger/event.h"
#include "sql/database.h"

namespace hebb::recall {

struct FoundNode {
  std::string id, type, state, name, description, project, scope;
  std::string properties;  // a JSON object
  TimeMs created_at = 0;
  TimeMs updated_at = 0;
  // Counts as they were before this read.
  std::int64_t recall_count = 0;
  std::optional<TimeMs> last_recalled_at;
};

struct NodeFilter {  // absent: any
  std::optional<std::string> type, state, project, scope;
};

struct SearchQuery {
  std::string text;
  NodeFilter filter;
  std::size_t limit = 20;  // 1 … kSearchLimit
  // Called with the bytes of each row's texts; an exception ends the query.
  std::function<void(std::size_t)> took = {};
};
inline constexpr std::size_t kSearchLimit = 1000;

struct PromotedQuery {
  NodeFilter filter;  // its `state` is ignored
  std::int64_t min_recalls = 5;
  std::optional<TimeMs> recalled_since;
  std::size_t limit = 20;
  // Called with the bytes of each row's texts; an exception ends the query.
  std::function<void(std::size_t)> took = {};
};

// The functions below read the mirror: bring it up to date first (Engine::sync). A node that was
// deleted, or only ever named, is not found. Throw sql::Error when the read itself fails.

// Counts the node that is found, unless there is no time to count it at.
std::optional<FoundNode> get_node(sql::Database& db, std::string_view id,
                                  std::optional<TimeMs> now);

// First come nodes that have every word of the text, then those with words that begin with each of
// them, then those with some of them; the best first in each group. Counts as count_found() does,
// unless there is no time to count them at.
std::vector<FoundNode> search_nodes(sql::Database& db, const SearchQuery& query,
                                    std::optional<TimeMs> now);

// Sorted by count, then last recall, then id. Does not count.
std::vector<FoundNode> promoted_nodes(sql::Database& db, const PromotedQuery& query);

// Counts one recall of the node; false: not counted. Waits at most 50 ms for another writer.
bool count_opened(sql::Database& db, const FoundNode& node, TimeMs now) noexcept;

// Counts one recall for each of the first kCountedFirst nodes that a search has found, unless a
// search for the same words has counted for the node on that day (UTC).
inline constexpr std::size_t kCountedFirst = 3;
bool count_found(sql::Database& db, std::string_view text, std::span<const FoundNode> nodes,
                 TimeMs now) noexcept;

// --- what a person types -------------------------------------------------------------------------

// The words of a text, in order: runs of ASCII letters and digits and of anything beyond ASCII that
// is not punctuation; the rest only separates, as it does in the index. At most the first 32 words
// of the first 4096 bytes.
std::vector<std::string_view> words_of(std::string_view text);

// The words of a text as expressions of FTS5. Any bytes are allowed: no part of the text is taken
// for FTS5 syntax.
struct SearchExpressions {
  std::string all;    // every word, the last as a prefix; empty: the text has no word
  std::string begun;  // every word, and every part of a name in camelCase, as a prefix
  std::string any;    // at least one of the words and parts, as a prefix
  std::array<const std::string*, 3> best_first() const { return {&all, &begun, &any}; }
};
SearchExpressions search_expressions(std::string_view text);

// A hash of the text's words. Texts whose words differ only in ASCII case have the same hash.
std::int64_t search_hash(std::string_view text);

}  // namespace hebb::recall
