// Which format an input has, by how it begins.
#pragma once

#include "engine/input/input.h"

namespace hebb {

// By the root of an XML document or the fields of the first JSON object, which is enough to tell
// the formats of formats() apart. nullptr: it is none of them, or might be two. Nothing of the
// input is skipped; at most its first 64 KiB are looked at.
const Format* recognised(Input& input);

}  // namespace hebb
