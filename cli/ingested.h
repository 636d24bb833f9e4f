// What import, ingest and dead-letters retry say of what was read.
#pragma once

#include "api/ingest.h"
#include "cli/command.h"

namespace hebb::cli {

void print_sums(const Context& context, const api::IngestResult& result);
// On stderr: the first refusals, and whatever else is worth a word.
void note_refusals(const Context& context, const api::IngestResult& result);

}  // namespace hebb::cli
