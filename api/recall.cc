#include "api/recall.h"

#include "api/common.h"
#include "api/room.h"
#include "recall/recall.h"

namespace hebb::api {

const Fields& ListedNode::fields() {
  using N = ListedNode;
  static const Fields kFields{
      field("rank", &N::rank, "Its place, from 1"),
      field("id", &N::id, "The node"),
      field("type", &N::type, "TASK, LABEL, …"),
      field("state", &N::state, "OPEN is a task to be ranked"),
      field("name", &N::name, "Its name"),
      field("description", &N::description, "Any text"),
      field("project", &N::project, "What it belongs to"),
      field("scope", &N::scope, "The scope to which it belongs"),
      field("recall_count", &N::recall_count, "How often it was asked for before this"),
      field("last_recalled_at", &N::last_recalled_at, "When it was last asked for"),
  };
  return kFields;
}

namespace {

std::vector<ListedNode> listed(const std::vector<recall::FoundNode>& found) {
  std::vector<ListedNode> nodes;
  for (const recall::FoundNode& n : found) {
    ListedNode node;
    node.rank = static_cast<std::int64_t>(nodes.size()) + 1;
    node.id = n.id;
    node.type = n.type;
    node.state = n.state;
    node.name = n.name;
    node.description = n.description;
    node.project = n.project;
    node.scope = n.scope;
    node.recall_count = n.recall_count;
    if (n.last_recalled_at) node.last_recalled_at = Time{*n.last_recalled_at};
    nodes.push_back(std::move(node));
  }
  return nodes;
}

template <class R>
Fields recall_fields() {
  return {
      field("type", &R::type, "Only nodes of this type"),
      field("project", &R::project, "Only nodes of this project"),
      field("scope", &R::scope, "Only nodes of this scope"),
  };
}

template <class R>
Field limit_field() {
  return field("limit", &R::limit, "At most so many",
               {.unit = "nodes", .min = 1, .max = recall::kSearchLimit});
}

// Brings the mirror up to date if it can be written now, and returns its tables.
sql::Database& mirror(Session& session) {
  session.engine(Access::read).try_sync();
  return session.tables(Access::read);
}

}  // namespace

// --- search --------------------------------------------------------------------------------------

const Fields& SearchRequest::fields() {
  using R = SearchRequest;
  static const Fields kFields = [] {
    Fields fields = recall_fields<R>();
    fields.insert(fields.begin(),
                  field("query", &R::query, "Any text; the last word may be the beginning of one",
                        {.required = true, .option = "WORDS", .hidden = true, .was = "text"}));
    fields.push_back(field("state", &R::state, "Only nodes in this state"));
    fields.push_back(recall_field(&R::recall));
    fields.push_back(limit_field<R>());
    return with_presets<R>(std::move(fields));
  }();
  return kFields;
}

const Fields& SearchResult::fields() {
  static const Fields kFields{field("nodes", &SearchResult::nodes, "The best first")};
  return kFields;
}

SearchResult search(Session& session, const SearchRequest& request) {
  recall::SearchQuery query;
  query.text = request.query;
  query.filter = {request.type, request.state, request.project, request.scope};
  query.limit = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  const auto counted_at = request.recall ? std::optional(session.now()) : std::nullopt;
  return {listed(recall::search_nodes(mirror(session), query, counted_at))};
}

Operation search_operation() {
  return operation<SearchRequest, SearchResult>(
      {.name = "search",
       .command = "search",
       .summary = "Nodes by the words of their id, name and description",
       .example = "  hebb search flaky login test\n"
                  "  hebb search payment --state OPEN --project shop --json",
       .effect = Effect::reads,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/search"},
      search);
}

// --- promoted ------------------------------------------------------------------------------------

const Fields& PromotedRequest::fields() {
  using R = PromotedRequest;
  static const Fields kFields = [] {
    Fields fields = recall_fields<R>();
    fields.push_back(field("min_recalls", &R::min_recalls, "Asked for at least so often",
                           {.min = 1, .max = 1e12}));
    fields.push_back(field("recalled_within", &R::recalled_within,
                           "Last asked for within this span, such as 30d", {.unit = "ms"}));
    fields.push_back(limit_field<R>());
    return with_presets<R>(std::move(fields));
  }();
  return kFields;
}

const Fields& PromotedResult::fields() {
  static const Fields kFields{
      field("nodes", &PromotedResult::nodes,
            "Those asked for most often first, of these those asked for last")};
  return kFields;
}

PromotedResult promoted(Session& session, const PromotedRequest& request) {
  recall::PromotedQuery query;
  query.filter.type = request.type;
  query.filter.project = request.project;
  query.filter.scope = request.scope;
  query.min_recalls = request.min_recalls;
  if (request.recalled_within) query.recalled_since = session.now() - request.recalled_within->ms;
  query.limit = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  return {listed(recall::promoted_nodes(mirror(session), query))};
}

Operation promoted_operation() {
  return operation<PromotedRequest, PromotedResult>(
      {.name = "promoted",
       .command = "promoted",
       .summary = "Nodes that are asked for again and again",
       .example = "  hebb promoted\n"
                  "  hebb promoted --min-recalls 10 --recalled-within 30d --project shop",
       .effect = Effect::reads,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/promoted"},
      promoted);
}

}  // namespace hebb::api
