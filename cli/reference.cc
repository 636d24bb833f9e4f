#include "cli/reference.h"

#include <map>

#include <fmt/format.h>

#include "api/problem.h"
#include "cli/command.h"

namespace hebb::cli {

namespace {

constexpr Variable kEnvironment[] = {
    {"HEBB_DB", "the database, where --db does not name one"},
    {"HEBB_SECRETS", "a file with rules of your own of what is a secret"},
    {"HEBB_SECRET_NAME", "the value of the secret NAME when a skill runs"},
    {"HEBB_SKILL_REPLAY", "0: no skill runs"},
    {"HEBB_TRACE_KEY", "--key of hebb trace"},
    {"HEBB_AGENT_ID, HEBB_SESSION", "--agent-id and --session of hebb record"},
    {"HEBB_API_KEY, OPENAI_API_KEY", "sent as bearer token to the server of --embedder openai:URL"},
    {"XDG_STATE_HOME, HOME",
     "where the user's own database is: hebb/hebb.db in the first, else in "
     ".local/state of the second"},
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

}  // namespace

std::vector<ExitCode> exit_codes() {
  std::map<int, std::vector<std::string>> meanings{
      {kDone, {"done"}},
      {kFailed, {"hebb verify found damage"}},
      {kUsage, {"the command line makes no sense"}},
      {kSomeRefused, {"done, but some input was refused; hebb dead-letters list has it"}},
      {kNotExecutable, {"hebb record and trace: the program cannot be run"}},
      {kNotFound, {"hebb record and trace: there is no such program"}}};
  for (const api::ProblemInfo& info : api::problem_types())
    meanings[info.exit_code].emplace_back(info.title);
  std::vector<ExitCode> all;
  for (const auto& [code, texts] : meanings)
    all.push_back({code, fmt::format("{}", fmt::join(texts, "; "))});
  return all;
}

std::span<const Variable> environment() { return kEnvironment; }

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
  for (const ExitCode& code : exit_codes())
    out += item(fmt::format("`{}`", code.code), code.meaning);
  out += "\n## Environment\n\n";
  for (const Variable& v : environment()) out += item(code_list(v.names), v.meaning);
  return out;
}

}  // namespace hebb::cli
