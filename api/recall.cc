// search, promoted: nodes by their words, and the most accessed nodes.
#include "engine/recall/recall.h"

#include "api/common.h"
#include "api/operation.h"
#include "engine/fold/states.h"

namespace hebb::api {

struct RankedNode : recall::FoundNode {
  std::size_t rank = 0;
};
RECORD(RankedNode, FIELD(rank, "Its place, from 1"), FIELD(id, "The node"),
       FIELD(type, "TASK, LABEL, …"), FIELD(state, "OPEN is a task to be ranked"),
       FIELD(name, "Its name"), FIELD(description, "Any text"),
       FIELD(project, "What it belongs to"), FIELD(scope, "The scope to which it belongs"),
       FIELD(recall_count, "How often it was asked for before this"),
       FIELD_AS(Time, last_recalled_at, "When it was last asked for"))

namespace {

std::vector<RankedNode> listed(std::vector<recall::FoundNode> found) {
  std::vector<RankedNode> nodes;
  for (recall::FoundNode& n : found) nodes.push_back({std::move(n), nodes.size() + 1});
  return nodes;
}

// Brings the mirror up to date if it can be written now, and returns its tables.
sql::Database& mirror(Session& session) {
  session.engine(Access::read).try_sync();
  return session.tables(Access::read);
}

}  // namespace

// --- search --------------------------------------------------------------------------------------

struct FoundRequest {
  std::optional<std::string> type, project, scope;
  std::int64_t limit = 20;
};
RECORD(FoundRequest, FIELD(type, "Only nodes of this type"),
       FIELD(project, "Only nodes of this project, or of one in it: Home has Home.Garden"),
       FIELD(scope, "Only nodes of this scope"),
       FIELD(limit, "At most so many", {.unit = "nodes", .min = 1, .max = recall::kSearchLimit}))

struct SearchRequest : FoundRequest {
  std::string query;
  std::optional<std::string> state;
  bool recall = true;
};
RECORD(SearchRequest,
       FIELD(query, "Any text; the last word may be the beginning of one",
             {.required = true, .positional = true, .option = "WORDS", .joined = true}),
       part<FoundRequest>(self), FIELD(state, "Only nodes in this state"),
       FIELD(recall, kRecallWords, {.hidden = true}))

struct SearchResult {
  std::vector<RankedNode> nodes;
};
RECORD(SearchResult, FIELD(nodes, "The best first"))

// As elsewhere, an empty text means none.
static std::optional<std::string> if_given(const std::optional<std::string>& text) {
  return text && !text->empty() ? text : std::nullopt;
}

static SearchResult search(Session& session, const SearchRequest& request) {
  recall::SearchQuery query;
  query.text = request.query;
  query.filter = {if_given(request.type), if_given(request.state), if_given(request.project),
                  if_given(request.scope)};
  if (query.filter.state) query.filter.state = kept_state(*query.filter.state);
  query.limit = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  const auto counted_at = request.recall ? std::optional(session.now()) : std::nullopt;
  return {listed(recall::search_nodes(mirror(session), query, counted_at))};
}

// --- promoted ------------------------------------------------------------------------------------

struct PromotedRequest : FoundRequest {
  std::int64_t min_recalls = 5;
  std::optional<Duration> recalled_within;
};
RECORD(PromotedRequest, part<FoundRequest>(self),
       FIELD(min_recalls, "Asked for at least so often", {.min = 1, .max = 1e12}),
       FIELD(recalled_within, "Last asked for within this span, such as 30d", {.unit = "ms"}))

struct PromotedResult {
  std::vector<RankedNode> nodes;
};
RECORD(PromotedResult,
       FIELD(nodes, "Those asked for most often first, of these those asked for last"))

static PromotedResult promoted(Session& session, const PromotedRequest& request) {
  recall::PromotedQuery query;
  query.filter.type = if_given(request.type);
  query.filter.project = if_given(request.project);
  query.filter.scope = if_given(request.scope);
  query.min_recalls = request.min_recalls;
  if (request.recalled_within) query.recalled_since = session.now() - request.recalled_within->ms;
  query.limit = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  return {listed(recall::promoted_nodes(mirror(session), query))};
}

Operations recall_operations() {
  return {
      operation({.name = "search",
                 .summary = "Nodes by the words of their id, name and description",
                 .example = "  hebb search flaky login test\n"
                            "  hebb search payment --state OPEN --project shop --json",
                 .route = "GET /search",
                 .tool = Tool::core},
                search),
      operation({.name = "promoted",
                 .summary = "Nodes that are looked up most",
                 .example = "  hebb promoted\n"
                            "  hebb promoted --min-recalls 10 --recalled-within 30d --project shop",
                 .route = "GET /promoted",
                 .tool = Tool::all},
                promoted),
  };
}

}  // namespace hebb::api
