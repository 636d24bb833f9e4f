#include "cli/commands.h"

namespace hebb::cli {

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry kCommands[] = {
      {"init", add_init},
      {"import", add_import},
      {"ingest", add_ingest},
      {"recalibrate", add_recalibrate},
      {"rank", add_rank},
      {"next", add_next},
      {"claim", add_claim},
      {"outcome", add_outcome},
      {"list", add_list},
      {"explain", add_explain},
      {"node", add_node},
      {"link", add_link},
      {"unlink", add_unlink},
      {"pivot", add_pivot},
      {"neighbors", add_neighbors},
      {"topology", add_topology},
      {"path", add_path},
      {"frontier", add_frontier},
      {"search", add_search},
      {"promoted", add_promoted},
      {"policy", add_policy},
      {"stats", add_stats},
      {"verify", add_verify},
      {"rebuild", add_rebuild},
      {"undo", add_undo},
      {"quarantine", add_quarantine},
      {"gc", add_gc},
      {"dead-letters", add_dead_letters},
      {"export", add_export},
      {"backup", add_backup},
      {"backtest", add_backtest},
      {"simulate", add_simulate},
      {"record", add_record},
      {"actions", add_actions},
      {"trace", add_trace},
      {"tools", add_tools},
      {"skill", add_skill},
      {"api", add_api},
      {"serve", add_serve},
      {"mcp", add_mcp},
      {"completions", add_completions, true},
      {"manpage", add_manpage, true},
      {"help", add_help, true},
  };
  return kCommands;
}

}  // namespace hebb::cli
