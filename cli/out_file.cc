#include "cli/out_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"

namespace hebb::cli {

std::string out_file(std::string named, std::string_view command) {
  if (!named.empty()) return named;
  if (::isatty(STDOUT_FILENO) == 0) return "-";
  throw Stop(kUsage, fmt::format("no file is named, and standard output is a terminal: give `{0} "
                                 "FILE`, or `{0} -` to see it here",
                                 command));
}

}  // namespace hebb::cli
