// hebb serve, mcp
#include <algorithm>
#include <memory>
#include <mutex>

#include <unistd.h>

#include "api/files.h"
#include "api/open.h"
#include "cli/commands.h"
#include "cli/outcome_hook.h"
#include "cli/output.h"
#include "serve/mcp/stdio.h"
#include "serve/server.h"

namespace hebb::cli {

namespace {

struct ServeOptions {
  serve::ServeOptions serve;
  std::string token_file;
  std::string log = "logfmt";
};

std::string read_token(const std::string& file) {
  if (file.empty()) return {};
  std::string token = api::read_file(file);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 127; });
  if (token.size() < 16 || !plain) {
    throw Stop(kUsage, file +
                           " has to hold a secret of at least 16 printable characters without "
                           "blanks, such as `openssl rand -hex 32` makes");
  }
  return token;
}

void serve_database(Context& context, ServeOptions& o) {
  o.serve.token = read_token(o.token_file);
  // Lines come from three threads: of the sockets, the reader and the writer.
  const auto mutex = std::make_shared<std::mutex>();
  const auto log = [mutex](std::string_view line) {
    const std::lock_guard lock(*mutex);
    write_message(line);
  };
  o.serve.log = log;
  const auto format = o.serve.log_format = o.log == "json"   ? serve::LogFormat::json
                                           : o.log == "none" ? serve::LogFormat::none
                                                             : serve::LogFormat::logfmt;
  api::SessionOptions options;
  options.serves = true;
  options.longest_answer = api::OpenSession::kLongestAnswer;
  options.database.path = context.db_path();
  options.now = context.now_option;
  options.zone = context.tz;
  options.note = [log, format](const std::string& text) {
    if (format == serve::LogFormat::none) return;
    log(serve::log_line(format, {{"level", "warning"}, {"note", text}}));
  };
  context.make_default_folder(options.note);
  options.database.outcome_taken =
      outcome_listener(context, [log, format](OutcomeHook::LineKind kind, const std::string& text) {
        if (format == serve::LogFormat::none) return;
        const bool warns = kind == OutcomeHook::LineKind::warning;
        log(serve::log_line(format, {{"level", warns ? "warning" : "info"}, {"note", text}}));
      });
  api::OpenSession writer(options), reader(options);
  writer.engine(api::Access::read).try_sync();  // reports errors of the database at once
  try {
    serve::run_server(reader, writer, o.serve);
  } catch (const std::runtime_error& e) {
    throw Stop(kFailed, e.what());
  }
}

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
  serve::mcp::StdioOptions options;
  options.in = STDIN_FILENO;
  options.out = STDOUT_FILENO;
  // A user who allows replays wants the tools for skills listed.
  options.tools = o.tools_given->count() == 0 && !o.replay.empty() ? api::Tool::all : o.tools;
  options.write = [](std::string_view line) {
    write_data(line);
    return flush_output();
  };
  serve::mcp::Stdio stdio(options);
  api::SessionOptions session;
  session.serves = true;
  session.longest_answer = api::OpenSession::kLongestAnswer;
  session.database.path = context.db_path();
  session.now = context.now_option;
  session.zone = context.tz;
  session.agent = context.agent();
  session.note = [&context](const std::string& text) { context.note(text); };
  context.make_default_folder(session.note);
  session.database.outcome_taken = outcome_listener(context);
  if (!o.replay.empty())
    session.browser_use = {"", o.replay, o.upload_from, [&stdio] { return stdio.cancelled(); }};
  api::OpenSession open(session);
  stdio.serve(open);
}

// --tools: sets which tools are listed.
CLI::Option* add_tools(CLI::App& command, api::Tool& tools) {
  return command
      .add_option_function<std::string>(
          "--tools",
          [&tools](const std::string& list) {
            tools = list == "all" ? api::Tool::all : api::Tool::core;
          },
          "Which tools an agent is given: core, the few that the loop of work needs, or all")
      ->check(one_of({"core", "all"}))
      ->default_str("core");
}

}  // namespace

void add_serve(CLI::App& app, Context& context) {
  const auto o = std::make_shared<ServeOptions>();
  CLI::App* command = add_command(app, context, "serve",
                                  "Serve the operations over HTTP, on this machine or a socket",
                                  "  hebb serve\n"
                                  "  hebb serve --socket /run/user/1000/hebb.sock\n"
                                  "  hebb serve --listen 0.0.0.0 --token-file secret --host tasks",
                                  [&context, o] { serve_database(context, *o); });
  auto& address = o->serve.address;
  command->add_option("--socket", address.socket,
                      "A unix socket to listen on, for its owner alone, rather than an address");
  command->add_option("--listen", address.host, "The address; others than loopback need a token")
      ->capture_default_str();
  command->add_option("--port", address.port, "The port; 0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--token-file", o->token_file,
                      "A file with a secret that each request has to bring");
  command->add_option("--host", o->serve.hosts, "Another name that requests may call this server");
  command->add_option("--log", o->log, "How its log on stderr is written: logfmt, json or none")
      ->check(one_of({"logfmt", "json", "none"}))
      ->capture_default_str();
  command
      ->add_option("--timeout-ms", o->serve.request_timeout_ms,
                   "How long a request may take to come, and its answer to be taken")
      ->check(CLI::Range(1, 3'600'000))
      ->capture_default_str();
  add_tools(*command, o->serve.tools);
  add_outcome_hook(*command, context);
}

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
