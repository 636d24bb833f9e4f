// Finds the name that was probably meant, for the command line.
#pragma once

#include "engine/values/did_you_mean.h"

namespace hebb::api {

using hebb::did_you_mean;
using hebb::did_you_mean_text;

}  // namespace hebb::api
