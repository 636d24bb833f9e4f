// The commands and their options as plain data, read from the parser itself. Completions and the
// man page are made from it, so that they agree with --help.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hebb::cli {

struct OptionText {
  std::vector<std::string> names;    // "-q", "--quiet"; empty: positional
  std::string value;                 // the placeholder of its value, or the positional's name
  std::vector<std::string> choices;  // the allowed values; empty: any
  std::string description;
  bool takes_value = false;
  bool required = false;
  bool repeats = false;
};

struct CommandText {
  std::vector<std::string> path;  // {"node", "set"}; empty: the program
  std::string description, footer;
  std::vector<OptionText> options, positionals;
  std::vector<CommandText> commands;
};

CommandText describe(const CLI::App& app);

// `command` and all beneath it, in the order of the help.
std::vector<const CommandText*> all_commands(const CommandText& command);

}  // namespace hebb::cli
