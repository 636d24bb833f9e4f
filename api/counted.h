// How many of something, in words: for the rooms that may include api/ alone.
#pragma once

#include "engine/counted.h"  // IWYU pragma: export
