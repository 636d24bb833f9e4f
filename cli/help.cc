// hebb help
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/usage.h"

namespace hebb::cli {

namespace {

// The program's help: a line for each group of commands; its text is the command's summary unless
// one is given here. `hebb --help` omits the lines below kSeldom.
struct HelpRow {
  std::string_view words, does = {};  // one word and no text: a heading
};
constexpr std::string_view kSeldom = "Seldom used:";
constexpr HelpRow kRows[] = {
    {"Tasks:"},
    {"add"},
    {"edit, delete", "Change its name, labels, dates, blockers; delete"},
    {"list"},
    {"show", "What is known of a task"},
    {"done, fail, outcome", "Say how a task came out, and why"},
    {"snooze, pin, unpin", "Put a task off; keep it on top, or no longer"},
    {"What next:"},
    {"rank"},
    {"next", "The best task that nobody works on; can claim it"},
    {"claim"},
    {"explain", "Why a task has its place"},
    {"recalibrate"},
    {"From elsewhere:"},
    {"setup", "Have an agent's program use hebb by itself"},
    {"import", "Histories; issues of GitHub, beads, Jira, …"},
    {"ingest", "Outcomes in bulk: JSON, JUnit, CloudEvents"},
    {"record, trace", "Run an MCP server or a program; record its calls"},
    {"actions", "What was recorded, and what was learned of it"},
    {"skill"},
    {"serve, mcp, pipe", "HTTP with a page; MCP; lines of JSON on a pipe"},
    {"Graph:"},
    {"search", "Find nodes by words"},
    {"neighbors, topology", "What is linked with what"},
    {"node, link, unlink", "Nodes of any type, and edges"},
    {"Database:"},
    {"init, stats", "Make it; count what it holds, and say where it is"},
    {"policy"},
    {"undo", "Take back an event; it stays in the ledger"},
    {"backup, export, move, rescue", "Copy, export, move to a server"},
    {"verify, rebuild", "Look for damage, and mend it"},
    {"dead-letters, gc", "Input that was refused; remove what has faded"},
    {"backtest", "Does the ranking learn? Replay a history"},
    {"completions, manpage, api", "For the shell, for man, for other programs"},
    {kSeldom},
    {"path, pivot", "The strongest way between nodes; turn to other work"},
    {"promoted, tools", "Nodes most looked up; what goes with a tool"},
};

void help(const CLI::App& app, const Context& context, const std::vector<std::string>& words) {
  const CLI::App* shown = &app;
  for (const auto& word : words) {
    const auto beneath =
        shown->get_subcommands([&](const CLI::App* command) { return command->check_name(word); });
    if (beneath.empty()) throw Stop(kUsage, no_command_text(*shown, word));
    shown = beneath.front();
  }
  const std::string text = help_text(*shown);
  if (context.json) return context.print_json({{"help", text}});
  context.data(text);
}

}  // namespace

std::vector<HelpLine> help_lines(const CLI::App& program) {
  std::vector<HelpLine> lines;
  for (const HelpRow& row : kRows) {
    std::string words(row.words), does(row.does);
    if (words.ends_with(':')) {
      words.pop_back();
    } else if (does.empty()) {
      does = program.get_subcommand(words)->get_description();
    }
    lines.push_back({std::move(words), std::move(does)});
  }
  return lines;
}

std::string help_text(const CLI::App& app) {
  // Not app.help(): CLI11 would print the help of the command that was called, which may be `help`.
  if (app.get_parent())
    return app.get_formatter()->make_help(&app, full_name(app), CLI::AppFormatMode::Normal);
  std::string text =
      fmt::format("{}\nUsage: hebb [OPTIONS] COMMAND    (hebb --version)\n", app.get_description());
  for (const HelpLine& line : help_lines(app)) {
    if (kSeldom.starts_with(line.commands)) break;
    text += line.does.empty() ? line.commands + ":\n"
                              : fmt::format("  {:<28} {}\n", line.commands, line.does);
  }
  text += "Options, before or behind any command:\n";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name() == "--help" || option->get_name() == "--version") continue;
    text += fmt::format("  {:<28} {}\n", option->get_name(false, true), option->get_description());
  }
  return text + app.get_footer() + "\n";
}

void add_help(CLI::App& app, Context& context) {
  const auto words = std::make_shared<std::vector<std::string>>();
  auto* command = add_command(app, context, "help", "The commands, or the options of one",
                              "  hebb help\n  hebb help rank\n  hebb help node set",
                              [&app, &context, words] { help(app, context, *words); });
  command->add_option("NAME", *words, "Which; several words for node set and the like");
}

}  // namespace hebb::cli
