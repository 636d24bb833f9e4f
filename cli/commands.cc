#include "cli/commands.h"

namespace hebb::cli {

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry kCommands[] = {
      {"init", add_init},     {"import", add_import},
      {"ingest", add_ingest}, {"recalibrate", add_recalibrate},
      {"rank", add_rank},     {"explain", add_explain},
      {"stats", add_stats},   {"verify", add_verify},
  };
  return kCommands;
}

}  // namespace hebb::cli
