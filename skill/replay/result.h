// What a replay comes to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/store/skill.h"

namespace hebb::skill {

// Codes of failures, as they are printed and stored; do not rename.
namespace code {
inline constexpr std::string_view kArtifactMissing = "ARTIFACT_MISSING";
inline constexpr std::string_view kResolutionFailed = "ARTIFACT_RESOLUTION_FAILED";
inline constexpr std::string_view kContractFailed = "CONTRACT_FAILED";
inline constexpr std::string_view kStepTimeout = "STEP_TIMEOUT";
inline constexpr std::string_view kNavigatedAway = "TARGET_NAVIGATED_AWAY";
inline constexpr std::string_view kDisabled = "DISABLED";
inline constexpr std::string_view kSkillNotFound = "SKILL_NOT_FOUND";
inline constexpr std::string_view kInvalidArgs = "INVALID_ARGS";
inline constexpr std::string_view kPageMismatch = "PAGE_MISMATCH";
inline constexpr std::string_view kRiskyAction = "RISKY_ACTION";
}  // namespace code

struct StepResult {
  std::size_t index = 0;
  std::optional<SelectorType> resolved_via;  // nullopt: not resolved, or nothing to be resolved
  std::vector<SelectorType> missed;          // tried in vain in the last pass over the chain
  std::int64_t selector_attempts = 0;        // of that pass
  std::int64_t elapsed_ms = 0;
  bool ok = false;
};

struct Failure {
  std::string code;
  std::size_t step_index = 0;
  std::string detail;
  std::string evidence;  // a folder; empty: nothing was seen that could be kept
};

struct ReplayResult {
  bool ok = false;
  bool attempted = false;  // steps were tried: it says something of the skill
  std::size_t executed = 0, total = 0;
  std::optional<Failure> failure;
  std::vector<StepResult> steps;
  PageSignature signature;  // of the start, as it was
  std::string start_url;
  std::int64_t elapsed_ms = 0;
};

// As the original's tool answers.
Json result_json(const ReplayResult& result);
// Of one for which nothing was done.
ReplayResult refused(std::string_view code, std::string detail);

}  // namespace hebb::skill
