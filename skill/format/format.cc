#include "skill/format/format.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hebb::skill {
namespace {

bool has(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}
bool is_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

constexpr std::array kImports{
    ImportFormat{"recorder", read_recorder,
                 [](std::string_view t) { return is_object(t) && has(t, "\"steps\""); }},
    ImportFormat{"playwright", read_playwright,
                 [](std::string_view t) { return has(t, "await page"); }},
};
constexpr std::array kExports{
    ExportFormat{"artifact", write_artifact},
    ExportFormat{"recorder", write_recorder},
    ExportFormat{"playwright", write_playwright},
};

}  // namespace

std::span<const ImportFormat> import_formats() { return kImports; }
std::span<const ExportFormat> export_formats() { return kExports; }

std::optional<Step> opening_step(const Exported& skill) {
  const auto& steps = skill.artifact->steps;
  const auto first = std::find_if(steps.begin(), steps.end(),
                                  [](const Step& s) { return s.kind != StepKind::viewport; });
  Step step;
  step.kind = StepKind::navigate;
  step.args["url"] = skill.start_url;
  const bool opens = first != steps.end() && first->kind == step.kind && first->tab == 0 &&
                     text_member(first->args, "url") == skill.start_url;
  return skill.start_url.empty() || opens ? std::nullopt : std::optional(step);
}

std::string write_artifact(const Exported& skill) {
  Artifact artifact = *skill.artifact;
  if (auto start = opening_step(skill))
    artifact.steps.insert(artifact.steps.begin(), *std::move(start));
  return dump(write_artifact(artifact), 2) + "\n";
}

Imported import_recording(std::string_view text, const std::string& format) {
  if (text.size() > kImportBytes) {
    invalid("recording",
            fmt::format("is {} bytes long; at most {} are taken", text.size(), kImportBytes));
  }
  for (const ImportFormat& f : kImports) {
    if (format.empty() ? !f.looks_like(text) : f.name != format) continue;
    Imported imported = f.read(text);
    if (imported.artifact.steps.empty()) invalid("recording", "has no steps");
    // Checks the bounds that every artifact has.
    imported.artifact.hebb_version = "0";
    read_artifact(write_artifact(imported.artifact));
    return imported;
  }
  std::string read;
  for (const ImportFormat& f : kImports)
    read += fmt::format("{}{}", read.empty() ? "" : " and ", f.name);
  invalid("recording",
          format.empty()
              ? fmt::format("is of no known format: {} are read; name it by --format", read)
              : fmt::format("{} is no known format: {} are read", format, read));
}

}  // namespace hebb::skill
