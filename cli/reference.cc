// Reference of the program as a whole: hebb api openapi, mcp, schemas, docs; hebb manpage.
#include <map>

#include <fmt/format.h>

#include "api/describe.h"
#include "cli/commands.h"
#include "cli/usage.h"

namespace hebb::cli {

namespace {

// Environment variables; a test compares them with the ones that the program reads.
struct Variable {
  std::string_view names, meaning;
};
constexpr Variable kEnvironment[] = {
    {"HEBB_DB", "the database, where --db does not name one; empty: not set"},
    {"HEBB_SECRETS", "a file with rules of your own of what is a secret"},
    {"HEBB_SECRET_NAME", "the value of the secret NAME when a skill runs"},
    {"HEBB_SKILL_REPLAY", "0: no skill runs"},
    {"HEBB_TRACE_KEY", "--key of hebb trace"},
    {"HEBB_AGENT_ID",
     "who claims and reports, where --agent names nobody; --agent-id of hebb record"},
    {"HEBB_SESSION", "--session of hebb record"},
    {"HEBB_API_KEY, OPENAI_API_KEY", "sent as bearer token to the server of --embedder openai:URL"},
    {"XDG_STATE_HOME, HOME",
     "where the user's own database is: hebb/hebb.db in the first, else in "
     ".local/state of the second"},
    {"XDG_CACHE_HOME", "where copies of ledgers on servers are, else .cache of HOME"},
    {"PGHOST, PGHOSTADDR, PGPORT, PGDATABASE, PGSERVICE",
     "what a postgresql:// URL leaves out, as for psql"},
    {"HEBB_TASK, HEBB_OUTCOME, HEBB_EVENT, HEBB_AGENT", "set for the command of --on-outcome"},
    {"NO_COLOR", "nothing is printed in bold"},
    {"COLUMNS", "the width of the terminal"},
    {"TMPDIR", "the folder of temporary files, else /tmp"},
    {"TZDIR", "the folder of time zones, else /usr/share/zoneinfo"},
    {"SSL_CERT_FILE, SSL_CERT_DIR", "certificates that https trusts"},
    {"PATH", "where programs are looked for"},
    {"CODEX_HOME", "where hebb setup codex writes, else ~/.codex"},
    {"SUDO_UID", "whose .hebb/ root takes under sudo"},
    {"LISTEN_PID, LISTEN_FDS, NOTIFY_SOCKET",
     "how systemd gives hebb serve its sockets and is told "
     "that it is ready"},
};

// "a, b": each in backticks.
std::string code_list(std::string_view names) {
  std::string out = "`";
  for (const char c : names) {
    if (c == ',') {
      out += "`, `";
    } else if (c != ' ') {
      out += c;
    }
  }
  return out + "`";
}

std::string item(std::string_view name, std::string_view meaning) {
  return fmt::format("- {}: {}\n", name, meaning);
}

// The meaning of each exit code.
std::map<int, std::string> exit_codes() {
  std::map<int, std::vector<std::string>> meanings{
      {kDone, {"done"}},
      {kFailed, {"hebb verify found damage"}},
      {kUsage, {"the command line makes no sense"}},
      {kSomeRefused, {"done, but some input was refused; hebb dead-letters list has it"}},
      {kNotExecutable, {"hebb record and trace: the program cannot be run"}},
      {kNotFound, {"hebb record and trace: there is no such program"}}};
  for (const api::ProblemInfo& info : api::problem_types())
    meanings[info.exit_code].emplace_back(info.title);
  std::map<int, std::string> all;
  for (const auto& [code, texts] : meanings) all[code] = fmt::format("{}", fmt::join(texts, "; "));
  return all;
}

// Commands, options, exit codes and environment, as Markdown.
std::string program_page(const CLI::App& program) {
  std::string out = "\n## Commands\n";
  for (const HelpLine& line : help_lines(program)) {
    out += line.does.empty() ? fmt::format("\n**{}**\n\n", line.commands)
                             : item(code_list(line.commands), line.does);
  }
  out += "\n## Options\n\nBefore or behind any command:\n\n";
  for (const CLI::Option* option : program.get_options())
    out += item(code_list(option->get_name(false, true)), option->get_description());
  out += "\n## Exit codes\n\n";
  for (const auto& [code, meaning] : exit_codes()) out += item(fmt::format("`{}`", code), meaning);
  out += "\n## Environment\n\n";
  for (const Variable& v : kEnvironment) out += item(code_list(v.names), v.meaning);
  return out;
}

// Escapes text for roff: no part of it is read as a command or an escape, and hyphens can be
// copied.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string synopsis(const CLI::App& command) {
  std::string text = full_name(command);
  for (const CLI::Option* o : command.get_options()) {
    if (o->nonpositional()) continue;
    const std::string name = o->get_name(true) + (o->get_items_expected_max() > 1 ? "…" : "");
    text += o->get_required() ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string option_entries(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* o : command.get_options()) {
    const bool is_own_help = o->check_name("--help") && command.get_parent();
    if (o->get_description().empty() || is_own_help) continue;
    out += fmt::format(".TP\n.B {}", roff(o->get_name(true, o->nonpositional())));
    if (o->nonpositional() && o->get_items_expected_max() > 0)
      out += fmt::format(" \\fI{}\\fR", roff(o->get_type_name()));
    out += fmt::format("\n{}\n", roff(o->get_description()));
  }
  return out;
}

// The command and all beneath it.
std::string entries(const CLI::App& command) {
  std::string out;
  if (command.get_parent()) {
    out += fmt::format(".SS {}\n{}\n", roff(synopsis(command)), roff(command.get_description()));
    out += option_entries(command);
    if (!command.get_footer().empty())
      out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
  }
  for (const CLI::App* c : command.get_subcommands([](const CLI::App*) { return true; }))
    out += entries(*c);
  return out;
}

std::string entry(std::string_view name, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}.\n", roff(name), roff(text));
}

std::string manpage(const CLI::App& program) {
  std::string out = fmt::format(
      ".TH HEBB 1 \"\" \"hebb {}\" \"User Commands\"\n"
      ".SH NAME\nhebb \\- a graph of tasks that learns from outcomes and answers \"what next?\"\n"
      ".SH SYNOPSIS\n.B hebb\n[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]\n"
      ".SH DESCRIPTION\n"
      "Tasks, and how they hang together, are a graph of weighted edges in one SQLite database. "
      "Outcomes strengthen and weaken edges, time fades them, and what is open is "
      "ranked by them. Data goes to standard output, everything else to standard error. A file "
      "named "
      "\\- is standard input or output.\n"
      ".SH OPTIONS\nThese may stand before or behind any command.\n",
      HEBB_VERSION);
  out += option_entries(program);
  out += ".SH COMMANDS\n";
  out += entries(program) + ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) out += entry(std::to_string(code), meaning);
  out += ".SH ENVIRONMENT\n";
  for (const Variable& v : kEnvironment) out += entry(v.names, v.meaning);
  return out;
}

}  // namespace

void add_manpage(CLI::App& app, Context& context) {
  add_command(app, context, "manpage", "This program's manual page, as roff",
              "  hebb manpage | man -l -", [&app, &context] {
                const std::string text = manpage(app);
                if (context.json) return context.print_json({{"manpage", text}});
                context.data(text);
              });
}

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
