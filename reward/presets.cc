#include "reward/presets.h"

#include <algorithm>

namespace hebb::reward {

const Preset& preset(std::string_view name) {
  const auto all = presets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.name == name; });
  if (found != all.end()) return *found;
  std::string names;
  for (const Preset& p : all) names += (names.empty() ? "" : ", ") + std::string(p.name);
  throw BadPolicy("policy: there is no preset \"" + std::string(name) + "\"; there are " + names);
}

}  // namespace hebb::reward
