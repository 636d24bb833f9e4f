// What became of an input, as people read it; `result` is an IngestResult.
#pragma once

#include "cli/command.h"

namespace hebb::cli {

void print_sums(const Context& context, const Json& result);
void note_refusals(const Context& context, const Json& result);  // and other notes

}  // namespace hebb::cli
