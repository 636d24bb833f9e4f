#include "engine/recall/recall.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_set>
#include <utility>

#include <xxhash.h>

#include "reward/weight.h"
#include "sql/search_tokenizer.h"
#include "text/ascii.h"

namespace hebb::recall {
namespace {

constexpr std::size_t kWords = 32, kBytes = 4096;  // of a search
constexpr int kWaitMs = 50, kWaitForServerMs = 1'000;

FoundNode node_of(const sql::Statement& row) {
  const auto text = [&](int column) { return std::string(row.text(column)); };
  FoundNode n;
  n.id = text(0);
  n.type = text(1);
  n.state = text(2);
  n.name = text(3);
  n.description = text(4);
  n.project = text(5);
  n.scope = text(6);
  n.properties = text(7);
  n.created_at = row.integer(8);
  n.updated_at = row.integer(9);
  n.recall_count = row.integer(10);
  if (!row.is_null(11)) n.last_recalled_at = row.integer(11);
  return n;
}

FoundNode taken(const sql::Statement& row, const std::function<void(std::size_t)>& took) {
  FoundNode n = node_of(row);
  if (took) {
    took(n.id.size() + n.type.size() + n.state.size() + n.name.size() + n.description.size() +
         n.project.size() + n.scope.size() + n.properties.size());
  }
  return n;
}

std::optional<std::string_view> view(const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

std::vector<FoundNode> matching(sql::Database& db, const std::string& expression,
                                const SearchQuery& query) {
  std::vector<FoundNode> found;
  auto& rows = db.query(sql::Query::search_nodes);
  const sql::Reset reset(rows);
  const NodeFilter& filter = query.filter;
  rows.bind(1, std::string_view(expression)).bind(2, std::string_view(query.text));
  rows.bind(3, view(filter.type)).bind(4, view(filter.state));
  rows.bind(5, view(filter.project)).bind(6, view(filter.scope));
  rows.bind(7, static_cast<std::int64_t>(query.limit));
  while (rows.step()) found.push_back(taken(rows, query.took));
  return found;
}

// Counts the nodes for which may_count(node) is true. may_count() may write to the database.
template <class MayCount>
bool count(sql::Database& db, std::span<const FoundNode> nodes, TimeMs now,
           MayCount may_count) noexcept {
  try {
    if (nodes.empty() || db.in_transaction()) return nodes.empty();
    const std::shared_ptr<void> wait_again(
        nullptr, [&db, wait = db.busy_timeout_ms()](void*) { db.set_busy_timeout(wait); });
    db.set_busy_timeout(db.upstream() ? kWaitForServerMs : kWaitMs);
    sql::Transaction transaction(db);
    for (const FoundNode& n : nodes) {
      if (!may_count(n)) continue;
      db.query(sql::Query::recall_bump).bind(1, std::string_view(n.id)).bind(2, now).run();
    }
    transaction.commit();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// General punctuation, and the punctuation of Chinese, Japanese and Korean.
bool is_punctuation(char32_t c) {
  if (c >= 0x2000 && c <= 0x206F) return true;
  if (c >= 0x3000 && c <= 0x303F) return !sql::is_written_without_spaces(c);
  return c == 0x30FB || (c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) ||
         (c >= 0xFF3B && c <= 0xFF40) || (c >= 0xFF5B && c <= 0xFF65);
}

// A word has no quotation mark in it, so it needs no escaping. Within quotes, AND, OR and NEAR are
// ordinary words.
std::string in_quotes(std::string_view word) { return '"' + std::string(word) + '"'; }

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  text = text.substr(0, kBytes);
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > begin && words.size() < kWords) words.push_back(text.substr(begin, end - begin));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const char32_t c = sql::next_character(text, at);
    if (c < 0x80 ? is_alnum(static_cast<char>(c)) : !is_punctuation(c)) continue;
    end_word(here);
    begin = at;
  }
  end_word(text.size());
  return words;
}

SearchExpressions search_expressions(std::string_view text) {
  SearchExpressions e;
  for (const auto word : words_of(text)) {
    // In FTS5 a space means AND, but ignores a word that has no token, such as a dash.
    e.all += (e.all.empty() ? "" : " ") + in_quotes(word);
    e.any += (e.any.empty() ? "" : " OR ") + in_quotes(word) + "*";
    const auto parts = sql::camel_parts(word);
    for (const auto part : parts) {
      e.begun += (e.begun.empty() ? "" : " ") + in_quotes(part) + "*";
      if (parts.size() > 1) e.any += " OR " + in_quotes(part) + "*";
    }
  }
  if (!e.all.empty()) e.all += "*";
  return e;
}

std::int64_t search_hash(std::string_view text) {
  std::string words;
  for (const auto word : words_of(text)) words.append(word).push_back(' ');
  std::transform(words.begin(), words.end(), words.begin(), [](char c) { return to_lower(c); });
  return std::bit_cast<std::int64_t>(std::uint64_t{XXH3_64bits(words.data(), words.size())});
}

bool count_opened(sql::Database& db, const FoundNode& node, TimeMs now) noexcept {
  return count(db, {&node, 1}, now, [](const FoundNode&) { return true; });
}

bool count_found(sql::Database& db, std::string_view text, std::span<const FoundNode> nodes,
                 TimeMs now) noexcept {
  const std::int64_t day = now / reward::kMsPerDay;
  const auto first = nodes.first(std::min(nodes.size(), kCountedFirst));
  return count(db, first, now, [&](const FoundNode& n) {
    if (&n == first.data()) db.query(sql::Query::recall_forget).bind(1, day).run();
    auto& q = db.query(sql::Query::recall_search);
    q.bind(1, std::string_view(n.id)).bind(2, search_hash(text)).bind(3, day).run();
    return db.changes() > 0;
  });
}

std::optional<FoundNode> get_node(sql::Database& db, std::string_view id,
                                  std::optional<TimeMs> now) {
  std::optional<FoundNode> found;
  {
    auto& row = db.query(sql::Query::recall_get);
    const sql::Reset reset(row);
    row.bind(1, id);
    if (row.step()) found = node_of(row);
  }
  if (found && now) count_opened(db, *found, *now);
  return found;
}

std::vector<FoundNode> search_nodes(sql::Database& db, const SearchQuery& query,
                                    std::optional<TimeMs> now) {
  const SearchExpressions expressions = search_expressions(query.text);
  if (expressions.all.empty()) return {};
  std::vector<FoundNode> found;
  std::unordered_set<std::string> ids;
  for (const std::string* expression : expressions.best_first()) {
    if (found.size() == query.limit) break;
    for (FoundNode& n : matching(db, *expression, query)) {
      if (found.size() < query.limit && ids.insert(n.id).second) found.push_back(std::move(n));
    }
  }
  if (now) count_found(db, query.text, found, *now);
  return found;
}

std::vector<FoundNode> promoted_nodes(sql::Database& db, const PromotedQuery& query) {
  std::vector<FoundNode> found;
  auto& rows = db.query(sql::Query::recall_promoted);
  const sql::Reset reset(rows);
  rows.bind(1, query.min_recalls).bind(2, view(query.filter.type));
  rows.bind(3, view(query.filter.project)).bind(4, view(query.filter.scope));
  rows.bind(5, query.recalled_since).bind(6, static_cast<std::int64_t>(query.limit));
  while (rows.step()) found.push_back(taken(rows, query.took));
  return found;
}

}  // namespace hebb::recall
