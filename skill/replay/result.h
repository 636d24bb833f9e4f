// The result of a replay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/store/skill.h"
#include "skill/store/traits.h"

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

// An element that a step acted on, as a chain of selectors that find it again.
struct CapturedElement {
  Chain chain;  // each finds this element alone, in the page as it was; empty: not captured
  Chain to;     // likewise, of the element that it was dragged to
  ElementTraits traits;
  bool secret = false;  // text typed into it is secret
};

struct StepResult {
  std::size_t index = 0;
  std::optional<SelectorType> resolved_via;  // nullopt: not found, or the step has no element
  // Types of selectors that failed in every pass over the chain.
  std::vector<SelectorType> missed;
  std::vector<std::size_t> found_by;   // selectors of the chain that found it in any pass
  std::int64_t selector_attempts = 0;  // in the last pass
  std::int64_t elapsed_ms = 0;
  bool ok = false;
  std::optional<CapturedElement> captured;   // if the run captures
  std::optional<std::vector<Chain>> frames;  // likewise, of its frame
};

struct Failure {
  std::string code;
  std::size_t step_index = 0;
  std::string detail;
  std::string evidence;  // a folder; empty: there is none
};

struct ReplayResult {
  bool ok = false;
  bool attempted = false;  // steps were tried, so the result is evidence about the skill
  std::size_t executed = 0, total = 0;
  std::optional<Failure> failure;
  std::vector<StepResult> steps;
  PageSignature signature;  // of the start page in this run
  std::string start_url;
  std::int64_t elapsed_ms = 0;
};

// The result of a replay that was refused before anything was done.
ReplayResult refused(std::string_view code, std::string detail);

}  // namespace hebb::skill
