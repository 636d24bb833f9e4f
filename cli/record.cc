// hebb record
#include "capture/record/record.h"

#include <memory>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "api/files.h"
#include "capture/record/http.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

// The server must run even if the database cannot be used.
std::string database(const Context& context) {
  try {
    context.make_default_folder([&](const std::string& text) { context.note(text); });
    return context.db_path();
  } catch (const Stop& e) {
    context.note(std::string("hebb record: ") + e.what());
    return {};
  }
}

// The headers as given, or the lines of @FILE.
std::vector<std::pair<std::string, std::string>> read_headers(
    const std::vector<std::string>& given) {
  std::vector<std::pair<std::string, std::string>> headers;
  try {
    for (const std::string& text : given) {
      if (!text.starts_with('@')) {
        headers.push_back(capture::parse_http_header(text));
        continue;
      }
      std::istringstream lines(api::read_file(text.substr(1)));
      for (std::string line; std::getline(lines, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
          headers.push_back(capture::parse_http_header(line));
        }
      }
    }
  } catch (const std::invalid_argument& e) {
    throw Stop(kUsage, fmt::format("--header: {}", e.what()));
  }
  return headers;
}

[[noreturn]] void record(const Context& context, capture::RecordOptions options) {
  options.database = database(context);
  // The server shares our stderr. If nobody reads it, a warning must not block.
  options.warn = [](std::string_view what) {
    write_message_or_skip(fmt::format("hebb record: {}", what));
  };
  try {
    capture::end_like(capture::run_record(options).server);
  } catch (const std::invalid_argument& e) {
    throw Stop(kUsage, e.what());
  } catch (const std::system_error& e) {
    write_message(fmt::format("hebb record: cannot run {}", e.what()));
    _exit(e.code().value() == ENOENT ? kNotFound : kNotExecutable);
  }
}

}  // namespace

void add_record(CLI::App& app, Context& context) {
  const auto options = std::make_shared<capture::RecordOptions>();
  const auto agent = std::make_shared<std::string>();
  const auto session = std::make_shared<std::string>();
  const auto headers = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      add_command(app, context, "record", "Run an MCP server and record its tool calls",
                  "  hebb record -- npx -y @modelcontextprotocol/server-memory\n"
                  "  hebb record --agent-id planner --session monday -- ./my-server --stdio\n"
                  "  hebb record --header @secret -- https://example.com/mcp\n",
                  [&context, options, agent, session, headers] {
                    if (!agent->empty()) options->agent_id = *agent;
                    if (!session->empty()) options->session_id = *session;
                    options->command = context.command;
                    if (options->command.empty())
                      throw Stop(kUsage, "no server named: give its COMMAND or its URL after --");
                    options->headers = read_headers(*headers);
                    record(context, *options);
                  });
  command->add_option("--agent-id", *agent, "Who calls (else one id for each run)")
      ->envname("HEBB_AGENT_ID");
  command->add_option("--session", *session, "Which session it is (else one id for each run)")
      ->envname("HEBB_SESSION");
  command
      ->add_option("--turn-grace", options->turn_grace_ms,
                   "Milliseconds after its last answer in which a turn still takes calls")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{3'600'000}))
      ->capture_default_str();
  command
      ->add_option(
          "--header", *headers,
          "\"Name: value\" with every request to a server that is a URL; @FILE has one a line")
      ->allow_extra_args(false);
  add_rest(*command, "The server and its arguments, or its URL, after --");
}

}  // namespace hebb::cli
