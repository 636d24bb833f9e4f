// hebb gc
#include "api/gc.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

using api::GcRequest, api::GcResult;

namespace {

void print_removed(const Context& context, const GcResult& result) {
  // -q does not silence a dry run, because its list is what the user asked for.
  const auto say = [&](const std::string& text) {
    result.dry_run ? context.line(text) : context.report(text);
  };
  for (const auto& e : result.edges)
    say(fmt::format("edge {} -{}-> {}", e.source, e.type, e.target));
  for (const auto& n : result.nodes) say(fmt::format("node {}", n));
  say(fmt::format("{} and {} {}", counted(std::ssize(result.edges), "dormant edge"),
                  counted(std::ssize(result.nodes), "orphaned node"),
                  result.dry_run ? "would be removed" : "removed; the ledger knows them still"));
}

}  // namespace

void add_gc(CLI::App& app, Context& context) {
  add_operation<GcRequest, GcResult>(
      app, context, {"gc", api::gc, [](const Context& c, const GcRequest&, const GcResult& result) {
                       print_removed(c, result);
                     }});
}

}  // namespace hebb::cli
