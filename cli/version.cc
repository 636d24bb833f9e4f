// The text of --version.
#include "cli/version.h"

#include <string_view>

#include <fmt/format.h>

#include "sql/database.h"

namespace hebb::cli {

std::string version_text() {
  const std::string_view commit = built_commit();
  return fmt::format("hebb {} ({}{}schema {})", HEBB_VERSION, commit, commit.empty() ? "" : ", ",
                     sql::schema_version());
}

}  // namespace hebb::cli
