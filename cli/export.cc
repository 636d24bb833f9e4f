// hebb export
#include <fmt/format.h>
#include <unistd.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

// Without a FILE to standard output, unless that is a terminal.
void run_export(const Context& context, api::Session& session, const Json& request) {
  const std::string file = text(request, "file");
  if (file.empty() && ::isatty(STDOUT_FILENO) != 0) {
    throw Stop(kUsage,
               "no file is named, and standard output is a terminal: give `hebb export FILE`, or "
               "`hebb export -` to see it here");
  }
  if (file.empty() || file == "-") {
    return export_log(session.engine(api::Access::read),
                      [&](std::string_view line) { context.data(line); });
  }
  const Json result = api::operation_named("export").call(session, request);
  if (context.json) return context.print_json(result);
  context.report(fmt::format("{} exported to {}", counted(whole(result, "events"), "event"), file));
}

}  // namespace

Views export_views() {
  return {
      {.operation = "export", .run = run_export},
  };
}

}  // namespace hebb::cli
