// The parts of engine/values/ for rooms that may include only api/: counts in words, the name that
// was probably meant, and content_hash(), which is the same for equal bytes on every machine; not
// for secrets.
#pragma once

#include "engine/values/canonical_json.h"  // IWYU pragma: export
#include "engine/values/counted.h"         // IWYU pragma: export
#include "engine/values/did_you_mean.h"    // IWYU pragma: export
