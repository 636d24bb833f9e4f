// hebb search: finds nodes by their words. The first nodes found count as recalled.
#include <memory>

#include <fmt/format.h>

#include "api/recall.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

using api::SearchRequest, api::SearchResult;

namespace {

void print_found(const Context& context, const SearchResult& result) {
  if (result.nodes.empty()) return context.note("nothing found");
  std::vector<std::vector<std::string>> rows;
  for (const auto& n : result.nodes) {
    rows.push_back({n.id, n.type, n.state, shortened(n.name.empty() ? n.description : n.name)});
  }
  context.table({{"id"}, {"type"}, {"state"}, {"name", false, true}}, rows);
}

}  // namespace

void add_search(CLI::App& app, Context& context) {
  const auto words = std::make_shared<std::vector<std::string>>();
  auto* command = add_operation<SearchRequest, SearchResult>(
      app, context,
      {"search", api::search,
       [](const Context& c, const SearchRequest&, const SearchResult& result) {
         print_found(c, result);
       },
       [words](const Context&, SearchRequest& request) {
         request.query = fmt::format("{}", fmt::join(*words, " "));
       }});
  command->add_option("WORDS", *words, "Any text; the last word may be the beginning of one")
      ->required();
}

}  // namespace hebb::cli
