// hebb mcp
#include <memory>

#include <unistd.h>

#include "api/open.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/outcome_hook.h"
#include "cli/output.h"
#include "serve/mcp/stdio.h"

namespace hebb::cli {

namespace {

struct McpOptions {
  std::vector<std::string> replay;
  std::string upload_from;
  api::Tool tools = api::Tool::core;
  const CLI::Option* tools_given = nullptr;
};

// http://HOST:PORT with * for any part, or * alone.
void require_origins(const std::vector<std::string>& patterns) {
  for (const std::string& p : patterns) {
    const auto host = p.find("://");
    const bool origin = (p.starts_with("http:") || p.starts_with("https:")) &&
                        host != std::string::npos && host + 3 < p.size() &&
                        p.find_first_of("/?#@", host + 3) == std::string::npos;
    if (origin || p == "*") continue;
    throw Stop(kUsage, "--replay " + p +
                           ": give an origin such as http://localhost:8080, * for any part of it");
  }
}

void serve_agent(Context& context, const McpOptions& o) {
  require_origins(o.replay);
  context.make_default_folder();
  serve::mcp::StdioOptions options;
  options.in = STDIN_FILENO;
  options.out = STDOUT_FILENO;
  // Who says that skills may be replayed wants their tools listed.
  options.tools = o.tools_given->count() == 0 && !o.replay.empty() ? api::Tool::all : o.tools;
  options.write = [](std::string_view line) {
    write_data(line);
    return flush_output();
  };
  serve::mcp::Stdio stdio(options);
  api::SessionOptions session;
  session.serves = true;
  session.database.path = context.db_path();
  session.now = context.now_option;
  session.zone = context.tz;
  session.note = [&context](const std::string& text) { context.note(text); };
  session.database.outcome_taken = outcome_listener(context);
  if (!o.replay.empty())
    session.browser_use = {"", o.replay, o.upload_from, [&stdio] { return stdio.cancelled(); }};
  api::OpenSession open(session);
  stdio.serve(open);
}

}  // namespace

void add_mcp(CLI::App& app, Context& context) {
  const auto o = std::make_shared<McpOptions>();
  CLI::App* command =
      add_command(app, context, "mcp",
                  "Serve the Model Context Protocol on standard input and output, for an agent",
                  "  hebb mcp\n"
                  "  hebb --db tasks.db mcp\n"
                  "  hebb mcp --tools all\n"
                  "  hebb mcp --replay http://localhost:8080\n"
                  "  claude mcp add hebb -- hebb --db ~/tasks.db mcp",
                  [&context, o] { serve_agent(context, *o); });
  o->tools_given = add_tools(*command, o->tools);
  command
      ->add_option(
          "--replay", o->replay,
          "An origin on whose pages the agent may replay and record skills; * is any "
          "part of it. Without, none. With it, all tools are listed, unless --tools says otherwise")
      ->allow_extra_args(false);
  command->add_option("--upload-from", o->upload_from,
                      "The folder with the files that a replay may upload. Without, none");
  add_outcome_hook(*command, context);
}

}  // namespace hebb::cli
