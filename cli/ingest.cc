// hebb ingest
#include <memory>

#include "cli/commands.h"
#include "cli/ingest_files.h"

namespace hebb::cli {

void add_ingest(CLI::App& app, Context& context) {
  const auto options = std::make_shared<IngestOptions>();
  options->format = "outcome";
  auto* command =
      add_command(app, context, "ingest", "Take outcomes: success, partial, failure",
                  "  hebb ingest outcomes.ndjson\n"
                  "  echo '{\"taskId\":\"task-7\",\"outcome\":\"success\"}' | hebb ingest -\n"
                  "  hebb ingest --format junit --task task-7 build/report.xml",
                  [&context, options] { ingest_files(context, *options); });
  command->add_option("FILE", options->files, "Files; - is stdin")->required();
  command
      ->add_option("--format", options->format,
                   "outcome (NDJSON, one object or an array), junit (an XML report) or cloudevents")
      ->check(CLI::IsMember({"outcome", "junit", "cloudevents"}))
      ->capture_default_str();
  command->add_option("--task", options->task, "With --format junit: whose outcome the report is");
  command->add_option("--tz", options->tz,
                      "With --format junit: the zone of times that name none, such as "
                      "Europe/Berlin or +02:00 (else UTC)");
  add_allow_future(*command, options->allow_future);
  command->add_flag("--strict", options->strict,
                    "Refuse a whole file if any line of it is refused");
  add_max_size(*command, *options);
}

}  // namespace hebb::cli
