// hebb mcp
#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "serve/mcp/stdio.h"
#include "serve/session.h"

namespace hebb::cli {

void add_mcp(CLI::App& app, Context& context) {
  add_command(app, context, "mcp",
              "Serve the Model Context Protocol on standard input and output, for an agent",
              "  hebb mcp\n"
              "  hebb --db tasks.db mcp\n"
              "  claude mcp add hebb -- hebb --db ~/tasks.db mcp",
              [&context] {
                context.make_default_folder();
                serve::SessionOptions options;
                options.path = context.db_path();
                options.now = context.now_option;
                options.note = [&context](const std::string& text) { context.note(text); };
                serve::OpenSession session(options);
                serve::mcp::StdioOptions stdio;
                stdio.in = STDIN_FILENO;
                stdio.write = [](std::string_view line) {
                  write_data(line);
                  return flush_output();
                };
                serve::mcp::serve_stdio(session, stdio);
              });
}

}  // namespace hebb::cli
