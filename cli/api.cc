// hebb api openapi, mcp, schemas, docs
#include "api/describe.h"
#include "cli/commands.h"
#include "cli/reference.h"

namespace hebb::cli {

void add_api(CLI::App& app, Context& context) {
  auto* api = add_command(app, context, "api", "Descriptions of the operations for other programs",
                          "  hebb api openapi > openapi.json\n"
                          "  hebb api mcp",
                          {});
  api->require_subcommand(1);
  add_command(*api, context, "openapi", "An OpenAPI 3.1 document of the HTTP interface",
              "  hebb api openapi > openapi.json",
              [&context] { context.print_json(api::openapi()); });
  add_command(*api, context, "mcp", "The list of MCP tools with their schemas", "  hebb api mcp",
              [&context] {
                context.print_json({{"tools", api::mcp_tools(api::Tool::all)}});
              });
  add_command(*api, context, "schemas", "JSON Schema of each operation's request and result",
              "  hebb api schemas", [&context] { context.print_json(api::schemas()); });
  add_command(*api, context, "docs", "Every operation with its fields, as Markdown",
              "  hebb api docs > api.md",
              [&app, &context] { context.data(api::api_page(program_page(app))); });
}

}  // namespace hebb::cli
