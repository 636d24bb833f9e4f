#include "cli/ingested.h"

#include <fmt/format.h>

#include "api/counted.h"

namespace hebb::cli {

void print_sums(const Context& context, const api::IngestResult& result) {
  const std::string tasks = result.tasks ? counted(*result.tasks, "task") + ", " : "";
  context.report(fmt::format("{}: {}{}, {} applied, {} already there, {} refused",
                             result.file.value_or(""), tasks, counted(result.items, "item"),
                             result.applied, result.duplicates, result.refused));
}

void note_refusals(const Context& context, const api::IngestResult& result) {
  for (const auto& line : api::refusal_lines(result)) context.note(line);
  for (const auto& note : result.notes) context.note(note);
}

}  // namespace hebb::cli
