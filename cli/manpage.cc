// hebb manpage
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/reference.h"
#include "cli/usage.h"

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
  for (const ExitCode& code : exit_codes()) out += entry(std::to_string(code.code), code.meaning);
  out += ".SH ENVIRONMENT\n";
  for (const Variable& v : environment()) out += entry(v.names, v.meaning);
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

}  // namespace hebb::cli
