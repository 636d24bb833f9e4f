// What rooms that may include api/ alone need of engine/values/: how many of something in words,
// and content_hash(), the same for the same bytes wherever and whenever; not for secrets.
#pragma once

#include "engine/values/canonical_json.h"  // IWYU pragma: export
#include "engine/values/counted.h"         // IWYU pragma: export
