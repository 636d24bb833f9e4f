// hebb import
#include <memory>

#include "cli/commands.h"
#include "cli/ingest_files.h"

namespace hebb::cli {

void add_import(CLI::App& app, Context& context) {
  const auto options = std::make_shared<IngestOptions>();
  options->format = "history";
  auto* command = add_command(
      app, context, "import", "Read what happened before: a history log, or GitHub issues",
      "  hebb import history.jsonl\n"
      "  gh issue list --state all --limit 5000 \\\n"
      "     --json number,title,body,state,labels,createdAt,closedAt,updatedAt,stateReason \\\n"
      "     | hebb import --format github -",
      [&context, options] { ingest_files(context, *options); });
  command->add_option("FILE", options->files, "Files; - is stdin")->required();
  command->add_option("--format", options->format, "history (NDJSON) or github")
      ->check(CLI::IsMember({"history", "github"}))
      ->capture_default_str();
  add_allow_future(*command, options->allow_future);
  command->add_flag("--strict", options->strict,
                    "Refuse a whole file if any line of it is refused");
  add_max_size(*command, *options);
  add_embedder_options(*command, options->embedder, options->model);
}

}  // namespace hebb::cli
