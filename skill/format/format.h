// Converts recordings of other programs to artifacts and back.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/store/contract.h"

namespace hebb::skill {

inline constexpr std::size_t kImportBytes = std::size_t{8} << 20;

struct Imported {
  std::string title;  // empty: none
  std::string start_url;
  Artifact artifact;                    // recorded_at and hebb_version are not set
  std::vector<std::string> notes = {};  // what was ignored, with its line numbers
};

struct ImportFormat {
  std::string_view name;
  Imported (*read)(std::string_view text);  // throws Invalid
  bool (*looks_like)(std::string_view text);
};
// recorder: a JSON export of the Recorder of Chrome DevTools.
// playwright: a script of Playwright's codegen, in JavaScript or TypeScript.
std::span<const ImportFormat> import_formats();
// Reads a recording; the format is by name, or by the text if the name is empty. Throws Invalid.
Imported import_recording(std::string_view text, const std::string& format);

Imported read_recorder(std::string_view text);
Imported read_playwright(std::string_view text);

struct Exported {
  std::string title, start_url;
  const Artifact* artifact = nullptr;
  const Contract* contract = nullptr;  // nullptr: none
};
// The step that opens the skill's start; nullopt: there is none, or the steps begin with it.
std::optional<Step> opening_step(const Exported& skill);

// The artifact, whose first step opens the start.
std::string write_artifact(const Exported& skill);
// A recording for the Recorder of DevTools. Steps unknown to the Recorder become custom ones.
// Members from `extra` of an import are written again.
std::string write_recorder(const Exported& skill);
// A test for @playwright/test. A step that Playwright cannot do becomes a statement that throws, so
// that the test fails; other differences are in a comment.
std::string write_playwright(const Exported& skill);
// The two parts of a file of tests: its head, written once, and one test. `contract` is a contract
// of one of the tests that follow, or nullptr if none has one.
std::string playwright_head(const Contract* contract);
std::string playwright_test(const Exported& skill);

struct ExportFormat {
  std::string_view name;
  std::string (*write)(const Exported& skill);
};
std::span<const ExportFormat> export_formats();

}  // namespace hebb::skill
