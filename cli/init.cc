// hebb init, backup
#include <fmt/format.h>

#include "api/database.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

void add_init(CLI::App& app, Context& context) {
  using api::InitRequest, api::InitResult;
  add_operation<InitRequest, InitResult>(
      app, context,
      {"init", api::init, [](const Context& c, const InitRequest&, const InitResult& result) {
         c.report(fmt::format("database {}", result.database));
       }});
}

void add_backup(CLI::App& app, Context& context) {
  using api::BackupRequest, api::BackupResult;
  add_operation<BackupRequest, BackupResult>(
      app, context,
      {"backup", api::backup,
       [](const Context& c, const BackupRequest&, const BackupResult& result) {
         c.report(
             fmt::format("{}: {:.1f} MB", result.file, static_cast<double>(result.bytes) / 1e6));
       }});
}

}  // namespace hebb::cli
