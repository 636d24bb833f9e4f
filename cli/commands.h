// The commands: those of the operations, as their views say, and programs of their own.
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
void add_setup(CLI::App& app, Context& context);
void add_setup_hook(CLI::App& setup, Context& context);
void add_api(CLI::App& app, Context& context);
void add_completions(CLI::App& app, Context& context);
void add_manpage(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);

// What may stand for the last of the words behind `hebb`: a word a line, with its meaning behind a
// tab.
std::string completed(const CLI::App& program, std::vector<std::string> words);

bool is_command(std::string_view first_word);
// A command that went, and what does the same now.
struct Gone {
  std::string_view words, now;
  std::string_view option = {};  // with it; one that ends with "=" has the argument behind it
};
// nullptr: no command of that name went.
const Gone* gone_command(std::string_view words);
// It prints what the other commands are.
bool reads_others(std::string_view first_word);
// Adds all commands, or those with this first word.
void add_commands(CLI::App& app, Context& context, std::optional<std::string_view> first_word);

}  // namespace hebb::cli
