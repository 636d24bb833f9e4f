// The commands: one for each view of an operation, and separate programs.
//
// A new command is an operation in api/ and its view in the list at the end of one of the files
// named below; the command's words are the operation's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/view.h"

namespace hebb::cli {

Views ingest_views(), rank_views(), work_views(), explain_views(), graph_views(), upkeep_views(),
    study_views(), actions_views(), skill_views();

void add_record(CLI::App& app, Context& context);
void add_trace(CLI::App& app, Context& context);
void add_serve(CLI::App& app, Context& context);
void add_mcp(CLI::App& app, Context& context);
void add_pipe(CLI::App& app, Context& context);
void add_setup(CLI::App& app, Context& context);
void add_setup_hook(CLI::App& setup, Context& context);
void add_api(CLI::App& app, Context& context);
void add_completions(CLI::App& app, Context& context);
void add_manpage(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);

// The completions of the last word after `hebb`: one a line, with its meaning after a tab.
std::string completed(const CLI::App& program, std::vector<std::string> words);

bool is_command(std::string_view first_word);
// A removed command, and the command that replaces it.
struct Gone {
  std::string_view words, now;
  std::string_view option = {};  // to add; one that ends with "=" takes the argument
};
// nullptr: no removed command has these words.
const Gone* gone_command(std::string_view words);
// Whether the command prints information about all other commands.
bool reads_others(std::string_view first_word);
// Adds all commands, or those with this first word.
void add_commands(CLI::App& app, Context& context, std::optional<std::string_view> first_word);

}  // namespace hebb::cli
