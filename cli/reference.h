// What the manual page and docs/api.md say of the program as a whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace hebb::cli {

struct ExitCode {
  int code;
  std::string meaning;
};
std::vector<ExitCode> exit_codes();

// Of the environment; a test compares them with what the program reads.
struct Variable {
  std::string_view names, meaning;
};
std::span<const Variable> environment();

// A line of the program's help: commands that belong together, with what they do; without the
// latter, a heading.
struct HelpLine {
  std::string commands, does;
};
std::vector<HelpLine> help_lines(const CLI::App& program);

// Commands, options, exit codes and environment, as Markdown.
std::string program_page(const CLI::App& program);

}  // namespace hebb::cli
