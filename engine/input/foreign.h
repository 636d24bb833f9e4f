// What is of another kind than it should be is refused as a whole, and leaves no dead letters.
#pragma once

#include "engine/input/input.h"

namespace hebb {

// As format.read(). Throws UnreadableInput, with what the input seems to be and what to do, where
// none of its items is of the format. A file of the format with bad items is read.
void read_as(const Format& format, Input& input, const ReadOptions& options, const ItemSink& sink);

}  // namespace hebb
