// How many of something, in words: for the rooms that may include api/ alone.
#pragma once

#include "engine/values/counted.h"  // IWYU pragma: export
