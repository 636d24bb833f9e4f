// hebb export
#include "api/export.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/out_file.h"

namespace hebb::cli {

namespace {

using api::ExportRequest, api::ExportResult;

void write(const Context& context, ExportRequest& request) {
  request.file = out_file(std::move(request.file), "hebb export");
  if (request.file != "-") {
    return run_operation<ExportRequest, ExportResult>(
        context,
        {"export", api::export_log,
         [](const Context& c, const ExportRequest&, const ExportResult& result) {
           c.report(fmt::format("{} exported to {}", counted(result.events, "event"), result.file));
         }},
        request);
  }
  CommandSession session(context);
  export_log(session.engine(api::Access::read),
             [&](std::string_view line) { context.data(std::string(line)); });
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
  const auto request = std::make_shared<ExportRequest>();
  auto* command =
      add_operation_help(app, context, "export", [&context, request] { write(context, *request); });
  add_fields(*command, ExportRequest::fields(), request.get());
  command->get_option("FILE")->required(false);
}

}  // namespace hebb::cli
