// hebb manpage
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/describe.h"

namespace hebb::cli {

namespace {

// Escapes text for roff: nothing in it is taken for a command or an escape, and hyphens can be
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

std::string synopsis(const CommandText& command) {
  std::string text = "hebb";
  for (const auto& name : command.path) text += " " + name;
  for (const auto& p : command.positionals) {
    const std::string name = p.value + (p.repeats ? "…" : "");
    text += p.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string option_entries(const std::vector<OptionText>& options) {
  std::string out;
  for (const auto& option : options) {
    if (option.description.empty()) continue;
    std::string head =
        option.names.empty() ? option.value : fmt::format("{}", fmt::join(option.names, ", "));
    out += fmt::format(".TP\n.B {}", roff(head));
    if (!option.names.empty() && option.takes_value)
      out += fmt::format(" \\fI{}\\fR", roff(option.value));
    out += fmt::format("\n{}\n", roff(option.description));
    if (!option.choices.empty()) {
      out += fmt::format("(one of {})\n", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
    }
  }
  return out;
}

std::string entry(const CommandText& command) {
  std::string out = fmt::format(".SS {}\n{}\n", roff(synopsis(command)), roff(command.description));
  out += option_entries(command.positionals);
  std::vector<OptionText> own;
  for (const auto& option : command.options) {
    if (option.names.back() != "--help") own.push_back(option);
  }
  out += option_entries(own);
  if (!command.footer.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  return out;
}

constexpr std::string_view kRest = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed; the message says what, where and what to do.
.TP
.B 2
Bad usage.
.TP
.B 3
Done, but some input was refused; it is kept as dead letters.
.TP
.B 65
The input is not what its format says.
.TP
.B 66
There is no such file.
.TP
.B 69
The database cannot be opened.
.TP
.B 75
Another process holds the database; try again.
.SH ENVIRONMENT
.TP
.B HEBB_DB
The database, where \-\-db does not name one.
.TP
.B XDG_STATE_HOME
Where the database is looked for otherwise, as hebb/hebb.db; without it ~/.local/state.
.TP
.B HEBB_API_KEY, OPENAI_API_KEY
Sent as bearer token to the server of \-\-embedder openai:URL.
.TP
.B NO_COLOR
No colours.
)";

std::string manpage(const CommandText& program) {
  std::string out = fmt::format(
      ".TH HEBB 1 \"\" \"hebb {}\" \"User Commands\"\n"
      ".SH NAME\nhebb \\- a graph of tasks that learns from outcomes and answers \"what next?\"\n"
      ".SH SYNOPSIS\n.B hebb\n[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]\n"
      ".SH DESCRIPTION\n"
      "Tasks, and how they hang together, are a graph of weighted edges in one SQLite database. "
      "Outcomes strengthen and weaken edges, time fades them, and the golden path ranks what is "
      "open "
      "by them. Data goes to standard output, everything else to standard error. A file named "
      "\\- is standard input or output.\n"
      ".SH OPTIONS\nThese may stand before or behind any command.\n",
      HEBB_VERSION);
  out += option_entries(program.options);
  out += ".SH COMMANDS\n";
  for (const CommandText* command : all_commands(program)) {
    if (!command->path.empty()) out += entry(*command);
  }
  out += kRest;
  return out;
}

}  // namespace

void add_manpage(CLI::App& app, Context& context) {
  add_command(app, context, "manpage", "This program's manual page, as roff",
              "  hebb manpage | man -l -", [&app, &context] {
                const std::string text = manpage(describe(app));
                if (context.json) return context.print_json({{"manpage", text}});
                context.data(text);
              });
}

}  // namespace hebb::cli
