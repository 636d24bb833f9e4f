// hebb init
#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

void add_init(CLI::App& app, Context& context) {
  add_command(app, context, "init", "Make the database, if there is none",
              "  hebb init\n  hebb --db tasks.db init", [&context] {
                Engine engine = context.open(Context::Access::create);
                engine.sync();
                if (context.json) {
                  context.print_json({{"database", context.db_path()}});
                } else {
                  context.report(fmt::format("database {}", context.db_path()));
                }
              });
}

}  // namespace hebb::cli
