// The list of commands. A new command is a file cli/<name>.cc and two lines: here and in
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
  bool reads_others = false;  // it prints what the other commands are
};
std::span<const CommandEntry> commands();

void add_init(CLI::App& app, Context& context);
void add_import(CLI::App& app, Context& context);
void add_ingest(CLI::App& app, Context& context);
void add_recalibrate(CLI::App& app, Context& context);
void add_rank(CLI::App& app, Context& context);
void add_list(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_node(CLI::App& app, Context& context);
void add_next(CLI::App& app, Context& context);
void add_claim(CLI::App& app, Context& context);
void add_outcome(CLI::App& app, Context& context);
void add_link(CLI::App& app, Context& context);
void add_unlink(CLI::App& app, Context& context);
void add_pivot(CLI::App& app, Context& context);
void add_neighbors(CLI::App& app, Context& context);
void add_topology(CLI::App& app, Context& context);
void add_path(CLI::App& app, Context& context);
void add_frontier(CLI::App& app, Context& context);
void add_search(CLI::App& app, Context& context);
void add_promoted(CLI::App& app, Context& context);
void add_policy(CLI::App& app, Context& context);
void add_stats(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_rebuild(CLI::App& app, Context& context);
void add_undo(CLI::App& app, Context& context);
void add_quarantine(CLI::App& app, Context& context);
void add_gc(CLI::App& app, Context& context);
void add_dead_letters(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_backup(CLI::App& app, Context& context);
void add_backtest(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);
void add_record(CLI::App& app, Context& context);
void add_actions(CLI::App& app, Context& context);
void add_trace(CLI::App& app, Context& context);
void add_tools(CLI::App& app, Context& context);
void add_skill(CLI::App& app, Context& context);
void add_skill_run(CLI::App& skill, Context& context);  // and verify
void add_mcp(CLI::App& app, Context& context);
void add_serve(CLI::App& app, Context& context);
void add_completions(CLI::App& app, Context& context);
void add_manpage(CLI::App& app, Context& context);
void add_api(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);

}  // namespace hebb::cli
