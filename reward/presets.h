// Policies that hebb brings: the files reward/presets/NAME.toml, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reward/policy.h"

namespace hebb::reward {

struct Preset {
  std::string_view name;
  std::string_view toml;  // the file, comments included
};
std::span<const Preset> presets();  // by name

// Throws BadPolicy, which lists the presets, for any other name.
const Preset& preset(std::string_view name);

}  // namespace hebb::reward
