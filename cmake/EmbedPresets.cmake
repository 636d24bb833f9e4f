# Makes reward/preset_texts.cc in the build tree out of reward/presets/*.toml, and makes it anew when
# one of them is added, removed or changed.
file(GLOB hebb_presets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/reward/presets/*.toml")
list(SORT hebb_presets)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hebb_presets})
set(hebb_preset_entries "")
foreach(path IN LISTS hebb_presets)
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" text)
  string(APPEND hebb_preset_entries "      {\"${name}\", R\"~hebb~(${text})~hebb~\"},\n")
endforeach()
set(HEBB_PRESETS_SOURCE "${HEBB_GENERATED_DIR}/reward/preset_texts.cc")
file(CONFIGURE OUTPUT "${HEBB_PRESETS_SOURCE}" @ONLY CONTENT
"// Generated from reward/presets/*.toml by cmake/EmbedPresets.cmake.
#include <array>

#include \"reward/presets.h\"

namespace hebb::reward {

std::span<const Preset> presets() {
  static constexpr auto kPresets = std::to_array<Preset>({
@hebb_preset_entries@  });
  return kPresets;
}

}  // namespace hebb::reward
")
