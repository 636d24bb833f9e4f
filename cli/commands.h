// The visible list of commands. A new command is a file cli/<name>.cc and two lines: here and in
// commands.cc.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.h"

namespace hebb::cli {

using AddCommand = void (*)(CLI::App&, Context&);
struct CommandEntry {
  std::string_view name;
  AddCommand add;
};
std::span<const CommandEntry> commands();

void add_init(CLI::App& app, Context& context);
void add_import(CLI::App& app, Context& context);
void add_ingest(CLI::App& app, Context& context);
void add_recalibrate(CLI::App& app, Context& context);
void add_rank(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_stats(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_backtest(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);
void add_record(CLI::App& app, Context& context);
void add_actions(CLI::App& app, Context& context);

}  // namespace hebb::cli
