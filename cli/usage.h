// Messages about wrong command lines, with what was probably meant.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hebb::cli {

// The whole message about an error that CLI11 found, without the program's name.
std::string usage_error_text(const CLI::App& app, const CLI::ParseError& e);

// A line of the program's help: commands that belong together, and what they do; a heading if
// `does` is empty.
struct HelpLine {
  std::string commands, does;
};
std::vector<HelpLine> help_lines(const CLI::App& program);

// The help of a command, or of the program, in groups.
std::string help_text(const CLI::App& app);
// The program itself, or the last of the commands that the line names.
const CLI::App& reached(const CLI::App& app);
std::string full_name(const CLI::App& app);  // "hebb node set"

// The message that `app` has no such sub-command.
std::string no_command_text(const CLI::App& app, const std::string& word);

}  // namespace hebb::cli
