# Makes the TOML files of a folder part of the program.
#
# hebb_embed_toml(OUTPUT FOLDER HEADER NAMESPACE TYPE FUNCTION): sets OUTPUT to a source file in the
# build tree that defines std::span<const TYPE> FUNCTION() in NAMESPACE, which HEADER declares: for
# each file of FOLDER, in the order of their names, its name without extension and its text. It is
# made anew when a file is added, removed or changed.
function(hebb_embed_toml output folder header namespace type function)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.toml")
  list(SORT files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(path IN LISTS files)
    get_filename_component(name "${path}" NAME_WE)
    file(READ "${path}" text)
    string(APPEND entries "      {\"${name}\", R\"~hebb~(${text})~hebb~\"},\n")
  endforeach()
  set(path "${HEBB_GENERATED_DIR}/${folder}.cc")
  file(CONFIGURE OUTPUT "${path}" @ONLY CONTENT
"// Generated from @folder@/*.toml by cmake/EmbedToml.cmake.
#include <array>

#include \"@header@\"

namespace @namespace@ {

std::span<const @type@> @function@() {
  static constexpr auto kTexts = std::to_array<@type@>({
@entries@  });
  return kTexts;
}

}  // namespace @namespace@
")
  set(${output} "${path}" PARENT_SCOPE)
endfunction()

hebb_embed_toml(HEBB_PRESETS_SOURCE reward/presets reward/presets.h hebb::reward Preset presets)
hebb_embed_toml(HEBB_RULES_SOURCE secrets/rules secrets/rules.h hebb::secrets RuleText rule_texts)
hebb_embed_toml(HEBB_TRACKERS_SOURCE engine/input/trackers engine/input/tracker.h hebb::input TrackerText
                tracker_texts)
