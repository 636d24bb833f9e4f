// An artifact: the recorded steps of a skill, with everything needed to repeat them without a
// model.
//
// It is written as schema_version 1 if possible, else as 2, a superset. The names of kinds,
// selector types and members are stored: do not rename.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields/record.h"
#include "skill/artifact/fields.h"

namespace hebb::skill {

enum class SelectorType : std::uint8_t {
  node_ref,         // an element of the same page load, as the recorder numbered it
  role_name,        // ARIA role and accessible name
  accessible_name,  // the name alone
  test_id,          // data-testid; schema_version 2
  label,            // the text of a label; schema_version 2
  placeholder,      // schema_version 2
  xpath,
  css,
  text,  // finds the smallest element that has the text
};
std::string_view selector_type_name(SelectorType type);
std::optional<SelectorType> selector_type(std::string_view name);
std::vector<std::string> selector_type_names();
std::vector<std::string> types_with_value();  // all but role_name

// Whether the type depends on the document's structure or on names in code, and not on visible
// text. An element found by such a type must also have the recorded role and name.
bool is_structural(SelectorType type);
// Whether the type uses the accessible name, alone or with the role.
bool uses_name(SelectorType type);

}  // namespace hebb::skill

namespace hebb::fields {

// In JSON its name.
template <>
struct Codec<skill::SelectorType> : Plain<skill::SelectorType, Kind::text> {
  static Json get(skill::SelectorType type) { return skill::selector_type_name(type); }
  static void set(skill::SelectorType& type, const Json& json) {
    type = *skill::selector_type(json.get_ref<const std::string&>());
  }
};

}  // namespace hebb::fields

namespace hebb::skill {

struct ArtifactLimits {
  static constexpr std::size_t kSteps = 500;
  static constexpr std::size_t kSelectors = 16;    // in a chain
  static constexpr std::size_t kFrames = 8;        // in a path of frames
  static constexpr std::size_t kWithin = 8;        // levels
  static constexpr std::size_t kTextBytes = 4096;  // of a selector's value
  static constexpr std::size_t kBytes = 60 << 10;  // of an artifact as stored
};

struct Selector;
// Whether a css or xpath selector counts siblings or names parents, and so gives an element's place
// rather than its identity.
bool counts_places(const Selector& selector);

struct Selector {
  SelectorType type = SelectorType::css;
  std::string value;  // for role_name the name, which may be empty
  std::string role;   // for role_name

  // --- schema_version 2 ---
  bool exact = true;                // false: a part of the name or text is enough, ignoring case
  std::optional<std::int64_t> nth;  // which of all matches, from 0; negative: from the end
  std::string has_text;             // only elements that have this text somewhere
  std::vector<Selector> within;     // search only within the elements of these, the outermost first

  bool operator==(const Selector&) const = default;
  void check() const;  // throws fields::Invalid
};
RECORD(Selector,
       FIELD(type, "How it finds an element", {.choices = selector_type_names(), .required = true}),
       FIELD(role, "The ARIA role", {.min = 1, .max = 64, .required = true, .only = {"role_name"}}),
       field("name", self.value, "The accessible name",
             {.max = ArtifactLimits::kTextBytes, .required = true, .only = {"role_name"}}),
       field("value", self.value, "What it looks for",
             {.min = 1,
              .max = ArtifactLimits::kTextBytes,
              .required = true,
              .only = types_with_value()}),
       FIELD(exact, "False: a part of it is enough, ignoring case", {.may_be_absent = true}),
       FIELD(nth, "Which of all that match, from 0; negative: from the end",
             {.min = -10'000, .max = 10'000}),
       FIELD(has_text, "Only elements that have this text",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .may_be_absent = true}),
       FIELD(within, "Only within what these find, the outermost first",
             {.least = 1, .most = ArtifactLimits::kWithin, .may_be_absent = true}))

Selector by_role(std::string role, std::string name);
Selector by(SelectorType type, std::string value);
using Chain = std::vector<Selector>;  // tried in order; the first that finds one element wins

enum class StepKind : std::uint8_t {
  click,
  fill,
  navigate,
  press,
  select,
  submit,
  scroll,
  // --- schema_version 2 ---
  check,
  uncheck,
  hover,
  drag,
  upload,
  dialog,
  wait,
  key_down,
  key_up,
  viewport,
  close,
  network,
  custom,
};
std::string_view kind_name(StepKind kind);
std::optional<StepKind> kind_of(std::string_view name);
std::vector<std::string> kind_names();
bool needs_element(StepKind kind);                // cannot be done without a target
std::vector<std::string> args_of(StepKind kind);  // the names of the args that a replay knows

// left, right, middle, back or forward; DevTools calls the first three primary, secondary and
// auxiliary, and a step may have either name.
std::string mouse_button(const Json& args);

struct Step {
  StepKind kind = StepKind::click;
  Chain selectors;
  std::int64_t frame_ordinal = 0;          // number of the page's frame, in document order; 0: main
  Json args = Json::object();              // the arguments of the kind: see docs/skills.md
  std::optional<std::string> contract_id;  // checked after the step (post_assert)

  // --- schema_version 2 ---
  std::vector<Chain> frames;    // from the outermost iframe to the innermost; frame_ordinal is 0
  std::int64_t tab = 0;         // number of the page, in the order in which pages were opened
  Chain to;                     // for drag: the target
  Chain focus;                  // for keys without a target: the focused element
  Json extra = Json::object();  // members of an imported format that hebb does not use

  bool operator==(const Step&) const = default;
  void check() const;  // throws fields::Invalid
};

struct Artifact {
  std::int64_t recorded_at = 0;  // epoch milliseconds
  std::string hebb_version;      // of the recorder
  std::vector<Step> steps;
  Json extra = Json::object();  // as in a step; schema_version 2

  int schema_version() const;  // the lowest that can express the artifact
};

// Strict: throws Invalid, which says where and why, for an unknown member and for a value that its
// field (artifact.cc) does not have.
Artifact read_artifact(const Json& json);
Json write_artifact(const Artifact& artifact);
// Throws Invalid if a step has an arg that its kind does not know: a replay would ignore it. Old
// artifacts have such args, so read_artifact() accepts them.
void require_known_args(const Artifact& artifact);

Step read_step(const Json& json, const std::string& path);
Json write_step(const Step& step);

// What a step does, in a line: `click button "Save"`, `fill textbox "Name"`. Without typed values.
std::string describe(const Step& step);
std::string describe(const Selector& selector);
// A sentence for each step that runs script of the recording, as a warning at import.
std::vector<std::string> script_notes(const Artifact& artifact);

}  // namespace hebb::skill
